/** One run of the simulation: a seed, faults for a while, then calm, then a check of all invariants. */
import { messageOf } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'
import { networkInfo } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'
import { knowsAuthorities, markOf, staleInMemory, violations } from './invariants.ts'
import { loadModel } from './store/load.ts'
import type { Row } from './store/table.ts'
import { drawFaults, type Faults, NO_FAULTS } from './virtual/faults.ts'
import { createScheduler, type Scheduler } from './virtual/scheduler.ts'
import { createWorld, type Place, type World } from './world.ts'

export type Outcome = {
  seed: number
  /** The violations, in words. */
  failure: string | undefined
  /** Events before. */
  notes: string[]
  fingerprint: string
  events: number
}

export type SimulateOptions = {
  /** An empty store to use instead of the model. */
  realStore?: Store
  /** How long things fail. @default 25_000 */
  faultsMs?: number
  onNote?: (text: string) => void
}

const MILD_MS = 2_000
const FAULTS_MS = 25_000
const CALM_MS = 90_000
const QUIET_MS = 3_000
const LOOK_MS = 250
/** Time for which a calm chain stands still while the pipe is not quiet. */
const BREATH_MS = 10_000
const BLOCK_MS = 900

/** Repeats an event, with pauses of `mean` ms on average, while `mean` is above 0. */
const recurring = (scheduler: Scheduler, mean: () => number, event: () => void) => {
  const next = () => {
    const every = mean()
    if (every <= 0) return
    scheduler.after(every * (0.3 + 1.4 * scheduler.random.next()), () => {
      if (mean() <= 0) return
      event()
      next()
    })
  }
  next()
}

const live = (place: Place, scheduler: Scheduler, faults: () => Faults) => {
  const { random } = scheduler
  const { chain, nodes, depth } = place
  if (depth > 0 && random.next() < faults().reorg) {
    const reach = chain.reorg(1 + random.below(random.below(4) === 0 ? depth : 3))
    if (reach > 0) scheduler.note(`REORG of ${chain.network} by ${reach}, tip ${chain.now().tip.hash}`)
  } else chain.grow(1 + (random.below(4) === 0 ? random.below(3) : 0))
  if (random.below(3) > 0) chain.finalize(chain.now().tip.number - depth - random.below(4) * Math.sign(depth))
  nodes.announce()
}

const hasUnknowns = ({ unknowns }: Row): boolean => (unknowns as string[]).length > 0

/** Whether everything is published, stored, final if possible, and scored. */
const pending = (world: World, modelled: boolean): string | undefined => {
  const { places, broker, model, published } = world
  for (const { network, chain } of places) {
    const { tip, finalized } = chain.now()
    const onTopics = published.of(network)
    if (onTopics.tip?.hash !== tip.hash) return `${network} is published up to ${onTopics.tip?.hash}, not ${tip.hash}`
    if (onTopics.final < finalized.number) return `${network} is final up to ${onTopics.final}, not ${finalized.number}`
    const groups = [
      [`ingest.${topics.history(network)}`, topics.history(network)],
      [`ingest.${topics.head(network)}`, topics.head(network)],
      [`ingest.${topics.past(network)}`, topics.past(network)],
      [`scoring.${network}`, topics.rescore(network)],
    ] as const
    for (const [group, topic] of groups) {
      if (!broker.log.names().includes(topic)) return `there is no topic ${topic}`
      const lag = broker.lag(group, topic)
      if (lag > 0n) return `group ${group} is ${lag} messages behind`
    }
    if (modelled && !knowsAuthorities(model, network)) return `the logs of authorities of ${network} are not read`
    const unsure =
      modelled &&
      model
        .table('wallet_records')
        .final()
        .find((row) => row.network === network && hasUnknowns(row))
    if (unsure) return `${network}:${unsure.address} was scored before the logs of authorities were read`
    if (modelled && networkInfo(network).reorgWindow > 0 && onTopics.head.length > 0) {
      const mark = markOf(model, network)
      if (mark?.state !== 'settled' || Number(mark.settled) < onTopics.final)
        return `${network} is settled up to ${mark?.settled} (${mark?.state}), not ${onTopics.final}`
    }
  }
  return modelled ? staleInMemory(world) : undefined
}

const play = async (scheduler: Scheduler, { realStore, faultsMs = FAULTS_MS }: SimulateOptions) => {
  const faultsOf = { now: NO_FAULTS }
  const { random } = scheduler
  const drawn = drawFaults(random)
  const faults = () => faultsOf.now
  const world = createWorld({ scheduler, faults, realStore })
  const began = scheduler.now()
  scheduler.note(`faults: ${JSON.stringify(drawn)}`)
  scheduler.note(
    `networks: ${world.places.map(({ network, start, chain, depth }) => `${network} from ${start}, tip ${chain.now().tip.number}, finality ${depth}`).join('; ')}`,
  )
  let over = false
  for (const place of world.places)
    recurring(
      scheduler,
      () => (over ? 0 : BLOCK_MS),
      () => live(place, scheduler, faults),
    )
  if (random.below(3) > 0) await scheduler.run(() => false, began + MILD_MS * random.next())
  faultsOf.now = drawn

  const anyone = () => {
    const processes = world.processes()
    return processes.length > 0 ? random.pick(processes) : undefined
  }
  recurring(
    scheduler,
    () => faults().crashEveryMs,
    () => {
      const victim = anyone()
      if (victim && random.below(6) === 0) world.drain(victim)
      else if (victim) world.crash(victim)
    },
  )
  recurring(
    scheduler,
    () => faults().pauseEveryMs,
    () => anyone()?.pause(500 + random.below(5_000)),
  )
  recurring(
    scheduler,
    () => faults().clockJumpEveryMs,
    () => anyone()?.jump(random.below(120_000) - 60_000),
  )
  recurring(
    scheduler,
    () => faults().rivalEveryMs,
    () => {
      const rival = world.startRival()
      scheduler.after(1_000 + random.below(6_000), () => world.crash(rival))
    },
  )
  recurring(
    scheduler,
    () => (over ? 0 : 2_000),
    () => world.model.table(random.pick(world.model.names())).merge(),
  )
  await scheduler.run(() => false, began + faultsMs)

  over = true
  faultsOf.now = NO_FAULTS
  scheduler.note('FAULTS STOP')
  const goOn = () => {
    for (const { chain, nodes, depth } of world.places) {
      chain.grow(2)
      chain.finalize(chain.now().tip.number - depth)
      nodes.announce()
    }
  }
  goOn()
  const modelled = realStore === undefined
  let judged: World = world
  let waits: string | undefined = 'for a first look'
  let quiet = 0
  for (let waited = 0; waited < CALM_MS && quiet < QUIET_MS; waited += LOOK_MS) {
    // A scorer that took over a head advances with the next block.
    if (waited > 0 && waited % BREATH_MS === 0 && quiet === 0) goOn()
    await scheduler.run(() => false, scheduler.now() + LOOK_MS)
    waits = pending(world, modelled)
    // A real store is checked once everything else is quiet, because that takes long.
    if (realStore && waits === undefined && quiet + LOOK_MS >= QUIET_MS) {
      judged = { ...world, model: await loadModel(realStore) }
      waits = pending(judged, true)
    }
    quiet = waits === undefined ? quiet + LOOK_MS : 0
  }
  if (waits !== undefined) throw new Error(`did not come to rest: ${waits}`)
  const wrong = violations(judged)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

export const simulate = async (seed: number, options: SimulateOptions = {}): Promise<Outcome> => {
  const scheduler = createScheduler(seed, options.onNote)
  let failure: string | undefined
  try {
    await play(scheduler, options)
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error)
  }
  return {
    seed,
    failure,
    notes: scheduler.notes(),
    fingerprint: scheduler.fingerprint(),
    events: scheduler.events(),
  }
}
