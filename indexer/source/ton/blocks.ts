/** What has to hold of blocks and their transactions, whichever version of the HTTP API they came from. */
import { RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Cell } from './cell/cell.ts'
import type { BlockHeader, BlockId, PlacedTransaction } from './raw.ts'
import { holds, keyOf, nameOf } from './shards.ts'
import { readTransaction } from './transaction.ts'

/** Number of the workchain whose blocks make those of all others final. */
export const MASTERCHAIN = -1
/** Name of the one shard of a workchain that is not split, as the masterchain never is. */
export const WHOLE_SHARD = '8000000000000000'
/** Transactions of one block of the masterchain. Positions have room for some more, and no chain made half as many. */
export const MAX_TRANSACTIONS = 90_000

/** @throws RpcInconsistent when a node answered another block than the one asked for. */
export const verifyId = (asked: BlockId, found: BlockId): void => {
  if (keyOf(asked) === keyOf(found) && asked.file_hash === found.file_hash) return
  throw new RpcInconsistent('block_id', `asked for ${nameOf(asked)}, got ${nameOf(found)} or another of that name`)
}

/**
 * A transaction as its cell has it, of the block it came with.
 * @param cellOf makes the cell. A RangeError of it means that there is none.
 * @throws RpcInconsistent when its hash is another, or it belongs to another block.
 */
export const placeTransaction = (
  { id, start_lt, end_lt, gen_utime }: BlockHeader,
  { lt, hash }: { lt: bigint; hash: string },
  cellOf: () => Cell,
): PlacedTransaction => {
  const refuse = (check: string, what: string) => new RpcInconsistent(check, `transaction ${hash} ${what}`)
  const transaction = readOrRefuse(cellOf, hash)
  if (transaction.hash !== hash) throw refuse('transaction_hash', `has bytes of another hash`)
  if (transaction.lt !== lt || lt <= start_lt || lt >= end_lt) throw refuse('transaction_lt', 'is of another time')
  if (transaction.time !== gen_utime) throw refuse('transaction_time', 'is of another block')
  if (!holds(id.shard, transaction.account)) throw refuse('transaction_shard', 'is of another shard')
  return { ...transaction, address: `${id.workchain}:${transaction.account}` }
}

const readOrRefuse = (cellOf: () => Cell, hash: string) => {
  try {
    return readTransaction(cellOf())
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new RpcInconsistent('transaction_hash', `transaction ${hash} has bytes that are none: ${error.message}`)
  }
}

/** Each transaction of an account names the one before it, so that none between two of a block can be left out. */
export const verifyChains = ({ id, start_lt }: BlockHeader, transactions: readonly PlacedTransaction[]): void => {
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

/** In order of logical time: a message comes before what it causes. */
export const inOrder = (transactions: PlacedTransaction[]): PlacedTransaction[] =>
  transactions.sort((a, b) => (a.lt === b.lt ? (a.address < b.address ? -1 : 1) : a.lt < b.lt ? -1 : 1))
