/** Checks of blocks and their transactions that apply to both API versions. */
import { RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Cell } from './cell/cell.ts'
import type { BlockHeader, BlockId, PlacedTransaction } from './raw.ts'
import { holds, keyOf, nameOf } from './shards.ts'
import { readTransaction } from './transaction.ts'

/** The masterchain's workchain number. Its blocks make those of all others final. */
export const MASTERCHAIN = -1
/** Id of the only shard of a workchain that is not split; the masterchain never is. */
export const WHOLE_SHARD = '8000000000000000'
/** Maximum number of transactions of a masterchain block. Positions have room for some more, and the record is less than half. */
export const MAX_TRANSACTIONS = 90_000

/** @throws RpcInconsistent when a node answered with another block than the requested one. */
export const verifyId = (asked: BlockId, found: BlockId): void => {
  if (keyOf(asked) === keyOf(found) && asked.file_hash === found.file_hash) return
  throw new RpcInconsistent('block_id', `asked for ${nameOf(asked)}, got ${nameOf(found)} or another of that name`)
}

/**
 * Parses a transaction from its cell, and checks that it belongs to the block.
 * @param cellOf creates the cell. Its RangeErrors mean that the cell is invalid.
 * @throws RpcInconsistent when the hash differs, or it belongs to another block.
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
    throw new RpcInconsistent('transaction_hash', `transaction ${hash} has invalid bytes: ${error.message}`)
  }
}

/** Checks each account's chain of transactions, in which each names the one before, so that none between two can be omitted. */
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

/** Sorts by logical time: a message comes before what it causes. */
export const inOrder = (transactions: PlacedTransaction[]): PlacedTransaction[] =>
  transactions.sort((a, b) => (a.lt === b.lt ? (a.address < b.address ? -1 : 1) : a.lt < b.lt ? -1 : 1))
