/**
 * Table `networks`: the entries of `schema/networks`, so that SQL and analysts use the same numbers as code. Migrations write it
 * at every start. Aggregates look up dust bounds at insert; the look-up is one scalar per insert.
 */
import { NETWORK_CODES, networkInfo } from '../networks.ts'
import { column, float64, type RowOf, text, uint8, uint32, uint64, uint256, word } from './column.ts'
import type { Table } from './ddl.ts'

const columns = {
  network: word('Network code, as in every other table'),
  family: word('Address family: evm, tron, ton or solana'),
  chain_id: column<string | null>('Nullable(UInt64)', 'EVM chain id (EIP-155), where there is one'),
  native_symbol: text('Symbol of the native coin'),
  native_decimals: uint8('Decimal places of the native coin'),
  native_dust: uint256(
    'Native movements of fewer base units are dust: anyone can send them, so they do not count as payments',
  ),
  native_poisoning_dust: uint256(
    'Native movements of at most so many base units may poison an address book; 0 where none is looked at',
  ),
  native_per_1000_usd: float64('Whole native coins that thresholds in US dollars take for $1,000'),
  token_dust: uint256('Token movements of at most so many base units are dust of a stablecoin: ten whole tokens'),
  block_time_ms: uint32('Usual time between blocks, in milliseconds'),
  version: uint64('Milliseconds since the epoch when the row was written; the newest counts'),
}

/** The table of networks. */
export const networksTable: Table = {
  kind: 'table',
  name: 'networks',
  comment: 'Networks and what differs between them. Written at every start from schema/networks',
  columns,
  engine: 'ReplacingMergeTree(version)',
  orderBy: ['network'],
}

const boundOf = (bound: string) =>
  `(SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.${bound})) FROM networks AS n FINAL)[toString(network)]`

/** SQL: native amounts below this are dust on the row's network. */
export const NATIVE_DUST = boundOf('native_dust')
/** SQL: stablecoin amounts up to this are dust on the row's network. */
export const TOKEN_DUST = boundOf('token_dust')

/** Rows of table `networks`, without their version. */
export const networkRows = (): Omit<RowOf<typeof columns>, 'version'>[] =>
  NETWORK_CODES.map((code) => {
    const { family, chainId, nativeCoin, tokenDust, blockTimeMs } = networkInfo(code)
    return {
      network: code,
      family,
      chain_id: chainId?.toString() ?? null,
      native_symbol: nativeCoin.symbol,
      native_decimals: nativeCoin.decimals,
      native_dust: nativeCoin.dust.toString(),
      native_poisoning_dust: nativeCoin.poisoningDust.toString(),
      native_per_1000_usd: nativeCoin.per1000Usd,
      token_dust: tokenDust.toString(),
      block_time_ms: blockTimeMs,
    }
  })
