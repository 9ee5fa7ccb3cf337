/**
 * Newest and final block of TRON: the newest block of any host, and the newest solid block of two hosts. A block is solid once 19
 * of the 27 super representatives have built on it; `/walletsolidity` only has such blocks.
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

/** Time limit of a request for the head, ms: a late answer is worthless. */
const HEAD_TIMEOUT_MS = 5_000
/** Blocks that came with the head, cached because they are needed next. */
const KEPT = 4

/** Identity of a block. */
export const refOf = ({ blockID, block_header: { raw_data: header } }: RawTronBlock): BlockRef => ({
  number: Number(header.number),
  hash: blockID,
  parentHash: header.parentHash,
  time: Math.floor(Number(header.timestamp) / 1_000),
})

/** Newest and final block by the hosts of a pool. */
export type TronHeads = {
  /** The hosts on the right chain. */
  pool: OneChain['pool']
  head: (signal?: AbortSignal) => Promise<BlockRef>
  ref: (number: number, signal?: AbortSignal) => Promise<BlockRef | undefined>
  finalizedHead: (signal?: AbortSignal) => Promise<BlockRef>
  onHead: (notify: () => void) => () => void
  /** The block that came with the head, once: later calls request it, because it may have been replaced. */
  take: (number: number, hash: string | undefined) => RawTronBlock | undefined
}

/** Polls, because TRON's nodes offer no subscription. A single host is trusted about the solid block. */
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
  /** Time between two polls, ms. */
  pollMs: number
  /** How long the final block is cached, ms. */
  finalEveryMs: number
  aloneAfterMs: number | undefined
}): TronHeads => {
  const depth = info.finality.kind === 'solidified' ? info.finality.depth : info.reorgWindow
  const hosts = new Set(pool.hosts).size
  const kept = new LRUCache<number, RawTronBlock>({ max: KEPT })
  const timeoutMs = HEAD_TIMEOUT_MS
  let lastFinal: { at: number; ref: BlockRef } | undefined

  const newest = async (node: Node): Promise<RawTronBlock> => askBlock(node, 'wallet/getnowblock', {})
  const refAt = async (node: Node, num: number): Promise<BlockRef> =>
    refOf(await askBlock(node, 'wallet/getblockbynum', { num }))

  const at = (node: Node, { number }: BlockRef): Promise<BlockRef> => refAt(node, number)
  const chain = createOneChain({ context: { clock, log }, network, pool, at })

  /** Waits for a node that has no blocks yet. */
  const orLater = async <T>(work: Promise<T>, what: string): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof RpcAbsent)) throw error
      throw new RetryableError(
        'ASSAY_SOURCE_BLOCK_MISSING',
        `No node of ${network} has ${what}. The request is retried.`,
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

  /** The newest solid block; on a node without `/walletsolidity`, the block at the required depth. */
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
      if (lastFinal && isWithin(clock, finalEveryMs, lastFinal.at)) return lastFinal.ref
      lastFinal = { at: clock.now(), ref: await orLater(finalNow(signal), 'a solid block') }
      return lastFinal.ref
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
