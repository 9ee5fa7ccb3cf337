/**
 * Rows that the materialized views derive from inserted rows, as far as a doubled or lost insert shows in them: counts and
 * amounts per key. The views of each table are read from the schema itself; `model.test.ts` compares the counts with the
 * engine's.
 */
import type { Row } from './table.ts'

/** One fact of one address (`schema/tables/chain/facts.ts`). */
type Fact = { address: string; fact: string; counterparty: string }

const text = (row: Row, column: string): string => String(row[column] ?? '')

const FACTS: Record<string, (row: Row) => Fact[]> = {
  transactions: (row) => [
    { address: text(row, 'sender'), fact: 'sent', counterparty: text(row, 'receiver') },
    { address: text(row, 'receiver'), fact: 'received', counterparty: text(row, 'sender') },
  ],
  ledger: (row) => [
    {
      address: text(row, 'address'),
      fact: row.direction === 1 ? 'token_in' : 'token_out',
      counterparty: text(row, 'counterparty'),
    },
  ],
  approvals: (row) => [
    { address: text(row, 'owner'), fact: 'approve', counterparty: text(row, 'spender') },
    { address: text(row, 'spender'), fact: 'approved', counterparty: text(row, 'owner') },
  ],
  creations: (row) => [
    { address: text(row, 'root_creator'), fact: 'create', counterparty: text(row, 'contract') },
    { address: text(row, 'contract'), fact: 'created', counterparty: text(row, 'root_creator') },
  ],
  liquidity: (row) => [{ address: text(row, 'provider'), fact: 'lp_add', counterparty: text(row, 'pool') }],
  authority: () => [],
  delegations: (row) => [
    { address: text(row, 'authority'), fact: 'delegate', counterparty: text(row, 'delegate') },
    { address: text(row, 'delegate'), fact: 'delegated', counterparty: text(row, 'authority') },
  ],
}

/** Maxima and distinct values do not depend on how often a row is counted: 0. */
type Counted = { key: readonly string[]; amount?: string; count?: 0 }

const COUNTED: Record<string, (row: Row) => Counted[]> = {
  wallet_features_from_wallet_facts: (row) => [{ key: [text(row, 'address')] }],
  wallet_edges_from_ledger: (row) =>
    row.address === row.counterparty ? [] : [{ key: [text(row, 'address'), text(row, 'counterparty')] }],
  wallet_protocols_from_transactions: (row) => [
    { key: [text(row, 'sender'), text(row, 'receiver')], amount: text(row, 'value') },
  ],
  wallet_assets_from_ledger: (row) => [
    { key: [text(row, 'address'), text(row, 'asset')], amount: text(row, 'amount') },
  ],
  asset_holders_from_ledger: (row) => [
    { key: [text(row, 'asset'), text(row, 'address')], amount: text(row, 'amount'), count: 0 },
  ],
  deployer_contracts_from_creations: (row) => [{ key: [text(row, 'root_creator'), text(row, 'contract')] }],
  pool_state_from_pools: (row) => [{ key: [text(row, 'pool')], count: 0 }],
  pool_state_from_liquidity: (row) => [{ key: [text(row, 'pool')] }],
  pool_state_from_swaps: (row) => [{ key: [text(row, 'pool')] }],
  authority_listings_from_authority: (row) => [{ key: [text(row, 'subject'), text(row, 'authority')], count: 0 }],
  asset_approvals_from_approvals: (row) => [{ key: [text(row, 'asset')], count: 0 }],
  wallet_swaps_from_swaps: (row) => [{ key: [text(row, 'initiator')] }],
  third_party_dust_from_ledger: () => [],
  labelled_addresses_from_authority: (row) => [{ key: [text(row, 'subject')], count: 0 }],
  labelled_addresses_from_authority_hot: (row) => (isDeleted(row) ? [] : [{ key: [text(row, 'subject')], count: 0 }]),
  labelled_addresses_from_authority_past: (row) => [{ key: [text(row, 'subject')], count: 0 }],
}

const isDeleted = (row: Row): boolean => Number(row.is_deleted ?? 0) === 1

const factsOf = (table: string, row: Row): Row[] =>
  (FACTS[table]?.(row) ?? [])
    .filter(({ address }) => address !== '')
    .map((fact) => ({ network: row.network, block_number: row.block_number, position: row.position, ...fact }))

/** Columns that identify a hot row of a table; they are the `leg` of its facts. */
const legOf = (row: Row): string => [row.kind, row.asset, row.token_id, row.amount, row.owner].join()

/** Lowest block of each network. */
const lowestBlocks = (rows: readonly Row[]): Row[] => {
  const lowest = new Map<unknown, number>()
  for (const { network, block_number } of rows)
    lowest.set(network, Math.min(lowest.get(network) ?? Number.POSITIVE_INFINITY, Number(block_number)))
  return [...lowest].map(([network, block_number]) => ({ network, block_number }))
}

/** Rows of a view's target derived from rows inserted into its source. */
export const project = (feed: string, rows: readonly Row[]): Row[] => {
  const [, target, source = ''] = /^(wallet_facts|facts_hot|facts_past)_from_(.+)$/.exec(feed) ?? []
  if (target === 'wallet_facts') return rows.flatMap((row) => factsOf(source, row))
  if (target === 'facts_hot') {
    return rows
      .filter((row) => !isDeleted(row))
      .flatMap((row) =>
        factsOf(source, row).map((fact) => ({ ...fact, leg: legOf(row), version: row.version, is_deleted: 0 })),
      )
  }
  if (target === 'facts_past') {
    return rows.flatMap((row) => factsOf(source, row).map((fact) => ({ ...fact, leg: legOf(row) })))
  }
  if (feed.startsWith('first_blocks_from_')) return lowestBlocks(rows)
  const counted = COUNTED[feed]
  if (!counted) throw new Error(`the store model does not know view ${feed}: add it to test/simulation/store/views.ts`)
  const sums = new Map<string, { network: unknown; key: readonly string[]; count: number; amount: bigint }>()
  for (const row of rows) {
    for (const { key, amount = '0', count = 1 } of counted(row)) {
      const name = `${row.network}\u0000${key.join('\u0000')}`
      const sum = sums.get(name) ?? { network: row.network, key, count: 0, amount: 0n }
      sum.count += count
      sum.amount += BigInt(amount)
      sums.set(name, sum)
    }
  }
  return [...sums.values()]
}
