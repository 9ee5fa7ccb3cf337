/**
 * Tables of the chain: sources produce the rows, the bus carries them, ingest writes them. Columns have the names of the JSON
 * lines of `schema/block.ts`, whose row types derive from here.
 */
import type { Network } from '../../networks.ts'
import {
  type Column,
  flag,
  int16,
  int256,
  network,
  oneOf,
  text,
  time,
  uint8,
  uint32,
  uint64,
  uint256,
  word,
} from '../column.ts'
import { type ChainTable, POINT_READS } from './tiers.ts'

const DELTA = { codec: 'Delta, ZSTD(1)' }

const rowHead = {
  network: network as Column<Network>,
  block_number: uint32('Height of the block (masterchain sequence number on TON)', DELTA),
  block_time: time('Time of the block', DELTA),
} as const

const txHead = {
  ...rowHead,
  position: uint64(
    'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    DELTA,
  ),
  tx_hash: text('Hash of the transaction the row belongs to'),
} as const

const initiator = text('Sender of the transaction')

/** Deeds of calls of known programs, as in column `deeds`. */
export const CALL_DEEDS = [
  'swap',
  'liquidity',
  'supply',
  'withdraw',
  'borrow',
  'repay',
  'stake',
  'farm',
  'nft',
] as const
/** Deed of a call, as in column `deeds`. */
export type CallDeed = (typeof CALL_DEEDS)[number]

const CALL_DEED = `${CALL_DEEDS.slice(0, -1).join(', ')} or ${CALL_DEEDS.at(-1)}`

const define = <const Name extends string, C extends ChainTable['columns']>(
  table: ChainTable<C> & { name: Name },
): ChainTable<C> & { name: Name } => table

const transactions = define({
  name: 'transactions',
  comment: 'Transactions, sorted by sender and time',
  columns: {
    ...txHead,
    sender: text('Account that signed the transaction and paid its fee'),
    receiver: text('Called address; empty for a contract creation'),
    value: uint256('Native coin sent along, base units'),
    fee: uint256('Paid by the sender, base units of the native coin, L1 data fee included where the chain has one'),
    nonce: uint64('Sequence number of the sender'),
    type: uint32('Transaction type as the chain numbers it; unknown ones are kept'),
    status: uint8(
      '1 succeeded, 0 failed, 2 not stated by the node (pre-Byzantium receipts, missing Ethermint receipts)',
    ) as Column<0 | 1 | 2>,
    gas_used: uint64('Gas (energy, compute units) used'),
    selector: word('First four bytes of calldata as 0x-hex; empty when there are fewer'),
    input_size: uint32('Bytes of calldata'),
    message: text(
      'Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters',
    ),
    deeds: word(
      `What was done with the known program that was called, on SOLANA: ${CALL_DEED}, several of them joined by commas; empty for none, for programs that are not known and on other networks`,
    ),
  },
  orderBy: ['network', 'sender', 'block_time', 'position'],
  hotOrderBy: ['network', 'sender', 'position'],
  lookedUpBy: ['tx_hash', 'receiver'],
  settings: POINT_READS,
})

const ledger = define({
  name: 'ledger',
  comment: 'Value movements, each stored twice: once under each party. Everything a wallet ever moved is one range',
  columns: {
    ...txHead,
    address: text('Party the row is stored under'),
    counterparty: text('The other party'),
    direction: { type: 'Int8', comment: '1 = address received, -1 = address sent' } as Column<1 | -1>,
    kind: oneOf(
      ['native', 'internal', 'fungible', 'nft', 'multi', 'wrap'],
      'native, internal (call inside a transaction), fungible (ERC-20 and alike), nft, multi (ERC-1155) or wrap',
    ),
    asset: text('Token contract; empty for the native coin'),
    token_id: uint256('Token id of nft and multi movements, else 0'),
    amount: uint256('Amount in base units of the asset'),
    initiator: text(
      'Sender of the transaction. A movement whose address is not the initiator was made by someone else',
    ),
  },
  orderBy: ['network', 'address', 'block_time', 'position', 'direction'],
  hotOrderBy: ['network', 'address', 'position', 'direction', 'asset', 'token_id', 'counterparty', 'kind', 'amount'],
  lookedUpBy: ['tx_hash'],
  settings: POINT_READS,
})

const approvals = define({
  name: 'approvals',
  comment: 'Approvals given and revoked, sorted by owner and time',
  columns: {
    ...txHead,
    owner: text('Account that allows'),
    spender: text('Account that may spend'),
    asset: text('Token contract'),
    kind: oneOf(['fungible', 'nft', 'all', 'permit2'], 'fungible, nft (one token), all (ApprovalForAll) or permit2'),
    amount: uint256('Allowance; token id for nft; 1 or 0 for all'),
    initiator,
  },
  orderBy: ['network', 'owner', 'block_time', 'position'],
  hotOrderBy: ['network', 'owner', 'position', 'spender', 'asset', 'kind', 'amount'],
  lookedUpBy: ['spender', 'tx_hash'],
  settings: POINT_READS,
})

const creations = define({
  name: 'creations',
  comment: 'Contracts created and destroyed',
  columns: {
    ...txHead,
    contract: text('The contract'),
    event: oneOf(['create', 'destroy'], 'create or destroy'),
    creator: text('from of the CREATE frame (may be a factory); for destroy, the beneficiary'),
    root_creator: text('Externally owned account the creation goes back to: sender of the transaction'),
    code_hash: text(
      'keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible',
    ),
    code_size: uint32('Bytes of runtime code'),
  },
  orderBy: ['network', 'contract', 'position'],
  hotOrderBy: ['network', 'contract', 'position', 'event'],
  lookedUpBy: ['root_creator', 'creator', 'code_hash', 'tx_hash'],
  settings: POINT_READS,
})

const POOL_KINDS = [
  'v2',
  'v3',
  'v4',
  'solidly',
  'infinity-cl',
  'infinity-bin',
  'curve',
  'balancer-v2',
  'balancer-v3',
] as const

/** Pool designs, as text. */
export const POOL_KIND = `${POOL_KINDS.slice(0, -1).join(', ')} or ${POOL_KINDS.at(-1)}`

const pools = define({
  name: 'pools',
  comment: 'Liquidity pools created',
  columns: {
    ...txHead,
    pool: text(
      'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2',
    ),
    factory: text('Contract that announced the pool'),
    kind: oneOf(POOL_KINDS, POOL_KIND),
    token0: text('First token; empty for the native coin'),
    token1: text('Second token'),
    fee: uint32('Swap fee in hundredths of a basis point; 0 where the pool does not state it'),
    hooks: text('Hook contract of V4 pools; empty for none'),
  },
  orderBy: ['network', 'pool', 'position'],
  hotOrderBy: ['network', 'pool', 'position'],
  lookedUpBy: ['token0', 'token1', 'tx_hash'],
})

const liquidity = define({
  name: 'liquidity',
  comment: 'Liquidity added to and removed from pools, sorted by pool and time',
  columns: {
    ...txHead,
    pool: text('Pool contract or id'),
    event: oneOf(['add', 'remove'], 'add or remove'),
    provider: initiator,
    owner: text('Holder of the position as the event names it'),
    amount0: int256('Amount of the first token, base units'),
    amount1: int256('Amount of the second token, base units'),
    liquidity: int256('Signed liquidity delta where the design has one (V3, V4), else 0'),
  },
  orderBy: ['network', 'pool', 'block_time', 'position'],
  hotOrderBy: ['network', 'pool', 'position', 'event', 'owner'],
  lookedUpBy: ['provider', 'tx_hash'],
})

const swaps = define({
  name: 'swaps',
  comment: 'Swaps, sorted by pool and time',
  columns: {
    ...txHead,
    pool: text(
      'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
    ),
    initiator,
    sender: text('Caller of the pool as the event names it'),
    recipient: text('Receiver as the event names it'),
    amount0: int256("Signed, from the pool's view: positive came in"),
    amount1: int256("Signed, from the pool's view: positive came in"),
    factory: word(
      'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools',
    ),
    token0: text('First token, where factory is stated; empty for the native coin'),
    token1: text('Second token, where factory is stated'),
  },
  orderBy: ['network', 'pool', 'block_time', 'position'],
  hotOrderBy: ['network', 'pool', 'position'],
  lookedUpBy: ['initiator', 'tx_hash'],
})

const AUTHORITY_EVENTS = [
  'sanction_add',
  'sanction_remove',
  'freeze',
  'unfreeze',
  'seize',
  'mixer_deposit',
  'mixer_withdraw',
  'owner_change',
  'upgrade',
  'admin_change',
  'role_grant',
  'role_revoke',
  'pause',
  'unpause',
  // Money to and from another network: subject is the receiver, `detail` the key of the crossing, the same on both.
  'bridge_out',
  'bridge_in',
] as const

const authority = define({
  name: 'authority',
  comment:
    'Events of authorities: sanction lists, issuer freezes, mixer deposits and withdrawals, ownership, upgrades, roles, pauses',
  columns: {
    ...txHead,
    authority: text('Contract that emitted the event: oracle, issuer, mixer pool, owned contract'),
    event: oneOf(AUTHORITY_EVENTS, `${AUTHORITY_EVENTS.slice(0, -1).join(', ')} or ${AUTHORITY_EVENTS.at(-1)}`),
    subject: text(
      'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge',
    ),
    actor: initiator,
    amount: uint256('Amount the event names, base units, else 0'),
    detail: text(
      'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks',
    ),
  },
  orderBy: ['network', 'subject', 'block_time', 'position'],
  hotOrderBy: ['network', 'subject', 'position', 'authority', 'event', 'actor', 'detail'],
  lookedUpBy: ['authority', 'actor', 'tx_hash'],
})

const tokens = define({
  name: 'tokens',
  comment: 'Tokens first seen',
  columns: {
    ...txHead,
    token: text('Token contract'),
    standard: oneOf(['erc20', 'erc721', 'erc1155'], 'erc20, erc721 or erc1155'),
    name: text('Name as the contract states it'),
    symbol: text('Symbol as the contract states it'),
    decimals: int16('Decimal places; -1 when the token does not state them'),
  },
  orderBy: ['network', 'token', 'position'],
  hotOrderBy: ['network', 'token', 'position'],
  lookedUpBy: ['symbol', 'tx_hash'],
})

const delegations = define({
  name: 'delegations',
  comment: 'EIP-7702 authorizations',
  columns: {
    ...txHead,
    authority: text('Account that delegates its code'),
    delegate: text('Contract whose code runs; the zero address revokes'),
    initiator,
  },
  orderBy: ['network', 'authority', 'block_time', 'position'],
  hotOrderBy: ['network', 'authority', 'position', 'delegate'],
  lookedUpBy: ['delegate', 'tx_hash'],
})

const blocks = define({
  name: 'blocks',
  comment: 'Blocks. A block that shows here has all its rows in the other tables',
  columns: {
    ...rowHead,
    block_hash: text('Hash of the block'),
    parent_hash: text('Hash of the block before it'),
    transaction_count: uint32('Transactions the block holds', DELTA),
    sees_traces: flag(
      '1 when internal calls were visible to the source; 0 means internal transfers and factory creations are unknown, not absent',
    ),
  },
  orderBy: ['network', 'block_number'],
  hotOrderBy: ['network', 'block_number', 'block_hash'],
  lookedUpBy: ['block_hash'],
})

/** Chain tables with a past tier: authority logs, and fetched activity of wallets. */
export const PAST_TABLES = [
  transactions,
  ledger,
  approvals,
  creations,
  pools,
  liquidity,
  swaps,
  authority,
  delegations,
] as const

/** Tables of the past tier with the pasts of wallets. Authority logs count without a request. */
export const WALLET_PAST_TABLES = PAST_TABLES.filter(({ name }) => name !== 'authority')

/** Chain tables in the order they are written. `blocks` is last: a block in it is complete. */
export const CHAIN_TABLES = [
  transactions,
  ledger,
  approvals,
  creations,
  pools,
  liquidity,
  swaps,
  authority,
  tokens,
  delegations,
  blocks,
] as const
