/**
 * Where TON stands. A block of the masterchain that a node serves has the signatures of two thirds of the validators and is final, and
 * with it every block of a shard that it refers to. Source: TON documentation, "Catchain consensus".
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../platform/context/context.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { RpcError, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import type { BlockRef } from '../../../schema/block.ts'
import { orAbsent, retryOnOther } from '../answers.ts'
import { createFinality, hostsAsked } from '../finality.ts'
import { createOneChain, type OneChain } from '../one-chain.ts'
import type { TonApi } from './api.ts'
import type { BlockHeader } from './raw.ts'

/** Bound of a question about the head, ms: an old answer is worth nothing. */
const HEAD_TIMEOUT_MS = 5_000
/** Blocks that one of several hosts may be behind with the final block: some half a minute. */
const FINAL_WINDOW = 64
/** Headers kept, so that the newest is not asked for again with its block. */
const KEPT = 64

/** What the zero state follows. */
const NOTHING = '0'.repeat(64)

/** Identity of a block of the masterchain. */
export const refOf = ({ id, prev_blocks: [parent], gen_utime }: BlockHeader): BlockRef => {
  if (!parent && id.seqno > 0) throw new RpcInconsistent('parents', `block ${id.seqno} has no parent`)
  return { number: id.seqno, hash: id.root_hash, parentHash: parent?.root_hash ?? NOTHING, time: gen_utime }
}

/** Where the masterchain stands by the hosts of a pool, and whether these are on the right chain. */
export type TonHeads = {
  head: (signal?: AbortSignal) => Promise<BlockRef>
  ref: (number: number, signal?: AbortSignal) => Promise<BlockRef | undefined>
  finalizedHead: (signal?: AbortSignal) => Promise<BlockRef>
  /** Header of a height, as the node answered it before or answers it now. */
  headerAt: (node: Node, number: number) => Promise<BlockHeader>
  /** Drops what a node said, because some of it was wrong. */
  forget: (node: Node, number: number) => void
  verify: (signal?: AbortSignal) => Promise<void>
  /** Hosts that are on the chain. */
  pool: OneChain['pool']
}

/** A node that has no path for calls of its version speaks something else. @throws whatever else went wrong. */
const noSuchPath = (error: unknown): undefined => {
  if (error instanceof RpcError && error.kind === 'missing') return undefined
  throw error
}

/** With several hosts, the final block is one that two of them serve. Nothing above the final block is followed. */
export const createTonHeads = ({
  context: { clock, log },
  network,
  pool,
  apiOf,
  aloneAfterMs,
}: {
  context: Pick<Context, 'clock' | 'log'>
  network: string
  pool: RpcPool
  /** Version of the API that a node speaks. */
  apiOf: (node: Node) => TonApi
  aloneAfterMs: number | undefined
}): TonHeads => {
  const hosts = new Set(pool.hosts).size
  const timeoutMs = HEAD_TIMEOUT_MS
  /** By host and height. What one host says is never taken for what another says. */
  const kept = new LRUCache<string, BlockHeader>({ max: KEPT })
  const nameOf = ({ host }: Node, number: number) => `${host} ${number}`

  const fresh = async (node: Node, number: number): Promise<BlockHeader> => {
    const header = await apiOf(node).masterHeader(node, number)
    kept.set(nameOf(node, number), header)
    return header
  }

  const newest = async (node: Node): Promise<BlockRef> => {
    const last = await apiOf(node).newest(node)
    const known = kept.get(nameOf(node, last.seqno))
    const header = known?.id.root_hash === last.root_hash ? known : await fresh(node, last.seqno)
    if (header.id.root_hash !== last.root_hash) {
      kept.delete(nameOf(node, last.seqno))
      throw new RpcInconsistent('block_id', `block ${last.seqno} is the newest under one hash and there under another`)
    }
    return refOf(header)
  }
  const refAt = async (node: Node, number: number): Promise<BlockRef> => refOf(await fresh(node, number))

  const at = (node: Node, { number }: BlockRef): Promise<BlockRef> => refAt(node, number)
  const chain = createOneChain({ context: { clock, log }, network, pool, at })

  const head: TonHeads['head'] = async (signal) => {
    const heads = await chain.pool.everywhere((node) => retryOnOther(newest(node)), { signal, timeoutMs })
    return heads.reduce((best, one) => (one.number > best.number ? one : best))
  }

  const confirmed = createFinality({
    context: { clock, log },
    network,
    hosts,
    window: FINAL_WINDOW,
    finalOnly: true,
    aloneAfterMs,
    head,
    confirmed: chain.confirmed,
    ...hostsAsked(pool, { final: newest, at }, timeoutMs),
  })

  return {
    pool: chain.pool,
    head,
    ref: (number, signal) =>
      orAbsent(chain.sure.attempt((node) => retryOnOther(refAt(node, number)), { signal, timeoutMs })),
    finalizedHead: (signal) => (hosts > 1 ? confirmed(signal) : head(signal)),
    headerAt: async (node, number) => kept.get(nameOf(node, number)) ?? fresh(node, number),
    forget: (node, number) => {
      kept.delete(nameOf(node, number))
      apiOf(node).forget(node, number)
    },
    verify: async (signal) => {
      const asked = async (node: Node) => ({
        host: node.host,
        identity: await retryOnOther(apiOf(node).identity(node)).catch(noSuchPath),
      })
      for (const { host, identity } of await pool.everywhere(asked, { signal })) {
        if (!identity) {
          throw new OperatorError(
            'ASSAY_SOURCE_OTHER_API',
            `The node ${host} does not answer the version of the HTTP API that its URL names, from which ${network} is read: version 3 where it ends in /api/v3, else version 2. Nothing was indexed. Correct ${network}_RPC_URL, for instance to https://toncenter.com/api/v2.`,
          )
        }
        if (identity.is === identity.expected) continue
        throw new OperatorError(
          'ASSAY_SOURCE_WRONG_CHAIN',
          `The node ${host} is on the chain of ${identity.is}, but ${network} is that of ${identity.expected}. Nothing was indexed. Correct ${network}_RPC_URL.`,
        )
      }
    },
  }
}
