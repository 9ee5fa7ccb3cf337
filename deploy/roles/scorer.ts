/** Bus to tables to records: ingest, stream scoring and contract records of every network, and the aggregate of served counts. */
import { periodically } from '../../api/periodic.ts'
import { aggregateServed } from '../../api/served/aggregate.ts'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { createIngest } from '../../scorer/ingest/ingest.ts'
import { refreshRanks } from '../../scorer/profile/ranks.ts'
import { createRescore } from '../../scorer/rescore.ts'
import { createScoring } from '../../scorer/rescore-stream.ts'
import type { Readiness } from '../process/ops-server.ts'
import { keepContracts } from './contracts.ts'
import { createModel } from './model.ts'
import { networksOfConfig, openSharedBus, openSharedStore } from './parts.ts'
import type { RunningRole } from './role.ts'

const RANK_EVERY_MS = 24 * 3_600_000

export const startScorer = async (context: Context, config: Config): Promise<RunningRole> => {
  const networks = networksOfConfig(config)
  const store = await openSharedStore(context, config)
  const bus = await openSharedBus(context, config, networks)
  const rescore = createRescore({
    context,
    store,
    model: createModel(),
    options: { policy: { mixer: config.ASSAY_MIXER_MODE } },
  })
  const ingests = networks.map((network) => createIngest({ context, network, store, bus }))
  const running = ingests.map((ingest) => ingest.run())
  const scoring = await createScoring({ context, networks, store, bus, rescore })
  const served = await aggregateServed({ context, bus, store })
  const producer = await bus.producer()
  const contracts = keepContracts(context, config, store, networks, producer)
  context.lifecycle.onClose('scorer', async () => {
    await Promise.allSettled([scoring.close(), served.close(), ...ingests.map((ingest) => ingest.close())])
    await Promise.allSettled([...running, scoring.done, served.done, contracts])
    await producer.close()
  })
  // The leaderboard is a whole-table computation: once at start and once a day.
  const rank = async () => {
    for (const network of networks) await refreshRanks({ store, clock: context.clock }, network)
  }
  void rank().catch((err: unknown) => context.log.warn({ err }, 'failed to rank wallets'))
  periodically(context, 'rank wallets', RANK_EVERY_MS, rank)
  const readiness = (): Readiness => {
    const reasons = ingests
      .map((ingest) => ingest.status())
      .flatMap(({ network, state, waitsFor, gapBlocks }) => [
        ...(state === 'running' ? [] : [`ingest of ${network} is ${state}`]),
        ...(waitsFor === undefined ? [] : [`${network} waits for ${waitsFor}`]),
        ...(gapBlocks === 0 ? [] : [`${network} lacks ${gapBlocks} blocks`]),
      ])
    return { ready: reasons.length === 0, reasons }
  }
  return { done: Promise.all([...running, scoring.done, served.done]), readiness }
}
