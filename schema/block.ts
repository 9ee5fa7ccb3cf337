/**
 * The chain-neutral block: what every source produces, what travels on the bus, what the tables store.
 *
 * Rows are spelled exactly as the ClickHouse columns they become, because the indexer encodes them once as JSON lines and the
 * scorer inserts those bytes as they are. Both derive from `schema/tables/chain/chain.ts`.
 * Amounts are exact integers in decimal text, never floating point. Times are unix seconds. Addresses are canonical
 * text of their family (`schema/address`). The empty string stands for "none" in address columns: the receiver of a
 * creation, the asset of a native movement.
 */
import type { Network } from './networks.ts'
import { CHAIN_TABLES } from './tables/chain/chain.ts'
import type { RowOf } from './tables/column.ts'

type ChainTable = (typeof CHAIN_TABLES)[number]

/** Row type of each chain table. What a column means is written at its definition in `schema/tables/chain/chain.ts`. */
export type Rows = { [Table in ChainTable as Table['name']]: RowOf<Table['columns']> }

/** Chain tables that blocks bring rows for, as the JSON lines name them. */
export type TableName = keyof Rows

/** One side of one value movement; each movement is stored twice, once under each party. */
export type LedgerRow = Rows['ledger']
/** An allowance or operator right that an owner gave or took back. */
export type ApprovalRow = Rows['approvals']
/** A contract created in a block. */
export type CreationRow = Rows['creations']
/** A pool that an exchange announced. */
export type PoolRow = Rows['pools']
/** Liquidity added to or taken from a pool. */
export type LiquidityRow = Rows['liquidity']
/** A listing or freezing by a sanctions oracle or a token issuer. */
export type AuthorityRow = Rows['authority']

/** Columns of rows that belong to a transaction. `position` sorts rows of one network totally: see `positionOf`. */
export type TxRowHead = Pick<Rows['transactions'], 'network' | 'block_number' | 'block_time' | 'position' | 'tx_hash'>

/** Chain tables in the order they are written. `blocks` is last: a block that shows there is complete. */
export const TABLES: readonly TableName[] = CHAIN_TABLES.map(({ name }) => name)

/** Identity of a block and its place in the chain. */
export type BlockRef = { number: number; hash: string; parentHash: string; time: number }

/** One block of a network and its rows of each chain table. Tables without rows have an empty list. */
export type Block = BlockRef & {
  network: Network
  rows: { [T in TableName]: Rows[T][] }
}

/** Fresh lists for a block's rows, one for each chain table; sources fill them. */
export const emptyRows = (): Block['rows'] =>
  // One list for each of the names: what the type asks for.
  Object.fromEntries(TABLES.map((table) => [table, []])) as unknown as Block['rows']

const TX_BITS = 15n
const EVENT_BITS = 19n
const MAX_BLOCK = 2 ** 30
const MAX_TX = 2 ** 15
const MAX_EVENT = 2 ** 19

/** Event index of log `i` of a transaction; indices below it belong to the transaction itself (0) and to trace frames (1...). */
export const LOG_EVENT_BASE = 2 ** 18

/**
 * Sortable position of a row within its network: 30 bits of block, 15 of transaction index, 19 of event index
 * (0 = the transaction, 1.. = trace frames in call order, LOG_EVENT_BASE.. = logs), as decimal text of a UInt64.
 * @throws RangeError when a part does not fit; no known chain comes near.
 */
export const positionOf = (block: number, txIndex: number, event: number): string => {
  if (block < 0 || block >= MAX_BLOCK || txIndex < 0 || txIndex >= MAX_TX || event < 0 || event >= MAX_EVENT) {
    throw new RangeError(`position out of range: block ${block}, transaction ${txIndex}, event ${event}`)
  }
  return ((BigInt(block) << (TX_BITS + EVENT_BITS)) | (BigInt(txIndex) << EVENT_BITS) | BigInt(event)).toString()
}

/** Every address that blocks changed something for, each once: what has to be scored again. */
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
      // Who receives what leaves the network need not be on it.
      if (event !== 'bridge_out') touched.add(subject)
    }
    for (const { authority, delegate } of rows.delegations) touched.add(authority).add(delegate)
  }
  touched.delete('')
  return [...touched]
}
