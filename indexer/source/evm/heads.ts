/** Newest and final block of an EVM chain, and notification of new heads. */
import type { Context } from '../../../platform/context/context.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { RpcAbsent, RpcError } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import { subscribeHeads } from '../../../platform/rpc/subscribe.ts'
import type { BlockRef } from '../../../schema/block.ts'
import type { FinalityRule } from '../../../schema/networks.ts'
import { orAbsent, read, retryOnOther } from '../answers.ts'
import { createFinality, hostsAsked } from '../finality.ts'
import { createOneChain, type OneChain } from '../one-chain.ts'
import { quantity } from './fetch.ts'
import { type RawHead, rawHead } from './raw.ts'
import type { Verifier } from './verify/index.ts'

/** Time limit of a request for the head, ms: a late answer is worthless. */
const HEAD_TIMEOUT_MS = 5_000

/** The block identity of a header, in lower case, unverified. */
export const refOf = (head: Pick<RawHead, 'number' | 'hash' | 'parentHash' | 'timestamp'>): BlockRef => ({
  number: Number(head.number),
  hash: head.hash.toLowerCase(),
  parentHash: head.parentHash.toLowerCase(),
  time: Number(head.timestamp),
})

/** Newest and final block of a network by its hosts. Headers are verified as far as the dialect allows. */
export type Heads = {
  head: (signal?: AbortSignal) => Promise<BlockRef>
  ref: (number: number, signal?: AbortSignal) => Promise<BlockRef | undefined>
  finalizedHead: (signal?: AbortSignal) => Promise<BlockRef>
  onHead: (notify: () => void) => () => void
  /** The hosts on the right chain. */
  pool: OneChain['pool']
}

/** The block tag of the rule, if it has one, and the depth at which blocks are final without it. */
const readRule = (rule: FinalityRule): { tag?: string; depth: number } => {
  if (rule.kind === 'tag') return { tag: rule.tag, depth: rule.fallbackDepth }
  return { depth: rule.kind === 'depth' || rule.kind === 'solidified' ? rule.depth : 0 }
}

/** With several hosts, the final block has to be final at two of them (`finality.ts`); a single host is trusted. */
export const createHeads = ({
  context: { clock, log },
  network,
  pool,
  rule,
  window,
  verifier,
  sockets,
  pollMs,
  aloneAfterMs,
}: {
  context: Pick<Context, 'clock' | 'log'>
  network: string
  pool: RpcPool
  rule: FinalityRule
  /** How far an unconfirmed final block may stay behind the newest block, in blocks. */
  window: number
  verifier: Pick<Verifier, 'header'>
  /** ws(s) URLs; without any, the head is polled. */
  sockets: readonly string[]
  /** Time between two polls, ms. */
  pollMs: number
  /** How long a host has to be the only one that answers before its final block is accepted, ms; never if absent. */
  aloneAfterMs?: number | undefined
}): Heads => {
  const { tag, depth } = readRule(rule)
  const hosts = new Set(pool.hosts).size

  const headAt = async (node: Node, at: string): Promise<BlockRef> => {
    const [outcome] = await node.batch([{ method: 'eth_getBlockByNumber', params: [at, false] }])
    const found = read(outcome, rawHead.nullable(), 'head')
    if (found === null) throw new RpcAbsent(`block ${at}`)
    verifier.header(found)
    return refOf(found)
  }

  const at = (node: Node, { number }: BlockRef): Promise<BlockRef> => headAt(node, quantity(number))
  const chain = createOneChain({ context: { clock, log }, network, pool, at })

  const head: Heads['head'] = async (signal) => {
    const heads = await chain.pool.everywhere((node) => retryOnOther(headAt(node, 'latest')), {
      signal,
      timeoutMs: HEAD_TIMEOUT_MS,
    })
    return heads.reduce((best, one) => (one.number > best.number ? one : best))
  }

  const ref: Heads['ref'] = (number, signal) =>
    orAbsent(
      chain.sure.attempt((node) => retryOnOther(headAt(node, quantity(number))), {
        signal,
        timeoutMs: HEAD_TIMEOUT_MS,
      }),
    )

  /** The tagged block, `undefined` from a node that does not know the tag or has no such block yet. */
  const tagged = async (node: Node, name: string): Promise<BlockRef | undefined> => {
    try {
      return await headAt(node, name)
    } catch (error) {
      if (error instanceof RpcAbsent || (error instanceof RpcError && error.kind === 'answer')) return undefined
      if (error instanceof RpcError && /not found|unknown block/i.test(error.message)) return undefined
      throw error
    }
  }

  const finalOf = async (node: Node): Promise<BlockRef> => {
    const known = tag === undefined ? undefined : await tagged(node, tag)
    if (known) return known
    const newest = await headAt(node, 'latest')
    return depth === 0 ? newest : headAt(node, quantity(Math.max(0, newest.number - depth)))
  }

  const finality = createFinality({
    context: { clock, log },
    network,
    hosts,
    window,
    finalOnly: window === 0,
    aloneAfterMs,
    head,
    confirmed: chain.confirmed,
    ...hostsAsked(pool, { final: finalOf, at }, HEAD_TIMEOUT_MS),
  })

  return {
    pool: chain.pool,
    head,
    ref,
    finalizedHead: async (signal) => {
      if (hosts > 1) return finality(signal)
      const known = tag && (await pool.attempt((node) => tagged(node, tag), { signal, timeoutMs: HEAD_TIMEOUT_MS }))
      if (known) return known
      const newest = await head(signal)
      if (depth === 0) return newest
      const finalized = await ref(Math.max(0, newest.number - depth), signal)
      if (!finalized) {
        throw new RetryableError(
          'ASSAY_SOURCE_BLOCK_MISSING',
          `No node has block ${newest.number - depth}, although the head is ${newest.number}. The block is fetched again.`,
        )
      }
      return finalized
    },
    onHead: (notify) => {
      let subscribed = false
      const stops = sockets.slice(0, 1).map((url) =>
        subscribeHeads(url, {
          clock,
          log,
          notify,
          ready: (connected) => {
            subscribed = connected
          },
        }),
      )
      let ticks = 0
      const timer = setInterval(() => {
        ticks += 1
        if (!subscribed || ticks % 10 === 0) notify()
      }, pollMs)
      return () => {
        clearInterval(timer)
        for (const stop of stops) stop()
      }
    },
  }
}
