/** `assay reindex`: what is derived, made again beside what is served, and put in its place. */
import type { Config } from '../../platform/config.ts'
import type { Network } from '../../schema/networks.ts'
import { rebuild } from '../../scorer/ingest/rebuild/rebuild.ts'
import { duration } from '../command-line/text.ts'
import { openToolStore } from '../process/store-socket.ts'
import { runTool } from '../stream/tool.ts'

export type ReindexRequest = { network: Network; json?: boolean }

export const reindexCommand = (config: Config, { network, json }: ReindexRequest): Promise<void> =>
  runTool(
    config,
    'reindex',
    async ({ context, signal, say, report, progress }) => {
      const store = await openToolStore(context, config)
      const startedAt = context.clock.now()
      let began: number | undefined
      const outcome = await rebuild(
        {
          store,
          clock: context.clock,
          signal,
          progress: (done, all) => {
            began ??= done - 1
            const left = ((context.clock.now() - startedAt) * (all - done)) / (done - began)
            progress(() => `${done} of ${all} parts of ${network} are counted, ${duration(left)} left`)
          },
        },
        network,
      )
      report({ network, outcome, seconds: (context.clock.now() - startedAt) / 1_000 })
      if (outcome === 'interrupted') {
        say(`Interrupted; the tables are as they were. Go on with: assay reindex --network ${network}`)
        return
      }
      say(`The aggregates of ${network} were made again in ${duration(context.clock.now() - startedAt)}.`)
      say(`Score its wallets again with: assay replay --network ${network}`)
    },
    { json },
  )
