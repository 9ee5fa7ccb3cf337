/** Newest block, finalized block, and when to look again. */
import type { Context } from '../../../platform/context.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { RpcAbsent, RpcError } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import { subscribeHeads } from '../../../platform/rpc/subscribe.ts'
import type { BlockRef } from '../../../schema/block.ts'
import type { FinalityRule } from '../../../schema/networks.ts'
import { quantity, read, retryOnOther } from './fetch.ts'
import { type RawHead, rawHead } from './raw.ts'

/** Bound of a question about the head, ms: an old answer is worth nothing. */
const HEAD_TIMEOUT_MS = 5_000

export const refOf = (head: Pick<RawHead, 'number' | 'hash' | 'parentHash' | 'timestamp'>): BlockRef => ({
  number: Number(head.number),
  hash: head.hash.toLowerCase(),
  parentHash: head.parentHash.toLowerCase(),
  time: Number(head.timestamp),
})

const headAt = async (node: Node, at: string): Promise<BlockRef> => {
  const [outcome] = await node.batch([{ method: 'eth_getBlockByNumber', params: [at, false] }])
  const head = read(outcome, rawHead.nullable(), 'head')
  if (head === null) throw new RpcAbsent(`block ${at}`)
  return refOf(head)
}

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
  pool,
  rule,
  sockets,
  pollMs,
}: {
  context: Pick<Context, 'clock' | 'log'>
  pool: RpcPool
  rule: FinalityRule
  /** ws(s) URLs; without any, the head is polled. */
  sockets: readonly string[]
  /** Time between two looks, ms. */
  pollMs: number
}): Heads => {
  const { tag, depth } = readRule(rule)

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

  /** The tagged block, `undefined` from nodes that do not know the tag or have nothing under it yet. */
  const tagged = async (name: string, signal?: AbortSignal): Promise<BlockRef | undefined> =>
    pool.attempt(
      async (node) => {
        try {
          return await headAt(node, name)
        } catch (error) {
          if (error instanceof RpcAbsent || (error instanceof RpcError && error.kind === 'answer')) return undefined
          if (error instanceof RpcError && /not found|unknown block/i.test(error.message)) return undefined
          throw error
        }
      },
      { signal, timeoutMs: HEAD_TIMEOUT_MS },
    )

  return {
    head,
    ref,
    finalizedHead: async (signal) => {
      const known = tag === undefined ? undefined : await tagged(tag, signal)
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
