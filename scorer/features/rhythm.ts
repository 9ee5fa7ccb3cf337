/** Order-dependent features, which no state can merge: read from the newest movements of a wallet. */
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { readTiers, type Tiers } from './tiers.ts'
import type { WalletFeatures } from './wallet.ts'

const MOVEMENTS = readSql(import.meta.url, './sql/movements.sql')

/** Newest movements looked at. */
const LIMIT = 256
/** Wallets with more rows than this are services or bots; their rhythm stays unknown rather than cost a long scan. */
const MOST_ROWS = 20_000
/** "Passed through" means gone again within this time, s. */
const WINDOW = 3_600

/** Times in seconds. `null` where the wallet has too few movements, or too many to look at. */
export type Rhythm = {
  gap_sent_min: number | null
  gap_sent_max: number | null
  gap_received_min: number | null
  gap_received_max: number | null
  /** From the newest incoming value to an outgoing one. */
  dwell_median: number | null
  /** Share of incoming native value that left within an hour of an incoming movement, 0 to 1. */
  passed_through: number | null
}

export const UNKNOWN_RHYTHM: Rhythm = {
  gap_sent_min: null,
  gap_sent_max: null,
  gap_received_min: null,
  gap_received_max: null,
  dwell_median: null,
  passed_through: null,
}

type Row = { address: string; movements: string } & {
  [K in keyof Rhythm]: string | number | null
}

const number = (value: string | number | null): number | null => (value === null ? null : Number(value))

const hasRhythm = (wallet: WalletFeatures): boolean => {
  const rows = wallet.native_in_count + wallet.native_out_count
  const all = rows + wallet.token_in_count + wallet.token_out_count + wallet.nft_in_count + wallet.nft_out_count
  return rows > 1 && all <= MOST_ROWS
}

/** Rhythm by address, for wallets that have one worth reading. */
export const loadRhythms = async (
  store: Store,
  network: Network,
  wallets: ReadonlyMap<string, WalletFeatures>,
  tiers: Tiers,
): Promise<Map<string, Rhythm>> => {
  const addresses = [...wallets].filter(([, wallet]) => hasRhythm(wallet)).map(([address]) => address)
  const rows = await readTiers(tiers, addresses, { final: 'ledger', all: 'ledger_all' }, (ledger, addresses) =>
    store.query<Row>(
      MOVEMENTS,
      { ledger, network, addresses, limit: LIMIT, window: WINDOW },
      { route: 'wallet_rhythm' },
    ),
  )
  return new Map(
    rows.map((row) => [
      row.address,
      {
        gap_sent_min: number(row.gap_sent_min),
        gap_sent_max: number(row.gap_sent_max),
        gap_received_min: number(row.gap_received_min),
        gap_received_max: number(row.gap_received_max),
        dwell_median: number(row.dwell_median),
        passed_through: number(row.passed_through),
      },
    ]),
  )
}
