/** Fraud records for the API: found in the table, or computed by the scorer's one function, stored and published. */
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'
import type { Rescore } from '../../scorer/rescore.ts'
import { saveRecords } from '../../scorer/scoring/stored.ts'
import { byNetwork } from './by-network.ts'
import type { Provider } from './provider.ts'

const FIND = readSql(import.meta.url, './sql/find-wallet-records.sql')

const recordRow = z.object({ address: z.string(), version: z.coerce.number(), body: z.string() })

/** Newest stored fraud records, those that are not withdrawn. */
export const createFraudLookup =
  (store: Store): Provider['lookup'] =>
  async (subjects, signal) => {
    const found = await byNetwork(subjects, async (network, addresses) => {
      const rows = await store.query(FIND, { network, addresses }, { route: 'find_wallet_records', signal })
      // The last row of an address is kept (byNetwork), so the newest has to come last.
      return z
        .array(recordRow)
        .parse(rows)
        .sort((a, b) => a.version - b.version)
    })
    return found.map((record) => (record?.body ? record : undefined))
  }

export type FraudProviderDeps = {
  store: Store
  rescore: Rescore
  clock: Clock
  /** Tells other replicas and subscribers of a record that was computed here. */
  publish: (records: readonly WalletRecord[]) => Promise<void>
}

export const createFraudProvider = ({ store, rescore, clock, publish }: FraudProviderDeps): Provider => ({
  lookup: createFraudLookup(store),
  compute: async ({ network, address }) => {
    const verdicts = await rescore.rescore(network, [address], clock.now())
    const records = await saveRecords(store, verdicts)
    await publish(records)
    const [record] = records
    return record?.body ? { body: record.body, version: record.version } : undefined
  },
})
