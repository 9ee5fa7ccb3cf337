/** One block of the masterchain from one node, with all blocks of shards it made final and all their transactions. */
import { RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import { readBag } from './cell/boc.ts'
import {
  type BlockHeader,
  type BlockId,
  blockHeader,
  masterchainInfo,
  type PlacedTransaction,
  shardTips,
  type TransactionPage,
  transactionPage,
} from './raw.ts'
import { holds, keyOf, nameOf, verifyParents, verifyTips } from './shards.ts'
import { readTransaction } from './transaction.ts'
import { ask, askAll, type Question } from './wire.ts'

export const MASTERCHAIN = -1
const WHOLE_SHARD = '8000000000000000'
/** Transactions asked for at once: the most that nodes answer. */
const PAGE = 256
/** Transactions of one block of the masterchain. Positions have room for some more, and no chain made half as many. */
const MAX_TRANSACTIONS = 90_000

const inBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
const inDecimals = (shard: string): string => BigInt.asIntN(64, BigInt(`0x${shard}`)).toString()

const place = ({ workchain, shard, seqno }: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>) => ({
  workchain,
  shard: inDecimals(shard),
  seqno,
})
const exactly = (id: BlockId) => ({
  ...place(id),
  root_hash: inBase64(id.root_hash),
  file_hash: inBase64(id.file_hash),
})

const verifyId = (asked: BlockId, found: BlockId): void => {
  if (keyOf(asked) === keyOf(found) && asked.file_hash === found.file_hash) return
  throw new RpcInconsistent('block_id', `asked for ${nameOf(asked)}, got ${nameOf(found)} or another of that name`)
}

/** Header of the masterchain's block of a height. @throws RpcAbsent when the node does not have it. */
export const askMasterHeader = async (node: Node, seqno: number): Promise<BlockHeader> => {
  if (seqno === 0) return askZeroState(node)
  const at = place({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno })
  const header = await ask(node, { method: 'getBlockHeader', params: at }, blockHeader)
  if (header.id.seqno !== seqno || header.id.workchain !== MASTERCHAIN || header.id.shard !== WHOLE_SHARD) {
    throw new RpcInconsistent('number', `asked for block ${seqno}, got ${nameOf(header.id)}`)
  }
  verifyParents(header)
  return header
}

/**
 * The state that the chain began with, as a block without transactions, so that heights begin with 0 as elsewhere. It has no header:
 * its time is that of the first block, whose parent it has to be.
 */
const askZeroState = async (node: Node): Promise<BlockHeader> => {
  const { init } = await ask(node, { method: 'getMasterchainInfo', params: {} }, masterchainInfo)
  const first = await askMasterHeader(node, 1)
  if (first.prev_blocks[0]?.root_hash !== init.root_hash) {
    throw new RpcInconsistent('parents', `block ${nameOf(first.id)} does not follow the zero state`)
  }
  const id = { ...init, shard: WHOLE_SHARD }
  return { ...first, id, start_lt: 0n, end_lt: 0n, prev_blocks: [] }
}

/** Headers of blocks that are known by their hashes. */
export const askHeaders = async (node: Node, ids: readonly BlockId[]): Promise<BlockHeader[]> => {
  const questions = ids.map((id): Question => ({ method: 'getBlockHeader', params: exactly(id) }))
  const headers = await askAll(node, questions, blockHeader)
  headers.forEach((header, index) => {
    const asked = ids[index]
    if (asked) verifyId(asked, header.id)
  })
  return headers
}

/** The newest block of each shard that a block of the masterchain made final. */
export const askTips = async (node: Node, seqno: number): Promise<BlockId[]> => {
  const { shards } = await ask(node, { method: 'shards', params: { seqno } }, shardTips)
  verifyTips(shards)
  return shards
}

const readOne = (
  { id, start_lt, end_lt, gen_utime }: BlockHeader,
  { data, transaction_id: { lt, hash } }: TransactionPage['transactions'][number],
): PlacedTransaction => {
  const refuse = (check: string, what: string) => new RpcInconsistent(check, `transaction ${hash} ${what}`)
  const transaction = readOrRefuse(data, hash)
  if (transaction.hash !== hash) throw refuse('transaction_hash', `has bytes of another hash`)
  if (transaction.lt !== lt || lt <= start_lt || lt >= end_lt) throw refuse('transaction_lt', 'is of another time')
  if (transaction.time !== gen_utime) throw refuse('transaction_time', 'is of another block')
  if (!holds(id.shard, transaction.account)) throw refuse('transaction_shard', 'is of another shard')
  return { ...transaction, address: `${id.workchain}:${transaction.account}` }
}

const readOrRefuse = (data: string, hash: string) => {
  try {
    return readTransaction(readBag(Buffer.from(data, 'base64')))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new RpcInconsistent('transaction_hash', `transaction ${hash} has bytes that are none: ${error.message}`)
  }
}

/** Each transaction of an account names the one before it, so that none between two of a block can be left out. */
const verifyChains = ({ id, start_lt }: BlockHeader, transactions: readonly PlacedTransaction[]): void => {
  const newest = new Map<string, PlacedTransaction>()
  for (const one of transactions.toSorted((a, b) => (a.lt < b.lt ? -1 : 1))) {
    const before = newest.get(one.account)
    const fits = before
      ? one.previous.lt === before.lt && one.previous.hash === before.hash
      : one.previous.lt < start_lt
    if (!fits) {
      throw new RpcInconsistent('transaction_chain', `block ${nameOf(id)} lacks a transaction of ${one.address}`)
    }
    newest.set(one.account, one)
  }
}

type After = { after_lt: string; after_hash: string }

const pageQuestion = (id: BlockId, after: After | undefined): Question => ({
  method: 'getBlockTransactionsExt',
  params: { ...exactly(id), count: PAGE, ...after },
})

/**
 * All transactions of a block. A page counts as the last when it is short and says so: a node that calls a full page the last is asked
 * on, and one that has no more and says that it has is refused. Nothing proves that a transaction happened, so a node can make up as
 * many as it likes: more than `most` are refused.
 */
const readAll = async (
  node: Node,
  header: BlockHeader,
  first: TransactionPage,
  most: number,
): Promise<PlacedTransaction[]> => {
  const found = new Map<string, PlacedTransaction>()
  let page = first
  for (;;) {
    verifyId(header.id, page.id)
    const count = page.transactions.length
    if (count > PAGE || (count === 0 && page.incomplete)) {
      throw new RpcInconsistent('transaction_count', `block ${nameOf(header.id)} came in a page of ${count}`)
    }
    let last: PlacedTransaction | undefined
    for (const printed of page.transactions) {
      last = readOne(header, printed)
      if (found.has(last.hash)) throw new RpcInconsistent('transaction_count', `transaction ${last.hash} came twice`)
      found.set(last.hash, last)
    }
    if (found.size > most) {
      throw new RpcInconsistent('transaction_count', `block ${nameOf(header.id)} and those beside it have too many`)
    }
    if (!last || (count < PAGE && !page.incomplete)) break
    const after = { after_lt: last.lt.toString(), after_hash: inBase64(last.account) }
    page = await ask(node, pageQuestion(header.id, after), transactionPage)
  }
  const transactions = [...found.values()]
  verifyChains(header, transactions)
  return transactions
}

/**
 * Transactions of blocks, in order of logical time.
 * @throws RpcInconsistent when there are more than `most`.
 */
export const askTransactions = async (
  node: Node,
  headers: readonly BlockHeader[],
  most: number = MAX_TRANSACTIONS,
): Promise<PlacedTransaction[]> => {
  const questions = headers.map(({ id }) => pageQuestion(id, undefined))
  const pages = await askAll(node, questions, transactionPage)
  const all: PlacedTransaction[] = []
  for (const [index, header] of headers.entries()) {
    const own = await readAll(node, header, pages[index] as TransactionPage, most - all.length)
    for (const one of own) all.push(one)
  }
  return all.sort((a, b) => (a.lt === b.lt ? (a.address < b.address ? -1 : 1) : a.lt < b.lt ? -1 : 1))
}
