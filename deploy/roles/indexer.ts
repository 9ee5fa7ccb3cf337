/** Chain to bus, one loop per network. */

import { createIndexer, type IndexerStatus } from '../../indexer/index.ts'
import { decodeBlock } from '../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../indexer/source/evm/index.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { superviseRole } from '../process/networks/role.ts'
import type { Handle } from '../process/networks/supervise.ts'
import { networksOfConfig, openSharedBus } from './parts.ts'
import type { RunningRole } from './role.ts'

const progressOf = ({ phase, head, indexed, finalized, waiting }: IndexerStatus) => ({
  phase,
  ...(head !== undefined && { head }),
  ...(indexed !== undefined && { published: indexed }),
  ...(finalized !== undefined && { finalized }),
  trouble: waiting,
})

/** @throws OperatorError ASSAY_CONFIG_NO_SOURCE and those of the source, of which each concerns this network only. */
const index = async (
  context: Context,
  config: Config,
  { network, bus, handle }: { network: Network; bus: Bus; handle: Handle },
): Promise<void> => {
  const given = config.networks.find((one) => one.network === network)
  if (!given || networkInfo(network).family !== 'evm') {
    throw new OperatorError(
      'ASSAY_CONFIG_NO_SOURCE',
      given
        ? `There is no source for ${network} in this release, so it was not started. Take it out of the configuration.`
        : `${network} has no endpoint, so it was not started. Set ${network}_RPC_URL.`,
    )
  }
  const aloneAfter = config.ASSAY_LONE_FINALITY_SECONDS
  const source = createEvmSource({
    context,
    network,
    urls: given.urls,
    decode: decodeBlock,
    tokenMetadata: config.ASSAY_TOKEN_METADATA,
    aloneAfterMs: aloneAfter === undefined ? undefined : aloneAfter * 1_000,
  })
  context.lifecycle.onClose(`source ${network}`, () => source.close())
  const options = {
    historyBlocks: config.ASSAY_HISTORY_BLOCKS,
    ...(given.startBlock === undefined ? {} : { startBlock: given.startBlock }),
  }
  const indexer = createIndexer({ context, network, source, bus, options })
  handle.running(() => progressOf(indexer.status()))
  await indexer.run()
}

export const startIndexer = async (context: Context, config: Config): Promise<RunningRole> => {
  const networks = networksOfConfig(config)
  const bus = await openSharedBus(context, config, networks)
  const supervision = await superviseRole(context, bus, 'indexer')
  for (const network of networks) {
    supervision.start(network, 'indexing', (own, handle) => index(own, config, { network, bus, handle }))
  }
  return supervision
}
