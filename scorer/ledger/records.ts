/** Reads stored fraud records of wallets. */
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'

const LOOKUP = readSql(import.meta.url, './sql/wallet-records.sql')
const SCORED = readSql(import.meta.url, './sql/scored-wallets.sql')

/** Newest stored records in the order of the subjects, with one query. */
export const lookupRecords = async (
  store: Store,
  subjects: readonly { network: Network; address: string }[],
): Promise<(WalletRecord | undefined)[]> => {
  if (subjects.length === 0) return []
  const networks = [...new Set(subjects.map((subject) => subject.network))]
  const addresses = [...new Set(subjects.map((subject) => subject.address))]
  const rows = await store.query<Omit<WalletRecord, 'version'> & { version: string }>(
    LOOKUP,
    { networks, addresses },
    { route: 'wallet_records' },
  )
  const found = new Map<string, WalletRecord>()
  for (const row of rows) {
    const key = `${row.network}:${row.address}`
    const version = Number(row.version)
    if (version > (found.get(key)?.version ?? -1)) found.set(key, { ...row, version })
  }
  return subjects.map(({ network, address }) => found.get(`${network}:${address}`))
}

/** Addresses with a record, ascending, in pages, after `after`. */
export const scoredWallets = async function* (
  store: Store,
  network: Network,
  { after = '', limit }: { after?: string | undefined; limit: number },
): AsyncGenerator<string[]> {
  for (let last = after; ; ) {
    const rows = await store.query<{ address: string }>(
      SCORED,
      { network, after: last, limit },
      { route: 'scored_wallets' },
    )
    const addresses = rows.map(({ address }) => address)
    if (addresses.length > 0) yield addresses
    if (addresses.length < limit) return
    last = addresses.at(-1) ?? last
  }
}
