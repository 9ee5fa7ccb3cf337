/** Contract records for the API: found in the table while fresh, else analysed on the spot. */
import type { Clock } from '../../platform/clock.ts'
import type { Network } from '../../schema/networks.ts'
import type { ContractRecords, StoredContract } from '../../scorer/contract/records.ts'
import { keyOf, type Provider } from './port.ts'

/**
 * How long an analysis counts, ms. What a contract does can change with every block, so an older one is made again when it
 * is asked for.
 */
const FRESH_MS = 5 * 60_000

export const createContractProvider = (records: ContractRecords, clock: Clock): Provider => ({
  lookup: async (subjects) => {
    const byNetwork = new Map<Network, string[]>()
    for (const { network, address } of subjects) byNetwork.set(network, [...(byNetwork.get(network) ?? []), address])
    const found = new Map<string, StoredContract>()
    for (const [network, addresses] of byNetwork) {
      for (const [i, record] of (await records.lookup(network, addresses)).entries()) {
        const fresh = record && clock.now() - record.version < FRESH_MS
        if (fresh) found.set(keyOf({ network, address: addresses[i] ?? '' }), record)
      }
    }
    return subjects.map((subject) => found.get(keyOf(subject)))
  },
  compute: ({ network, address }) => records.compute(network, address),
})
