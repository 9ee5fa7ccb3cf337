/** The ways of finding a wallet's past that the endpoints of a network may offer, best first. */
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

/** All ways, whether an endpoint offers them or not: that is asked when a wallet is looked for. */
export const createWalletHistories = ({
  context,
  network,
  pool,
  explorer,
}: {
  context: Pick<Context, 'clock' | 'metrics'>
  network: Network
  pool: RpcPool
  /** URL of an explorer's API, key included. */
  explorer?: string | undefined
}): WalletHistory[] => {
  const { clock } = context
  return [
    createOtterscanHistory({ clock, pool }),
    ...(explorer === undefined ? [] : [createExplorerHistory({ clock, network, url: explorer })]),
    createAlchemyHistory({ clock, pool }),
    createTraceFilterHistory({ clock, pool }),
    // Last: it finds what was signed and nothing else, in many questions.
    createNonceHistory({ pool }),
    createLogHistory({ context, network, pool }),
    createFactoryHistory({ context, network, pool }),
  ]
}
