/** Contract records for the API: found in the table while fresh, else analysed on the spot. */
import type { Network } from '../../schema/networks.ts'
import type { StoredRecord } from '../../schema/records/stored.ts'
import type { ContractRecords } from '../../scorer/contracts/records.ts'
import { keyOf, type Provider } from './provider.ts'

export const createContractProvider = (records: Pick<ContractRecords, 'lookup' | 'fresh' | 'compute'>): Provider => ({
  lookup: async (subjects) => {
    const byNetwork = new Map<Network, string[]>()
    for (const { network, address } of subjects) byNetwork.set(network, [...(byNetwork.get(network) ?? []), address])
    const found = new Map<string, StoredRecord>()
    for (const [network, addresses] of byNetwork) {
      const [stored, fresh] = await Promise.all([records.lookup(network, addresses), records.fresh(network, addresses)])
      for (const [i, record] of stored.entries()) {
        const address = addresses[i] ?? ''
        if (record && fresh.has(address)) found.set(keyOf({ network, address }), record)
      }
    }
    return subjects.map((subject) => found.get(keyOf(subject)))
  },
  compute: ({ network, address }) => records.compute(network, address),
})
