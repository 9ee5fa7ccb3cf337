/**
 * Newest and final block of TON. A masterchain block that a node serves has the signatures of two thirds of the validators and
 * is final, and so is every shard block that it refers to. Source: TON documentation, "Catchain consensus".
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

/** Time limit of a request for the head, ms: a late answer is worthless. */
const HEAD_TIMEOUT_MS = 5_000
/** How far one of several hosts may lag behind the final block: about half a minute, in blocks. */
const FINAL_WINDOW = 64
/** Headers cached, so that the newest is not requested again with its block. */
const KEPT = 64

/** Parent hash of the zero state. */
const NOTHING = '0'.repeat(64)

/** Identity of a masterchain block. */
export const refOf = ({ id, prev_blocks: [parent], gen_utime }: BlockHeader): BlockRef => {
  if (!parent && id.seqno > 0) throw new RpcInconsistent('parents', `block ${id.seqno} has no parent`)
  return { number: id.seqno, hash: id.root_hash, parentHash: parent?.root_hash ?? NOTHING, time: gen_utime }
}

/** Newest and final block by the hosts of a pool, and the check of their chain. */
export type TonHeads = {
  head: (signal?: AbortSignal) => Promise<BlockRef>
  ref: (number: number, signal?: AbortSignal) => Promise<BlockRef | undefined>
  finalizedHead: (signal?: AbortSignal) => Promise<BlockRef>
  /** Header at a height, cached or requested. */
  headerAt: (node: Node, number: number) => Promise<BlockHeader>
  /** Drops a node's cached answers, because some of them were wrong. */
  forget: (node: Node, number: number) => void
  verify: (signal?: AbortSignal) => Promise<void>
  /** The hosts on the right chain. */
  pool: OneChain['pool']
}

/** Handles nodes without the path of their API version, which speak something else. @throws all other errors. */
const noSuchPath = (error: unknown): undefined => {
  if (error instanceof RpcError && error.kind === 'missing') return undefined
  throw error
}

/** With several hosts, the final block is one that two of them serve. Only final blocks are followed. */
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
  /** API version of a node. */
  apiOf: (node: Node) => TonApi
  aloneAfterMs: number | undefined
}): TonHeads => {
  const hosts = new Set(pool.hosts).size
  const timeoutMs = HEAD_TIMEOUT_MS
  /** By host and height. One host's answer is never used for another's. */
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
            `The node ${host} does not support the version of the HTTP API that its URL stands for: version 3 if the URL ends in /api/v3, otherwise version 2. Nothing was indexed. Correct ${network}_RPC_URL, for example to https://toncenter.com/api/v2.`,
          )
        }
        if (identity.is === identity.expected) continue
        throw new OperatorError(
          'ASSAY_SOURCE_WRONG_CHAIN',
          `The node ${host} is on the chain with ${identity.is}, but ${network} has ${identity.expected}. Nothing was indexed. Correct ${network}_RPC_URL.`,
        )
      }
    },
  }
}
