/** Contract analysis over the nodes that are configured. */
import { createContractProvider } from '../../api/verdicts/contract.ts'
import type { Providers } from '../../api/verdicts/port.ts'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { createRpcPool } from '../../platform/rpc/pool.ts'
import type { Store } from '../../platform/store/store.ts'
import { networksOf } from '../../schema/networks.ts'
import { createContractRecords } from '../../scorer/contract/records.ts'

/** The provider of rug-pull records; none where no node of such a network is configured, since analysis asks the chain. */
export const createContractProviders = (context: Context, config: Config, store: Store): Providers => {
  const analysed = new Set(networksOf('rug_pull'))
  const networks = config.networks.filter(({ network }) => analysed.has(network))
  if (networks.length === 0) return {}
  const rpc = Object.fromEntries(
    networks.map(({ network, urls }) => {
      const pool = createRpcPool({ context, network, urls: urls.filter((url) => url.startsWith('http')) })
      return [
        network,
        { request: ({ method, params }: { method: string; params: unknown[] }) => pool.request(method, params) },
      ]
    }),
  )
  return { rug_pull: createContractProvider(createContractRecords({ context, store, rpc }), context.clock) }
}
