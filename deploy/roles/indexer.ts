/** Chain to bus, one loop per network. */

import { createIndexer } from '../../indexer/index.ts'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import type { Readiness } from '../process/ops-server.ts'
import { networksOfConfig, openSharedBus } from './parts.ts'
import type { RunningRole } from './role.ts'
import { openSource } from './source.ts'

export const startIndexer = async (context: Context, config: Config): Promise<RunningRole> => {
  const networks = networksOfConfig(config)
  const bus = await openSharedBus(context, config, networks)
  const indexers = networks.map((network) => {
    const { startBlock, source } = openSource(context, config, network)
    const options = {
      historyBlocks: config.ASSAY_HISTORY_BLOCKS,
      ...(startBlock === undefined ? {} : { startBlock }),
    }
    return createIndexer({ context, network, source, bus, options })
  })
  const running = indexers.map((indexer) => indexer.run())
  // The bus and the sources are closed only after the loops have come to a safe point.
  context.lifecycle.onClose('indexers', async () => void (await Promise.allSettled(running)))
  const readiness = (): Readiness => {
    const reasons = indexers.flatMap((indexer) => {
      const { network, phase, stalled } = indexer.status()
      if (stalled) return [`${network} stands still`]
      return phase === 'starting' || phase === 'stopped' ? [`${network} is ${phase}`] : []
    })
    return { ready: reasons.length === 0, reasons }
  }
  return { done: Promise.all(running), readiness }
}
