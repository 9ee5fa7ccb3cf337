/** The sources of a wallet's past that endpoints of a network may offer, best first. */
import type { Context } from '../../../platform/context/context.ts'
import type { RpcPool } from '../../../platform/rpc/pool.ts'
import type { Network } from '../../../schema/networks.ts'
import type { WalletHistory } from './history.ts'
import { createAlchemyHistory } from './sources/alchemy.ts'
import { createExplorerHistory } from './sources/explorer.ts'
import { createFactoryHistory } from './sources/factories.ts'
import { createLogHistory } from './sources/logs.ts'
import { createNonceHistory } from './sources/nonces.ts'
import { createOtterscanHistory } from './sources/otterscan.ts'
import { createTraceFilterHistory } from './sources/trace-filter.ts'

/** All sources. Whether an endpoint offers them is asked when a wallet is searched. */
export const createWalletHistories = ({
  context,
  network,
  pool,
  explorer,
}: {
  context: Pick<Context, 'clock' | 'metrics'>
  network: Network
  pool: RpcPool
  /** URL of an explorer's API, including its key. */
  explorer?: string | undefined
}): WalletHistory[] => {
  const { clock } = context
  return [
    createOtterscanHistory({ clock, pool }),
    ...(explorer === undefined ? [] : [createExplorerHistory({ clock, network, url: explorer })]),
    createAlchemyHistory({ clock, pool }),
    createTraceFilterHistory({ clock, pool }),
    // Last, because it only finds signed transactions, and needs many requests.
    createNonceHistory({ pool }),
    createLogHistory({ context, network, pool }),
    createFactoryHistory({ context, network, pool }),
  ]
}
