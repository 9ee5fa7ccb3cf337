/**
 * Where the chain stands: newest block, final block, and when to look again.
 *
 * The newest block is whichever node is ahead: what it says is undone when it was wrong. A final block is never undone,
 * so with endpoints at two hosts or more it is one that a second host holds final too, under the same hash. While none
 * does, the last one confirmed stays the final block, for as long as the network's window allows; then the network waits.
 * Where it is wished, a host that has long been the only one to answer, and never contradicted another, is believed alone.
 */
import type { Context } from '../../../platform/context.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { RpcAbsent, RpcError } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import { subscribeHeads } from '../../../platform/rpc/subscribe.ts'
import type { BlockRef } from '../../../schema/block.ts'
import type { FinalityRule } from '../../../schema/networks.ts'
import { quantity, read, retryOnOther } from './fetch.ts'
import { type RawHead, rawHead } from './raw.ts'
import type { Verifier } from './verify/index.ts'

/** Bound of a question about the head, ms: an old answer is worth nothing. */
const HEAD_TIMEOUT_MS = 5_000

export const refOf = (head: Pick<RawHead, 'number' | 'hash' | 'parentHash' | 'timestamp'>): BlockRef => ({
  number: Number(head.number),
  hash: head.hash.toLowerCase(),
  parentHash: head.parentHash.toLowerCase(),
  time: Number(head.timestamp),
})

/** What a host takes for final. */
type Opinion = { host: string; ref: BlockRef }

const unconfirmed = (network: string, hosts: number) =>
  new RetryableError(
    'ASSAY_SOURCE_FINALITY_UNCONFIRMED',
    `No two of the ${hosts} hosts of ${network} agree on a final block. Nothing further counts as final; it is looked at again. If it stays, compare the endpoints and take the one that is wrong or down out of ${network}_RPC_URL.`,
  )

export type Heads = {
  head: (signal?: AbortSignal) => Promise<BlockRef>
  ref: (number: number, signal?: AbortSignal) => Promise<BlockRef | undefined>
  finalizedHead: (signal?: AbortSignal) => Promise<BlockRef>
  onHead: (notify: () => void) => () => void
}

/** The tag the rule names, if it names one, and how many blocks below the head are finalized without it. */
const readRule = (rule: FinalityRule): { tag?: string; depth: number } => {
  if (rule.kind === 'tag') return { tag: rule.tag, depth: rule.fallbackDepth }
  return { depth: rule.kind === 'depth' || rule.kind === 'solidified' ? rule.depth : 0 }
}

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
  /** Blocks the final block may stay behind the newest one while it is not confirmed. */
  window: number
  verifier: Pick<Verifier, 'header'>
  /** ws(s) URLs; without any, the head is polled. */
  sockets: readonly string[]
  /** Time between two looks, ms. */
  pollMs: number
  /** How long a host has to be the only one that answers until its final block is taken, ms; never when left out. */
  aloneAfterMs?: number | undefined
}): Heads => {
  const { tag, depth } = readRule(rule)
  const hosts = new Set(pool.hosts).size
  /** Hosts that showed another block at a height than another host did; who was right is not known. */
  const disputed = new Set<string>()
  let alone: { host: string; since: number; said: boolean } | undefined
  let confirmed: BlockRef | undefined

  const headAt = async (node: Node, at: string): Promise<BlockRef> => {
    const [outcome] = await node.batch([{ method: 'eth_getBlockByNumber', params: [at, false] }])
    const found = read(outcome, rawHead.nullable(), 'head')
    if (found === null) throw new RpcAbsent(`block ${at}`)
    verifier.header(found)
    return refOf(found)
  }

  const head: Heads['head'] = async (signal) => {
    const heads = await pool.everywhere((node) => retryOnOther(headAt(node, 'latest')), {
      signal,
      timeoutMs: HEAD_TIMEOUT_MS,
    })
    return heads.reduce((best, one) => (one.number > best.number ? one : best))
  }

  const ref: Heads['ref'] = async (number, signal) => {
    try {
      return await pool.attempt((node) => retryOnOther(headAt(node, quantity(number))), {
        signal,
        timeoutMs: HEAD_TIMEOUT_MS,
      })
    } catch (error) {
      if (error instanceof RpcAbsent) return undefined
      throw error
    }
  }

  /** The tagged block, `undefined` from a node that does not know the tag or has nothing under it yet. */
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

  const dispute = ({ host, ref: one }: Opinion, others: readonly Opinion[]) => {
    for (const other of others) {
      if (other.ref.number !== one.number || other.ref.hash === one.hash) continue
      disputed.add(host).add(other.host)
    }
  }

  /** What the only host that answers holds final, once that has lasted long enough and nothing speaks against it. */
  const survivor = (opinions: readonly Opinion[]): BlockRef | undefined => {
    const [first] = opinions
    if (!first || opinions.some(({ host }) => host !== first.host)) {
      alone = undefined
      return undefined
    }
    if (alone?.host !== first.host) alone = { host: first.host, since: clock.now(), said: false }
    if (aloneAfterMs === undefined || clock.now() - alone.since < aloneAfterMs || disputed.has(first.host))
      return undefined
    if (!alone.said) log.warn({ network, host: first.host }, 'took the final block of the only host that answers')
    alone.said = true
    return first.ref
  }

  /** The highest block that two hosts hold final, `undefined` when they hold none in common. */
  const agreed = async (opinions: readonly Opinion[], signal?: AbortSignal): Promise<BlockRef | undefined> => {
    const sorted = opinions.toSorted((a, b) => b.ref.number - a.ref.number)
    for (const [place, { host, ref: one }] of sorted.entries()) {
      const above = sorted.slice(0, place).filter((other) => other.host !== host)
      if (above.some(({ ref: other }) => other.hash === one.hash)) return one
      dispute({ host, ref: one }, above)
      const asked = new Set(above.filter(({ ref: other }) => other.number > one.number).map((other) => other.host))
      if (asked.size === 0) continue
      const found = await pool.everywhere(
        async (node): Promise<Opinion[]> =>
          asked.has(node.host)
            ? [{ host: node.host, ref: await retryOnOther(headAt(node, quantity(one.number))) }]
            : [],
        { signal, timeoutMs: HEAD_TIMEOUT_MS },
      )
      if (found.flat().some(({ ref: other }) => other.hash === one.hash)) return one
      dispute({ host, ref: one }, found.flat())
    }
    return undefined
  }

  const crossChecked = async (signal?: AbortSignal): Promise<BlockRef> => {
    const opinions = await pool.everywhere(
      async (node): Promise<Opinion> => ({ host: node.host, ref: await retryOnOther(finalOf(node)) }),
      { signal, timeoutMs: HEAD_TIMEOUT_MS },
    )
    const found = (await agreed(opinions, signal)) ?? survivor(opinions)
    if (found && found.number >= (confirmed?.number ?? 0)) confirmed = found
    const newest = found ? undefined : await head(signal)
    if (!confirmed || (newest && newest.number - confirmed.number > window)) throw unconfirmed(network, hosts)
    return confirmed
  }

  return {
    head,
    ref,
    finalizedHead: async (signal) => {
      if (hosts > 1) return crossChecked(signal)
      const known = tag && (await pool.attempt((node) => tagged(node, tag), { signal, timeoutMs: HEAD_TIMEOUT_MS }))
      if (known) return known
      const newest = await head(signal)
      if (depth === 0) return newest
      const finalized = await ref(Math.max(0, newest.number - depth), signal)
      if (!finalized) {
        throw new RetryableError(
          'ASSAY_SOURCE_BLOCK_MISSING',
          `No node knows block ${newest.number - depth} although the head is ${newest.number}. It is fetched again.`,
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
