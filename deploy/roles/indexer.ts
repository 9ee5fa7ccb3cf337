/** The indexer role: reads chains and publishes blocks to the bus, with one loop per network. */

import { createAuthorityLogReader } from '../../indexer/history/authorities/reader.ts'
import { createAuthorityWalk } from '../../indexer/history/authorities/walk.ts'
import { createPastTopic } from '../../indexer/history/past-topic.ts'
import { createFetchPast } from '../../indexer/history/wallets/fetch.ts'
import { createWalletHistories } from '../../indexer/history/wallets/index.ts'
import { createPastWorker } from '../../indexer/history/wallets/worker.ts'
import { createIndexer, type IndexerStatus } from '../../indexer/index.ts'
import type { BlockReader } from '../../indexer/source/evm/threads/reader.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Config } from '../../platform/config/config.ts'
import { historyBlocksOf } from '../../platform/config/history.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Network } from '../../schema/networks.ts'
import { superviseRole } from '../process/networks/role.ts'
import type { Handle } from '../process/networks/supervise.ts'
import { networksOfConfig, openSharedBus } from './parts.ts'
import type { RunningRole } from './role.ts'
import { openBlockReader, openSource } from './source.ts'

const progressOf = ({ phase, head, indexed, finalized, waiting }: IndexerStatus) => ({
  phase,
  ...(head !== undefined && { head }),
  ...(indexed !== undefined && { published: indexed }),
  ...(finalized !== undefined && { finalized }),
  trouble: waiting,
})

/** @throws OperatorError ASSAY_CONFIG_NO_SOURCE and errors of the source, which concern only this network */
const index = async (
  context: Context,
  config: Config,
  { network, bus, reader, handle }: { network: Network; bus: Bus; reader: BlockReader; handle: Handle },
): Promise<void> => {
  const { source, pool, startBlock, pastSource } = openSource(context, config, network, { reader })
  const topic = createPastTopic()
  const options = {
    historyBlocks: historyBlocksOf(config, network),
    ...(startBlock === undefined ? {} : { startBlock }),
  }
  const authorities =
    pool === undefined || config.ASSAY_AUTHORITY_LOGS === 'off'
      ? undefined
      : createAuthorityWalk({
          context,
          network,
          source,
          reader: createAuthorityLogReader({ context, network, pool }),
          bus,
          topic,
        })
  const pasts =
    pool === undefined || pastSource === undefined || config.ASSAY_WALLET_PASTS === 'off'
      ? undefined
      : createPastWorker({
          context,
          network,
          bus,
          source,
          topic,
          fetchPast: createFetchPast({
            context,
            network,
            source: pastSource,
            pool,
            histories: createWalletHistories({
              context,
              network,
              pool,
              explorer: config[`${network}_EXPLORER_URL`]?.reveal(),
            }),
            maxBlocks: config.ASSAY_WALLET_PASTS_BLOCKS,
          }),
        })
  const indexer = createIndexer({ context, network, source, bus, authorities, pasts, options })
  const { unproved } = source
  handle.running(() => ({ ...progressOf(indexer.status()), ...(unproved && { unproved: [...unproved()] }) }))
  await indexer.run()
}

/**
 * Starts a loop for each network with endpoints, and beside it the reading of authority logs.
 * @throws OperatorError ASSAY_CONFIG_NO_NETWORK
 */
export const startIndexer = async (context: Context, config: Config): Promise<RunningRole> => {
  const networks = networksOfConfig(config)
  const bus = await openSharedBus(context, config, networks)
  const reader = openBlockReader(context, config)
  const supervision = await superviseRole(context, bus, 'indexer')
  for (const network of networks) {
    supervision.start(network, 'indexing', (own, handle) => index(own, config, { network, bus, reader, handle }))
  }
  return supervision
}
