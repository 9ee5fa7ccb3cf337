/** Version 2 of toncenter's API: nodes behind `ton-http-api`, whose answers contain the bytes of transactions. */
import { RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { Node } from '../../../../platform/rpc/pool.ts'
import type { TonApi } from '../api.ts'
import {
  inOrder,
  MASTERCHAIN,
  MAX_TRANSACTIONS,
  placeTransaction,
  verifyChains,
  verifyId,
  WHOLE_SHARD,
} from '../blocks.ts'
import { readBag } from '../cell/boc.ts'
import type { BlockHeader, BlockId, PlacedTransaction } from '../raw.ts'
import { nameOf, verifyParents, verifyTips } from '../shards.ts'
import { askContracts } from './get-methods.ts'
import { blockHeader, masterchainInfo, shardTips, type TransactionPage, transactionPage } from './shapes.ts'
import { ask, askAll, type Question, V2_HTTP } from './wire.ts'

/** Transactions per page: the maximum of nodes. */
const PAGE = 256

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

const askInfo = (node: Node) => ask(node, { method: 'getMasterchainInfo', params: {} }, masterchainInfo)

const askMasterHeader = async (node: Node, seqno: number): Promise<BlockHeader> => {
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
 * The zero state as a block without transactions, so that heights begin with 0 as on other networks. It has no header: its time
 * is that of the first block, whose parent it has to be.
 */
const askZeroState = async (node: Node): Promise<BlockHeader> => {
  const { init } = await askInfo(node)
  const first = await askMasterHeader(node, 1)
  if (first.prev_blocks[0]?.root_hash !== init.root_hash) {
    throw new RpcInconsistent('parents', `block ${nameOf(first.id)} does not follow the zero state`)
  }
  const id = { ...init, shard: WHOLE_SHARD }
  return { ...first, id, start_lt: 0n, end_lt: 0n, prev_blocks: [] }
}

/** Headers of blocks, requested by hash. */
const askHeaders = async (node: Node, ids: readonly BlockId[]): Promise<BlockHeader[]> => {
  const questions = ids.map((id): Question => ({ method: 'getBlockHeader', params: exactly(id) }))
  const headers = await askAll(node, questions, blockHeader)
  headers.forEach((header, index) => {
    const asked = ids[index]
    if (asked) verifyId(asked, header.id)
  })
  return headers
}

/** The newest block of each shard that a masterchain block made final. */
const askTips = async (node: Node, seqno: number): Promise<BlockId[]> => {
  const { shards } = await ask(node, { method: 'shards', params: { seqno } }, shardTips)
  verifyTips(shards)
  return shards
}

const readOne = (
  header: BlockHeader,
  { data, transaction_id: id }: TransactionPage['transactions'][number],
): PlacedTransaction => placeTransaction(header, id, () => readBag(Buffer.from(data, 'base64')))

type After = { after_lt: string; after_hash: string }

const pageQuestion = (id: BlockId, after: After | undefined): Question => ({
  method: 'getBlockTransactionsExt',
  params: { ...exactly(id), count: PAGE, ...after },
})

/**
 * All transactions of a block. Only a short page that claims to be the last counts as the last: after a full one the next is
 * requested, and an empty one that claims more is refused. Nothing proves that a transaction happened, so a node can invent
 * any number; more than `maxTransactions` are refused.
 */
const readAll = async (
  node: Node,
  header: BlockHeader,
  first: TransactionPage,
  maxTransactions: number,
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
    if (found.size > maxTransactions) {
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

const askTransactions = async (
  node: Node,
  headers: readonly BlockHeader[],
  maxTransactions: number = MAX_TRANSACTIONS,
): Promise<PlacedTransaction[]> => {
  const questions = headers.map(({ id }) => pageQuestion(id, undefined))
  const pages = await askAll(node, questions, transactionPage)
  const all: PlacedTransaction[] = []
  for (const [index, header] of headers.entries()) {
    const own = await readAll(node, header, pages[index] as TransactionPage, maxTransactions - all.length)
    for (const one of own) all.push(one)
  }
  return inOrder(all)
}

/** @param zeroState root hash of the zero state, which identifies the chain. */
export const createV2 = ({ zeroState }: { zeroState: string }): TonApi => ({
  http: V2_HTTP,
  identity: async (node) => {
    const { init } = await askInfo(node)
    return { is: `zero state ${init.root_hash}`, expected: `zero state ${zeroState}` }
  },
  newest: async (node) => (await askInfo(node)).last,
  masterHeader: askMasterHeader,
  tips: askTips,
  headers: askHeaders,
  transactions: askTransactions,
  contracts: askContracts,
  forget: () => undefined,
})
