/**
 * Where TRON stands: the newest block of any host, and the newest that two hosts hold solid. A block is solid once 19 of the 27
 * super representatives have built on it; `/walletsolidity` knows only such blocks.
 */

import { LRUCache } from 'lru-cache'
import { isWithin } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { RpcAbsent, RpcError } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import type { BlockRef } from '../../../schema/block.ts'
import type { NetworkInfo } from '../../../schema/networks.ts'
import { orAbsent, retryOnOther } from '../answers.ts'
import { createFinality, hostsAsked } from '../finality.ts'
import { createOneChain, type OneChain } from '../one-chain.ts'
import { askBlock } from './fetch.ts'
import type { RawTronBlock } from './raw.ts'

/** Bound of a question about the head, ms: an old answer is worth nothing. */
const HEAD_TIMEOUT_MS = 5_000
/** Blocks that come with the head and are wanted next, kept so that they are not asked for again. */
const KEPT = 4

/** Identity of a block as it was answered. */
export const refOf = ({ blockID, block_header: { raw_data: header } }: RawTronBlock): BlockRef => ({
  number: Number(header.number),
  hash: blockID,
  parentHash: header.parentHash,
  time: Math.floor(Number(header.timestamp) / 1_000),
})

/** Where TRON stands by the hosts of a pool. */
export type TronHeads = {
  /** Hosts that are on the chain. */
  pool: OneChain['pool']
  head: (signal?: AbortSignal) => Promise<BlockRef>
  ref: (number: number, signal?: AbortSignal) => Promise<BlockRef | undefined>
  finalizedHead: (signal?: AbortSignal) => Promise<BlockRef>
  onHead: (notify: () => void) => () => void
  /** The block of a height that came with the head, once: after that it is asked for, because it may have been replaced. */
  take: (number: number, hash: string | undefined) => RawTronBlock | undefined
}

/** Looks at intervals: TRON's nodes offer no subscription. A single host is believed about the solid block. */
export const createTronHeads = ({
  context: { clock, log },
  network,
  pool,
  info,
  pollMs,
  finalEveryMs,
  aloneAfterMs,
}: {
  context: Pick<Context, 'clock' | 'log'>
  network: string
  pool: RpcPool
  info: Pick<NetworkInfo, 'finality' | 'reorgWindow'>
  /** Time between two looks, ms. */
  pollMs: number
  /** Time for which the final block is not asked for again, ms. */
  finalEveryMs: number
  aloneAfterMs: number | undefined
}): TronHeads => {
  const depth = info.finality.kind === 'solidified' ? info.finality.depth : info.reorgWindow
  const hosts = new Set(pool.hosts).size
  const kept = new LRUCache<number, RawTronBlock>({ max: KEPT })
  const timeoutMs = HEAD_TIMEOUT_MS
  let looked: { at: number; ref: BlockRef } | undefined

  const newest = async (node: Node): Promise<RawTronBlock> => askBlock(node, 'wallet/getnowblock', {})
  const refAt = async (node: Node, num: number): Promise<BlockRef> =>
    refOf(await askBlock(node, 'wallet/getblockbynum', { num }))

  const at = (node: Node, { number }: BlockRef): Promise<BlockRef> => refAt(node, number)
  const chain = createOneChain({ context: { clock, log }, network, pool, at })

  /** A node that has nothing at all yet is waited for. */
  const orLater = async <T>(work: Promise<T>, what: string): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof RpcAbsent)) throw error
      throw new RetryableError(
        'ASSAY_SOURCE_BLOCK_MISSING',
        `No node of ${network} knows ${what}. It is asked for again.`,
        { cause: error },
      )
    }
  }

  const head: TronHeads['head'] = async (signal) => {
    const asked = chain.pool.everywhere((node) => retryOnOther(newest(node)), { signal, timeoutMs })
    const heads = await orLater(asked, 'its newest block')
    const best = heads.reduce((high, one) =>
      one.block_header.raw_data.number > high.block_header.raw_data.number ? one : high,
    )
    const ref = refOf(best)
    kept.set(ref.number, best)
    return ref
  }

  const ref: TronHeads['ref'] = (number, signal) =>
    orAbsent(chain.sure.attempt((node) => retryOnOther(refAt(node, number)), { signal, timeoutMs }))

  /** The newest solid block; what is deep enough on a node that does not offer the solid chain. */
  const finalOf = async (node: Node): Promise<BlockRef> => {
    try {
      return refOf(await askBlock(node, 'walletsolidity/getnowblock', {}))
    } catch (error) {
      if (!(error instanceof RpcError && error.kind === 'missing')) throw error
      const { number } = refOf(await newest(node))
      return refAt(node, Math.max(1, number - depth))
    }
  }

  const confirmed = createFinality({
    context: { clock, log },
    network,
    hosts,
    window: info.reorgWindow,
    aloneAfterMs,
    head,
    confirmed: chain.confirmed,
    ...hostsAsked(pool, { final: finalOf, at }, timeoutMs),
  })

  const finalNow = (signal: AbortSignal | undefined): Promise<BlockRef> =>
    hosts > 1 ? confirmed(signal) : pool.attempt((node) => retryOnOther(finalOf(node)), { signal, timeoutMs })

  return {
    pool: chain.pool,
    head,
    ref,
    finalizedHead: async (signal) => {
      if (looked && isWithin(clock, finalEveryMs, looked.at)) return looked.ref
      looked = { at: clock.now(), ref: await orLater(finalNow(signal), 'a solid block') }
      return looked.ref
    },
    onHead: (notify) => {
      const timer = setInterval(notify, pollMs)
      return () => clearInterval(timer)
    },
    take: (number, hash) => {
      const found = kept.get(number)
      if (!found || (hash !== undefined && found.blockID !== hash)) return undefined
      kept.delete(number)
      return found
    },
  }
}
