/** Stored fraud records of wallets: the newest of each. */
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'

const LOOKUP = readSql(import.meta.url, './sql/wallet-records.sql')

/** Newest stored records, in the order asked; one query. */
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
