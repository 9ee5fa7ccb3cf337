/** The scorer role: ingest, scoring and contract records of every network, and the aggregation of served counts. */

import { aggregateServed } from '../../api/answers/served/aggregate.ts'
import type { Readiness } from '../../api/http/ops.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { periodically } from '../../platform/context/periodic.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { createRequeueByCreator } from '../../scorer/contracts/records/creator-verdicts.ts'
import { createIngest, type IngestStatus } from '../../scorer/ingest/ingest.ts'
import { refreshRanks } from '../../scorer/profile/ranks.ts'
import { createRescore, type Rescore } from '../../scorer/rescore/rescore.ts'
import { createScoring, type ScoringDeps } from '../../scorer/rescore/stream.ts'
import { queueAffected } from '../commands/labels/queue-affected.ts'
import { scheduleUpdates } from '../commands/labels/update/schedule.ts'
import { superviseRole } from '../process/networks/role.ts'
import { type Handle, watchConsumers } from '../process/networks/supervise.ts'
import { keeperOf } from './contracts.ts'
import { createModel } from './model.ts'
import { networksOfConfig, openSharedBus } from './parts.ts'
import type { RunningRole } from './role.ts'
import { openSharedStore } from './shared-store.ts'

const RANK_EVERY_MS = 24 * 3_600_000

/** By network, a number that changes when this process stores a block that is not empty, for contract records. */
type Changes = Map<Network, () => number>

/** An empty block adds one row and one to the head, so the difference stays the same. */
const changesOf = ({ rows, head }: IngestStatus): number => rows - head

/** By network, reasons why blocks are missing, for readiness. */
type Lacking = Map<Network, () => string[]>

const lackingOf = ({ network, waiting, waitsFor, gapBlocks }: IngestStatus): string[] => [
  ...(waiting ? [`ingest of ${network} waits for assay reindex --network ${network}`] : []),
  ...(waitsFor === undefined ? [] : [`${network} waits for ${waitsFor}`]),
  ...(gapBlocks === 0 ? [] : [`${network} lacks ${gapBlocks} blocks`]),
]

type Shared = { store: Store; bus: Bus; network: Network; handle: Handle }

const progressOf = ({ head, settled, waitsFor }: IngestStatus) => ({
  ...(waitsFor !== undefined && { waitsFor }),
  ...(head > 0 && { stored: head }),
  ...(settled !== undefined && { settled }),
})

const ingest = async (
  context: Context,
  changes: Changes,
  lacking: Lacking,
  { store, bus, network, handle }: Shared,
): Promise<void> => {
  const ingest = createIngest({ context, network, store, bus: watchConsumers(bus, handle) })
  changes.set(network, () => changesOf(ingest.status()))
  lacking.set(network, () => lackingOf(ingest.status()))
  handle.running(() => progressOf(ingest.status()))
  await ingest.run()
}

const score = async (
  context: Context,
  rescore: Rescore,
  judged: NonNullable<ScoringDeps['judged']>,
  { store, bus, network, handle }: Shared,
): Promise<void> => {
  const scoring = await createScoring({
    context,
    networks: [network],
    store,
    bus: watchConsumers(bus, handle),
    rescore,
    judged,
  })
  context.lifecycle.onClose('scoring', scoring.close)
  handle.running(() => ({}))
  await scoring.done
}

/** Starts ingest and scoring of each network. Several scorers share the partitions of topics. */
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
  const producer = await bus.producer()
  context.lifecycle.onClose('scorer producer', () => producer.close())
  const served = await aggregateServed({ context, bus, store })
  context.lifecycle.onClose('served counts', served.close)
  const supervision = await superviseRole(context, bus, 'scorer')
  const requeueByCreator = createRequeueByCreator({ store, clock: context.clock })
  const queued = new Map<Network, number>()
  const judged: NonNullable<ScoringDeps['judged']> = async (network, verdicts) => {
    const more = await requeueByCreator(network, verdicts)
    queued.set(network, (queued.get(network) ?? 0) + more)
  }
  const changes: Changes = new Map()
  const lacking: Lacking = new Map()
  for (const network of networks) {
    supervision.start(network, 'ingest', (own, handle) =>
      ingest(own, changes, lacking, { store, bus, network, handle }),
    )
    supervision.start(network, 'scoring', (own, handle) => score(own, rescore, judged, { store, bus, network, handle }))
    const changed = () => (changes.get(network)?.() ?? 0) + (queued.get(network) ?? 0)
    const keep = keeperOf(context, config, { network, store, producer, changes: changed })
    if (keep) {
      supervision.start(network, 'contracts', (own, handle) => {
        handle.running(() => ({}))
        return keep(own)
      })
    }
  }
  // Ranking scans whole tables, so it runs once at start and once a day.
  const rank = async () => {
    for (const network of networks) {
      await refreshRanks({ store, clock: context.clock }, network).catch((err: unknown) =>
        context.log.warn({ network, err }, 'failed to rank wallets'),
      )
    }
  }
  void rank()
  periodically(context, 'rank wallets', RANK_EVERY_MS, rank)
  scheduleUpdates({
    context,
    config,
    store,
    rescore: (since, list) => queueAffected(store, () => bus.producer(), since, list),
  })
  const readiness = (): Readiness => {
    const known = supervision.readiness()
    return { ...known, reasons: [...known.reasons, ...[...lacking.values()].flatMap((reasons) => reasons())] }
  }
  return { ...supervision, done: Promise.race([supervision.done, served.done]), readiness }
}
