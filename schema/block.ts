/**
 * The chain-neutral block: produced by every source, sent over the bus, stored in the tables.
 *
 * Rows have exactly the names and formats of the ClickHouse columns, because the indexer encodes them once as JSON lines and
 * the scorer inserts those bytes unchanged. Both derive from `schema/tables/chain/chain.ts`. Amounts are exact integers in
 * decimal text, never floating point. Times are Unix seconds. Addresses are canonical text (`schema/address`). In address
 * columns the empty string means "none": the receiver of a creation, the asset of a native movement.
 */
import type { Network } from './networks.ts'
import { CHAIN_TABLES } from './tables/chain/chain.ts'
import type { RowOf } from './tables/column.ts'

type ChainTable = (typeof CHAIN_TABLES)[number]

/** Row type of each chain table. `schema/tables/chain/chain.ts` defines the meaning of the columns. */
export type Rows = { [Table in ChainTable as Table['name']]: RowOf<Table['columns']> }

/** Names of the chain tables. */
export type TableName = keyof Rows

/** One side of one value movement; each movement is stored twice, once under each party. */
export type LedgerRow = Rows['ledger']
/** An allowance or operator right that an owner gave or revoked. */
export type ApprovalRow = Rows['approvals']
/** A contract created in a block. */
export type CreationRow = Rows['creations']
/** A pool announced by an exchange. */
export type PoolRow = Rows['pools']
/** Liquidity added to or removed from a pool. */
export type LiquidityRow = Rows['liquidity']
/** A listing or freeze by a sanctions oracle or a token issuer. */
export type AuthorityRow = Rows['authority']

/** Common columns of a transaction's rows. `position` orders all rows of a network: see `positionOf`. */
export type TxRowHead = Pick<Rows['transactions'], 'network' | 'block_number' | 'block_time' | 'position' | 'tx_hash'>

/** Chain tables in the order they are written. `blocks` is last: a block in it is complete. */
export const TABLES: readonly TableName[] = CHAIN_TABLES.map(({ name }) => name)

/** Identity and position of a block. */
export type BlockRef = { number: number; hash: string; parentHash: string; time: number }

/** One block of a network with its rows by chain table. Tables without rows have an empty list. */
export type Block = BlockRef & {
  network: Network
  rows: { [T in TableName]: Rows[T][] }
}

/** Empty lists for a block's rows, one per chain table. */
export const emptyRows = (): Block['rows'] =>
  // One list per table name, as the type requires.
  Object.fromEntries(TABLES.map((table) => [table, []])) as unknown as Block['rows']

const TX_BITS = 15n
const EVENT_BITS = 19n
const MAX_BLOCK = 2 ** 30
const MAX_TX = 2 ** 15
const MAX_EVENT = 2 ** 19

/** Event index of log 0 of a transaction. Lower indexes belong to the transaction itself (0) and to trace frames (1...). */
export const LOG_EVENT_BASE = 2 ** 18

/**
 * Sortable position of a row within its network: 30 bits of block, 15 of transaction index, 19 of event index (0 = the
 * transaction, 1.. = trace frames in call order, LOG_EVENT_BASE.. = logs), as decimal text of a UInt64.
 * @throws RangeError when a part does not fit; no known chain comes close.
 */
export const positionOf = (block: number, txIndex: number, event: number): string => {
  if (block < 0 || block >= MAX_BLOCK || txIndex < 0 || txIndex >= MAX_TX || event < 0 || event >= MAX_EVENT) {
    throw new RangeError(`position out of range: block ${block}, transaction ${txIndex}, event ${event}`)
  }
  return ((BigInt(block) << (TX_BITS + EVENT_BITS)) | (BigInt(txIndex) << EVENT_BITS) | BigInt(event)).toString()
}

/** The distinct addresses that blocks changed something for, which have to be scored again. */
export const touchedAddresses = (blocks: readonly Block[]): string[] => {
  const touched = new Set<string>()
  for (const { rows } of blocks) {
    for (const { sender, receiver } of rows.transactions) touched.add(sender).add(receiver)
    for (const { address } of rows.ledger) touched.add(address)
    for (const { owner, spender } of rows.approvals) touched.add(owner).add(spender)
    for (const { contract, root_creator } of rows.creations) touched.add(contract).add(root_creator)
    for (const { provider } of rows.liquidity) touched.add(provider)
    for (const { subject, actor, event } of rows.authority) {
      touched.add(actor)
      // The receiver of an outgoing crossing need not be on this network.
      if (event !== 'bridge_out') touched.add(subject)
    }
    for (const { authority, delegate } of rows.delegations) touched.add(authority).add(delegate)
  }
  touched.delete('')
  return [...touched]
}
