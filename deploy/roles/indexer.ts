/** Chain to bus, one loop per network. */

import { createIndexer } from '../../indexer/index.ts'
import { decodeBlock } from '../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../indexer/source/evm/index.ts'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { OperatorError } from '../../platform/errors.ts'
import { networkInfo } from '../../schema/networks.ts'
import type { Readiness } from '../process/ops-server.ts'
import { networksOfConfig, openSharedBus } from './parts.ts'
import type { RunningRole } from './role.ts'

export const startIndexer = async (context: Context, config: Config): Promise<RunningRole> => {
  const networks = networksOfConfig(config)
  const bus = await openSharedBus(context, config, networks)
  const indexers = networks.map((network) => {
    const given = config.networks.find((one) => one.network === network)
    if (!given || networkInfo(network).family !== 'evm') {
      throw new OperatorError(
        'ASSAY_CONFIG_NO_SOURCE',
        given
          ? `There is no source for ${network} in this release, so it was not started. Take it out of the configuration.`
          : `${network} has no endpoint, so it was not started. Set ${network}_RPC_URL.`,
      )
    }
    const source = createEvmSource({
      context,
      network,
      urls: given.urls,
      decode: decodeBlock,
      tokenMetadata: config.ASSAY_TOKEN_METADATA,
    })
    context.lifecycle.onClose(`source ${network}`, () => source.close())
    const options = {
      historyBlocks: config.ASSAY_HISTORY_BLOCKS,
      ...(given.startBlock === undefined ? {} : { startBlock: given.startBlock }),
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
