/**
 * Version 3 of toncenter's API: an index of the chain. Its answers have no bytes, but all fields they are made of, so that each
 * transaction's hash is recomputed as with version 2. Blocks name their parents by number and not by hash: the parent is the
 * block of that number at the same host.
 */
import { LRUCache } from 'lru-cache'
import { RpcAbsent, RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { Node } from '../../../../platform/rpc/pool.ts'
import type { TonApi } from '../api.ts'
import { inOrder, MASTERCHAIN, MAX_TRANSACTIONS, placeTransaction, verifyChains, WHOLE_SHARD } from '../blocks.ts'
import type { BlockHeader, BlockId, PlacedTransaction } from '../raw.ts'
import { nameOf, verifyParents, verifyTips } from '../shards.ts'
import { askContracts } from './get-methods.ts'
import { rebuildTransaction } from './rebuild.ts'
import {
  blocks,
  masterchainInfo,
  type Place,
  type PrintedBlock,
  type PrintedTransaction,
  transactions,
} from './shapes.ts'
import { ask, V3_HTTP } from './wire.ts'

/** Items per page: the maximum of an index. */
const PAGE = 1_000
/** Maximum number of blocks that one masterchain block made final: several times the record. */
const MAX_BLOCKS = 8_192
/** Number of masterchain blocks, with their shard blocks, that are cached for the next one. */
const KEPT = 64

/** `global_id` of each chain, by its zero state. Source: TON documentation, "Network configs". */
const GLOBAL_IDS: Readonly<Record<string, number>> = {
  '17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569': -239,
}

const idOf = ({ workchain, shard, seqno, root_hash, file_hash }: PrintedBlock): BlockId => ({
  workchain,
  shard,
  seqno,
  root_hash,
  file_hash,
})
const placeOf = ({ workchain, shard, seqno }: Place): string => `${workchain}:${shard}:${seqno}`

const headerOf = (block: PrintedBlock, parents: readonly BlockId[]): BlockHeader => ({
  id: idOf(block),
  after_merge: block.after_merge,
  after_split: block.after_split,
  start_lt: block.start_lt,
  end_lt: block.end_lt,
  gen_utime: Number(block.gen_utime),
  prev_blocks: parents,
})

/** Requests pages until one is short. @throws RpcInconsistent when there are more than `maxItems` items, or one comes twice. */
const askPages = async <T>(
  page: (offset: number) => Promise<readonly T[]>,
  nameOf: (one: T) => string,
  maxItems: number,
  what: string,
): Promise<T[]> => {
  const found = new Map<string, T>()
  for (;;) {
    const some = await page(found.size)
    for (const one of some) {
      if (found.has(nameOf(one))) throw new RpcInconsistent('transaction_count', `${what}: ${nameOf(one)} came twice`)
      found.set(nameOf(one), one)
    }
    if (found.size > maxItems) throw new RpcInconsistent('transaction_count', `there are too many ${what}`)
    if (some.length < PAGE) return [...found.values()]
  }
}

/** The masterchain block among the blocks it made final. @throws RpcAbsent when the index does not have it. */
const masterIn = (all: readonly PrintedBlock[], seqno: number): PrintedBlock => {
  const found = all.find(({ workchain }) => workchain === MASTERCHAIN)
  if (!found) throw new RpcAbsent(`block ${seqno}`)
  if (found.seqno !== seqno || found.shard !== WHOLE_SHARD) {
    throw new RpcInconsistent('number', `asked for block ${seqno}, got ${nameOf(idOf(found))}`)
  }
  return found
}

/** Assigns printed transactions to their blocks. */
const placed = (
  headers: ReadonlyMap<string, BlockHeader>,
  printed: readonly PrintedTransaction[],
): Map<BlockHeader, PlacedTransaction[]> => {
  const found = new Map<BlockHeader, PlacedTransaction[]>([...headers.values()].map((header) => [header, []]))
  for (const one of printed) {
    const header = headers.get(placeOf(one.block_ref))
    const own = header && found.get(header)
    if (!own)
      throw new RpcInconsistent('transaction_block', `transaction ${one.hash} is of a block that was not made final`)
    own.push(placeTransaction(header, one, () => rebuildTransaction(one)))
  }
  return found
}

/** @param zeroState root hash of the zero state, which identifies the chain. */
export const createV3 = ({ zeroState }: { zeroState: string }): TonApi => {
  const globalId = GLOBAL_IDS[zeroState]
  /** By host and height. */
  const kept = new LRUCache<string, readonly PrintedBlock[]>({ max: KEPT })
  const nameAt = (node: Node, seqno: number) => `${node.host} ${seqno}`

  /** A masterchain block with all shard blocks it made final. */
  const askBlocks = async (node: Node, seqno: number): Promise<readonly PrintedBlock[]> => {
    const page = async (offset: number) => {
      const params = { mc_seqno: `${seqno}`, limit: `${PAGE}`, offset: `${offset}` }
      return (await ask(node, 'blocks', params, blocks)).blocks
    }
    const found = await askPages(page, placeOf, MAX_BLOCKS, `blocks of ${seqno}`)
    const other = found.find(({ global_id: id }) => id !== globalId)
    if (other) throw new RpcInconsistent('chain', `block ${nameOf(idOf(other))} is of chain ${other.global_id}`)
    masterIn(found, seqno)
    kept.set(nameAt(node, seqno), found)
    return found
  }
  const blocksAt = async (node: Node, seqno: number) => kept.get(nameAt(node, seqno)) ?? (await askBlocks(node, seqno))

  const masterId = async (node: Node, seqno: number): Promise<BlockId> => {
    // The zero state is not a block. It is known, because it identifies the chain.
    if (seqno > 0) return idOf(masterIn(await blocksAt(node, seqno), seqno))
    const none = '0'.repeat(64)
    return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0, root_hash: zeroState, file_hash: none }
  }

  const masterHeader = async (node: Node, seqno: number): Promise<BlockHeader> => {
    if (seqno === 0) {
      const first = await masterHeader(node, 1)
      return { ...first, id: await masterId(node, 0), start_lt: 0n, end_lt: 0n, prev_blocks: [] }
    }
    const own = masterIn(await askBlocks(node, seqno), seqno)
    const parent = await masterId(node, seqno - 1)
    const named = own.prev_blocks.map((place) => ({ ...parent, ...place }))
    const header = headerOf(own, named)
    verifyParents(header)
    return header
  }

  return {
    http: V3_HTTP,
    identity: async (node) => {
      const { last } = await ask(node, 'masterchainInfo', {}, masterchainInfo)
      return { is: `global id ${last.global_id}`, expected: `global id ${globalId ?? 'unknown'}` }
    },
    newest: async (node) => (await ask(node, 'masterchainInfo', {}, masterchainInfo)).last,
    masterHeader,
    tips: async (node, seqno) => {
      const found = await ask(node, 'masterchainBlockShardState', { seqno: `${seqno}` }, blocks)
      const tips = found.blocks.filter(({ workchain }) => workchain !== MASTERCHAIN).map(idOf)
      verifyTips(tips)
      return tips
    },
    headers: async (node, ids, { seqno, known }) => {
      const all = new Map((await blocksAt(node, seqno)).map((block) => [placeOf(block), block]))
      const before = new Map(known.map((id) => [placeOf(id), id]))
      /** An unknown parent gets a hash that is not its own, and is refused once it is requested. */
      const parentOf = (child: BlockId, place: Place): BlockId => {
        const own = all.get(placeOf(place))
        return before.get(placeOf(place)) ?? (own ? idOf(own) : { ...child, ...place })
      }
      return ids.map((id) => {
        const block = all.get(placeOf(id))
        if (!block || block.root_hash !== id.root_hash || block.file_hash !== id.file_hash) {
          throw new RpcInconsistent('block_id', `block ${nameOf(id)} is no block that ${seqno} made final`)
        }
        return headerOf(
          block,
          block.prev_blocks.map((place) => parentOf(id, place)),
        )
      })
    },
    transactions: async (node, headers, maxTransactions = MAX_TRANSACTIONS) => {
      const [master] = headers
      if (!master) return []
      const { seqno } = master.id
      const page = async (offset: number) => {
        const params = { seqno: `${seqno}`, limit: `${PAGE}`, offset: `${offset}`, sort: 'asc' }
        return (await ask(node, 'transactionsByMasterchainBlock', params, transactions)).transactions
      }
      const printed = await askPages(page, ({ hash }) => hash, maxTransactions, `transactions of ${seqno}`)
      const counts = new Map((await blocksAt(node, seqno)).map((block) => [placeOf(block), block.tx_count]))
      const found = placed(new Map(headers.map((header) => [placeOf(header.id), header])), printed)
      for (const [header, own] of found) {
        const count = counts.get(placeOf(header.id))
        if (count !== own.length) {
          throw new RpcInconsistent('transaction_count', `block ${nameOf(header.id)} has ${count}, ${own.length} came`)
        }
        verifyChains(header, own)
      }
      return inOrder([...found.values()].flat())
    },
    contracts: askContracts,
    forget: (node, seqno) => {
      kept.delete(nameAt(node, seqno))
    },
  }
}
