/** Contract records: read from the table while fresh, else analysed on demand. */
import type { ContractRecords } from '../../../scorer/contracts/records/records.ts'
import { byNetwork } from './by-network.ts'
import type { Provider } from './provider.ts'

/** Outdated records count as missing, so that they are computed again. */
export const createContractProvider = (records: Pick<ContractRecords, 'lookup' | 'fresh' | 'compute'>): Provider => ({
  lookup: async (subjects) => {
    const found = await byNetwork(subjects, async (network, addresses) => {
      const [stored, fresh] = await Promise.all([records.lookup(network, addresses), records.fresh(network, addresses)])
      return stored.flatMap((record, index) => {
        const address = addresses[index] ?? ''
        return record && fresh.has(address) ? [{ address, record }] : []
      })
    })
    return found.map((one) => one?.record)
  },
  compute: ({ network, address }) => records.compute(network, address),
})
