/** Movements with their value, and with the column names of Dune, Goldsky and BigQuery. */
import { type Columns, column, text, time, uint32, uint64, uint256, word } from '../column.ts'
import type { View } from '../ddl.ts'

const usd = {
  price_usd: column<number | null>(
    'Nullable(Float64)',
    'US dollars of one whole coin in that hour (prices); NULL where nobody traded it then',
  ),
  amount_usd: column<number | null>(
    'Nullable(Float64)',
    'Amount in US dollars at the price of that hour; NULL where there is no price or the decimals are unknown',
  ),
}

const transfersUsd: View = {
  kind: 'view',
  name: 'transfers_usd',
  comment:
    'Transfers with their value in US dollars, one row each. Put network and a range of block_hour into WHERE: prices of all other hours are then not computed. Without dollars, transfers is faster',
  columns: {
    network: column('String', 'Network code, as in table networks'),
    block_number: uint32('Height of the block'),
    block_time: time('Time of the block'),
    block_hour: time('Beginning of the hour of the block'),
    position: uint64('Sortable position in the network'),
    tx_hash: text('Hash of the transaction'),
    from_address: text('Account it moved from'),
    to_address: text('Account it moved to'),
    kind: word('native, internal (call inside a transaction), fungible, nft, multi or wrap'),
    asset: text('Token contract; empty for the native coin'),
    symbol: text('Symbol of the coin or token as stated; empty when unknown'),
    amount: column<string | null>('Nullable(Decimal(76, 18))', 'Amount in whole coins or tokens, as in transfers'),
    amount_raw: uint256('Exact amount in base units'),
    ...usd,
    token_id: uint256('Token id of nft and multi movements, else 0'),
    initiator: text('Sender of the transaction'),
  },
  select: `SELECT t.network AS network, t.block_number AS block_number, t.block_time AS block_time, t.block_hour AS block_hour,
  t.position AS position, t.tx_hash AS tx_hash, t.from_address AS from_address, t.to_address AS to_address, t.kind AS kind,
  t.asset AS asset, t.symbol AS symbol, t.amount AS amount, t.amount_raw AS amount_raw,
  if(p.network = '', NULL, p.price_usd) AS price_usd,
  toFloat64(t.amount) * if(p.network = '', NULL, p.price_usd) AS amount_usd,
  t.token_id AS token_id, t.initiator AS initiator
FROM (SELECT * REPLACE (toString(network) AS network), toStartOfHour(block_time) AS block_hour FROM transfers) AS t
LEFT JOIN prices AS p ON p.network = t.network AND p.asset = t.asset AND p.hour = t.block_hour`,
}

/** First columns of views with Dune's names. */
export const duneHead = {
  blockchain: column('String', 'Network code, as in table networks'),
  block_time: time('Time of the block'),
  block_hour: time('Beginning of the hour of the block'),
  block_number: uint32('Height of the block'),
  tx_hash: text('Hash of the transaction'),
  tx_from: text('Sender of the transaction'),
  position: uint64('Sortable position in the network'),
} satisfies Columns

const parties = {
  from_address: text('Account it moved from'),
  to_address: text('Account it moved to'),
} satisfies Columns

const amounts = {
  amount_raw: uint256('Exact amount in base units'),
  amount: column<string | null>('Nullable(Decimal(76, 18))', 'Amount in whole coins or tokens; NULL when unknown'),
  ...usd,
}

const SELECT_HEAD =
  'network AS blockchain, block_time, block_hour, block_number, tx_hash, initiator AS tx_from, position, from_address, to_address'

const tokenTransfers: View = {
  kind: 'view',
  name: 'token_transfers',
  comment:
    'Transfers of tokens, with the column names of Dune and Goldsky. A thin view of transfers_usd: put blockchain and a range of block_hour into WHERE',
  columns: {
    ...duneHead,
    ...parties,
    token_standard: word('erc20, erc721 or erc1155'),
    contract_address: text('Token contract'),
    symbol: text('Symbol of the token as stated; empty when unknown'),
    token_id: uint256('Token id of NFTs, else 0'),
    ...amounts,
  },
  select: `SELECT ${SELECT_HEAD},
  toLowCardinality(transform(toString(kind), ['nft', 'multi'], ['erc721', 'erc1155'], 'erc20')) AS token_standard,
  asset AS contract_address, symbol, token_id, amount_raw, amount, price_usd, amount_usd
FROM transfers_usd
WHERE asset != ''`,
}

const nativeTransfers: View = {
  kind: 'view',
  name: 'native_transfers',
  comment:
    'Transfers of the native coin, by transactions and by calls inside them, with the column names of Dune. A thin view of transfers_usd: put blockchain and a range of block_hour into WHERE',
  columns: {
    ...duneHead,
    ...parties,
    internal: column<0 | 1>('UInt8', '1 when a call inside a transaction moved it'),
    symbol: text('Symbol of the native coin'),
    ...amounts,
  },
  select: `SELECT ${SELECT_HEAD},
  toUInt8(kind = 'internal') AS internal, symbol, amount_raw, amount, price_usd, amount_usd
FROM transfers_usd
WHERE asset = ''`,
}

/** Views of movements, in the order they are created. */
export const transferObjects: readonly View[] = [transfersUsd, tokenTransfers, nativeTransfers]
