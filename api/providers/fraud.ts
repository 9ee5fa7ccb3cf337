/** Fraud records for the API: found in the table, or computed by the scorer's one function, stored and published. */
import type { Clock } from '../../platform/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'
import type { Rescore } from '../../scorer/rescore.ts'
import { saveRecords } from '../../scorer/scoring/stored.ts'
import type { Provider } from './provider.ts'
import { createFraudLookup } from './store.ts'

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
    const scored = await rescore.rescore(network, [address], clock.now())
    const records = await saveRecords(store, scored)
    await publish(records)
    const [record] = records
    return record && { body: record.body, version: record.version }
  },
})
