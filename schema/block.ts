/**
 * The chain-neutral block: what every source produces, what travels on the bus, what the tables store.
 *
 * Rows are spelled exactly as the ClickHouse columns they become (`schema/clickhouse`), because the indexer encodes
 * them once as JSON lines and the scorer inserts those bytes as they are. `test/contract` holds rows and columns equal.
 * Amounts are exact integers in decimal text, never floating point. Times are unix seconds. Addresses are canonical
 * text of their family (`schema/address`). The empty string stands for "none" in address columns: the receiver of a
 * creation, the asset of a native movement.
 */
import type { Network } from './networks.ts'

/** Columns every row has. */
export type RowHead = {
  network: Network
  block_number: number
  /** Unix seconds. */
  block_time: number
}

/** Columns of rows that belong to a transaction. `position` sorts rows of one network totally: see `positionOf`. */
export type TxRowHead = RowHead & { position: string; tx_hash: string }

export type BlockRow = RowHead & {
  block_hash: string
  parent_hash: string
  transaction_count: number
  /** 1 when internal calls were visible to the source, 0 when not (internal transfers and factory creations are then unknown, not absent). */
  sees_traces: 0 | 1
}

export type TransactionRow = TxRowHead & {
  sender: string
  /** Empty for a contract creation. */
  receiver: string
  value: string
  /** Paid by the sender, base units of the native coin, L1 data fee included where the chain has one. */
  fee: string
  nonce: string
  /** Transaction type as the chain numbers it; unknown ones are kept. */
  type: number
  /** 1 succeeded, 0 failed, 2 not stated by the node (pre-Byzantium receipts, missing Ethermint receipts). */
  status: 0 | 1 | 2
  gas_used: string
  /** First four bytes of calldata as 0x-hex; empty when there are fewer. */
  selector: string
  input_size: number
  /** Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty. At most 1,000 characters. */
  message: string
}

/** One side of one value movement; each movement is stored twice, once under each party. */
export type LedgerRow = TxRowHead & {
  address: string
  counterparty: string
  /** 1 = `address` received, -1 = `address` sent. */
  direction: 1 | -1
  kind: 'native' | 'internal' | 'fungible' | 'nft' | 'multi' | 'wrap'
  /** Token contract; empty for the native coin. */
  asset: string
  token_id: string
  amount: string
  /** Sender of the transaction: tells a movement someone made from one that merely happened to them. */
  initiator: string
}

export type ApprovalRow = TxRowHead & {
  owner: string
  spender: string
  asset: string
  kind: 'fungible' | 'nft' | 'all' | 'permit2'
  /** Allowance; token id for `nft`; 1 or 0 for `all`. */
  amount: string
  initiator: string
}

export type CreationRow = TxRowHead & {
  contract: string
  event: 'create' | 'destroy'
  /** `from` of the CREATE frame (may be a factory); for `destroy`, the beneficiary. */
  creator: string
  /** The externally owned account the creation goes back to (the transaction's sender). */
  root_creator: string
  /** keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible. */
  code_hash: string
  code_size: number
}

export type PoolRow = TxRowHead & {
  /** Pool contract, or the 32-byte pool id of singleton designs (V4). */
  pool: string
  factory: string
  kind: 'v2' | 'v3' | 'v4' | 'solidly'
  token0: string
  token1: string
  /** Hundredths of a basis point, 0 where the pool does not say. */
  fee: number
  hooks: string
}

export type LiquidityRow = TxRowHead & {
  pool: string
  event: 'add' | 'remove'
  /** Sender of the transaction. */
  provider: string
  /** Holder of the position as the event names it. */
  owner: string
  amount0: string
  amount1: string
  /** Signed liquidity delta where the design has one (V3, V4), else 0. */
  liquidity: string
}

export type SwapRow = TxRowHead & {
  pool: string
  initiator: string
  sender: string
  recipient: string
  /** Signed, from the pool's view: positive came in. */
  amount0: string
  amount1: string
}

export type AuthorityRow = TxRowHead & {
  /** Contract that speaks: oracle, issuer, mixer pool, owned contract. */
  authority: string
  event:
    | 'sanction_add'
    | 'sanction_remove'
    | 'freeze'
    | 'unfreeze'
    | 'seize'
    | 'mixer_deposit'
    | 'mixer_withdraw'
    | 'owner_change'
    | 'upgrade'
    | 'admin_change'
    | 'role_grant'
    | 'role_revoke'
    | 'pause'
    | 'unpause'
  /** Whom or what the event is about: the listed address, the depositor, the beneficiary, the new owner, the new implementation. */
  subject: string
  /** Sender of the transaction. */
  actor: string
  amount: string
  /** Event-specific text: role hash, previous owner, relayer. */
  detail: string
}

export type TokenRow = TxRowHead & {
  token: string
  standard: 'erc20' | 'erc721' | 'erc1155'
  name: string
  symbol: string
  /** -1 when the token does not say. */
  decimals: number
}

/** EIP-7702 authorization carried by a type-4 transaction. */
export type DelegationRow = TxRowHead & {
  authority: string
  delegate: string
  initiator: string
}

/** Row type of each data table. */
export type Rows = {
  blocks: BlockRow
  transactions: TransactionRow
  ledger: LedgerRow
  approvals: ApprovalRow
  creations: CreationRow
  pools: PoolRow
  liquidity: LiquidityRow
  swaps: SwapRow
  authority: AuthorityRow
  tokens: TokenRow
  delegations: DelegationRow
}

export type TableName = keyof Rows

/** Data tables in the order they are written. `blocks` is last: a block that shows there is complete. */
export const TABLES = [
  'transactions',
  'ledger',
  'approvals',
  'creations',
  'pools',
  'liquidity',
  'swaps',
  'authority',
  'tokens',
  'delegations',
  'blocks',
] as const satisfies readonly TableName[]

/** Identity of a block and its place in the chain. */
export type BlockRef = { number: number; hash: string; parentHash: string; time: number }

export type Block = BlockRef & {
  network: Network
  rows: { [T in TableName]: Rows[T][] }
}

export const emptyRows = (): Block['rows'] => ({
  blocks: [],
  transactions: [],
  ledger: [],
  approvals: [],
  creations: [],
  pools: [],
  liquidity: [],
  swaps: [],
  authority: [],
  tokens: [],
  delegations: [],
})

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

/** Every address a block changed something for, each once: what has to be scored again. */
export const touchedAddresses = (block: Block): string[] => {
  const touched = new Set<string>()
  const add = (...addresses: string[]) => {
    for (const address of addresses) if (address !== '') touched.add(address)
  }
  for (const row of block.rows.transactions) add(row.sender, row.receiver)
  for (const row of block.rows.ledger) add(row.address)
  for (const row of block.rows.approvals) add(row.owner, row.spender)
  for (const row of block.rows.creations) add(row.contract, row.root_creator)
  for (const row of block.rows.liquidity) add(row.provider)
  for (const row of block.rows.authority) add(row.subject, row.actor)
  for (const row of block.rows.delegations) add(row.authority, row.delegate)
  return [...touched]
}
