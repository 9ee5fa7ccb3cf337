/**
 * Keeps contract records up to date. One round:
 *
 *   find     records of reorged blocks; postponed analyses that are due; tokens whose pool appeared and records whose
 *            dependencies changed since the last round; then, when nothing else waits, tokens of old pools
 *   analyse  a few at a time, each within its deadline; failures are postponed with a growing pause. Before a page
 *            begins, its analyses are stored as postponed, so that one that crashes the process is retried later, alone
 *   store    the records of a page in one insert, then the failures, then the progress of the round
 *
 * All state is in tables, so a restart continues where the last round ended; at worst a page is analysed twice. The
 * loop works only a share of the time, so that it does not starve wallet scoring in the same process.
 */
import type { Context } from '../../../platform/context/context.ts'
import { isAssayError, messageOf, RetryableError } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { type Heights, readSettled } from '../../ledger/reading/settled.ts'
import type { ContractRegistry } from '../subject/registry.ts'
import { createBacklog, type Progress, type Retry } from './backlog.ts'
import type { ContractRecords, MadeContract } from './records.ts'

/** Pace of a stream. The defaults leave half of the time to scoring in the same process. */
export type ContractStreamOptions = {
  /** Analyses at a time. @default 2 */
  width: number
  /** Contracts analysed before their records are stored. @default 20 */
  page: number
  /** Share of the time that the loop may work, 0..1. @default 0.5 */
  share: number
  /** Pause before the first round, ms: blocks missed during downtime are indexed and scored first. @default 20_000 */
  startMs: number
  /** Pause between rounds that found nothing, ms. @default 2_000 */
  idleMs: number
  /**
   * How long rounds are skipped while `changes` reports no new blocks, ms. Other processes may still write to the
   * tables. @default 30_000, or 120_000 in an embedded store, which has no other writers
   */
  quietMs: number
  /** How often due analyses are looked for while rounds are skipped, ms. @default 30_000 */
  dueMs: number
  /**
   * Minimum age of a record before it is made again, ms, unless ownership, code or pools changed. @default 5 * 60_000
   */
  refreshMs: number
  /**
   * Longest pause between sweeps of old pools for tokens without a record, ms. Sweeps that find nothing slow down to
   * it. @default 10 * 60_000
   */
  sweepMs: number
}

/** Keeps the records of one network. */
export type ContractStream = {
  /** One round. Returns how many contracts were analysed, failures included. */
  round: () => Promise<number>
  /** Runs rounds until the lifecycle ends. */
  run: () => Promise<void>
}

/** Dependencies of a stream. Only `records` talks to a node. */
export type ContractStreamDeps = {
  context: Pick<Context, 'clock' | 'log' | 'metrics' | 'lifecycle'>
  store: Store
  records: Pick<ContractRecords, 'make' | 'save'>
  network: Network
  registry: ContractRegistry
  /** Grows when this process stores blocks of the network. Without it every pause is followed by a round. */
  changes?: (() => number) | undefined
  options?: Partial<ContractStreamOptions>
}

/** How long rounds are skipped with other writers to the tables, and without, ms. */
const QUIET_MS = 30_000
const ALONE_QUIET_MS = 120_000

const DEFAULTS: Omit<ContractStreamOptions, 'quietMs'> = {
  width: 2,
  page: 20,
  share: 0.5,
  startMs: 20_000,
  idleMs: 2_000,
  dueMs: 30_000,
  refreshMs: 5 * 60_000,
  sweepMs: 10 * 60_000,
}
/** Tokens of old pools per query. */
const SWEEP = 1_000
const FIRST_SWEEP_MS = 5_000
/** Reorged records handled in one round. */
const MAX_REORGED = 1_000
const PUT_OFF_MS = 30_000
const MAX_PUT_OFF_MS = 6 * 3_600_000
const GONE_MS = 24 * 3_600_000
/** Reason of an analysis that began. It stays when the process ends before the analysis does. */
const BEGUN = 'begun'
/** Pause after a page or round that failed completely, doubled each time. */
const NODE_PAUSE_MS = 5_000
const MAX_NODE_PAUSE_MS = 5 * 60_000

/** `height`: the record must be of this block or a later one. `alone`: an earlier attempt began and never ended. */
type Task = { address: string; attempts: number; height: number; alone: boolean }
type Outcome = { task: Task; made?: MadeContract; retry?: Retry; failed?: unknown }

/** Back-off after this many failures in a row, ms. */
const pauseAfter = (attempts: number): number => Math.min(MAX_PUT_OFF_MS, PUT_OFF_MS * 2 ** Math.min(attempts - 1, 20))

/** Does nothing before `run` or `round`. A restart loses no state. */
export const createContractStream = (deps: ContractStreamDeps): ContractStream => {
  const { context, store, records, network } = deps
  const { clock, log, metrics, lifecycle } = context
  const options = { ...DEFAULTS, quietMs: store.embedded ? ALONE_QUIET_MS : QUIET_MS, ...deps.options }
  const backlog = createBacklog(store, network, deps.registry)
  const analysed = metrics.counter('assay_contract_analyses_total', 'Contracts analysed by the stream', [
    'network',
    'outcome',
  ])
  const seconds = metrics.histogram('assay_contract_analysis_seconds', 'Time of one contract analysis', ['network'])
  const waiting = metrics.gauge('assay_contract_backlog', 'Contracts found that still wait in this round', ['network'])
  let sweeping: string[] = []
  let sweepAt = Number.NEGATIVE_INFINITY
  let sweepPause = FIRST_SWEEP_MS
  let failures = 0

  const analyse = async (task: Task): Promise<Outcome> => {
    const { address } = task
    const attempts = task.attempts + 1
    const end = seconds.startTimer({ network })
    try {
      const made = await records.make(network, address)
      analysed.inc({ network, outcome: made ? 'made' : 'gone' })
      const now = clock.now()
      if (!made) return { task, retry: { address, dueAt: now + GONE_MS, attempts, reason: 'gone', settled: false } }
      // The node is behind the change: try once more, later.
      const behind = { address, dueAt: now + PUT_OFF_MS, attempts: 0, reason: 'refresh', settled: false }
      const settled = { address, dueAt: now, attempts: 0, reason: '', settled: true }
      return { task, made, retry: task.attempts === 0 && made.row.data_height < task.height ? behind : settled }
    } catch (failed) {
      analysed.inc({ network, outcome: 'failed' })
      const reason = isAssayError(failed) ? failed.code : 'unexpected'
      log.warn({ network, address, attempts, reason: messageOf(failed) }, 'postponed a contract analysis')
      return {
        task,
        failed,
        retry: { address, dueAt: clock.now() + pauseAfter(attempts), attempts, reason, settled: false },
      }
    } finally {
      end()
    }
  }

  /** Stores attempts before they are made, so that the count survives a crash. */
  const begin = (tasks: readonly Task[]) => {
    const now = clock.now()
    return backlog.putOff(
      tasks.map(({ address, attempts }) => {
        const next = attempts + 1
        return { address, dueAt: now + pauseAfter(next), attempts: next, reason: BEGUN, settled: false }
      }),
      now,
    )
  }

  const page = async (tasks: readonly Task[]): Promise<Outcome[]> => {
    await begin(tasks)
    const outcomes: Outcome[] = []
    let next = 0
    const work = async () => {
      for (let task = tasks[next++]; task && !lifecycle.signal.aborted; task = tasks[next++]) {
        outcomes.push(await analyse(task))
        waiting.dec({ network })
      }
    }
    await Promise.all(Array.from({ length: options.width }, work))
    await records.save(outcomes.flatMap(({ made }) => made ?? []))
    const begun = new Set(outcomes.map(({ task }) => task))
    const now = clock.now()
    const left = tasks
      .filter((task) => !begun.has(task))
      .map(({ address, attempts }) => ({ address, dueAt: now, attempts, reason: 'refresh', settled: false }))
    await backlog.putOff([...outcomes.flatMap(({ retry }) => retry ?? []), ...left], now)
    return outcomes
  }

  /**
   * Works through the tasks with a rest after each page. Returns false when some are left, because the node failed or
   * the process is closing.
   */
  const work = async (tasks: readonly Task[]): Promise<boolean> => {
    waiting.set({ network }, tasks.length)
    const ordinary = tasks.filter((task) => !task.alone)
    const pages = tasks.filter((task) => task.alone).map((task) => [task])
    for (let at = 0; at < ordinary.length; at += options.page) pages.push(ordinary.slice(at, at + options.page))
    for (const [i, some] of pages.entries()) {
      if (lifecycle.signal.aborted) return false
      const started = clock.now()
      const outcomes = await page(some)
      if (outcomes.length > 0 && outcomes.every(({ failed }) => failed instanceof RetryableError)) {
        failures += 1
        return i === pages.length - 1 && outcomes.length === some.length
      }
      failures = 0
      const rest = ((clock.now() - started) * (1 - options.share)) / options.share
      if (rest >= 1) await clock.sleep(rest, lifecycle.signal)
    }
    return true
  }

  /** Where the last round ended, or the last final block when that block was reorged. */
  const resume = async ({ head, settled = head }: Heights): Promise<Progress & { saved: boolean }> => {
    const known = await backlog.progress()
    if (!known) return { height: head, hash: '', verified: settled, saved: false }
    if (known.height <= head && known.canonical === known.hash) return { ...known, saved: true }
    log.info({ network, height: known.height, settled }, 'following contract events again after a reorg')
    return {
      ...known,
      height: Math.min(known.height, settled),
      verified: Math.min(known.verified, settled),
      saved: false,
    }
  }

  const sweepIsDue = () => sweeping.length === 0 && clock.now() >= sweepAt
  const swept = (found: string[]) => {
    sweeping = found
    // Rare when sweeps find nothing, frequent while old blocks still arrive.
    sweepPause = found.length > 0 ? FIRST_SWEEP_MS : Math.min(options.sweepMs, sweepPause * 2)
    sweepAt = clock.now() + (found.length < SWEEP ? sweepPause : 0)
  }

  const round = async (): Promise<number> => {
    const now = clock.now()
    // Heights read between two moves suffice: rows up to them stay visible while blocks move between tiers, and an undo
    // changes the hash that this round is saved with.
    const heights = await readSettled(store, network, async (quiet) => quiet)
    const { head, settled = head } = heights
    const from = await resume(heights)
    const tasks = new Map<string, Task>()
    const add = (address: string, attempts = 0, alone = false) =>
      tasks.set(address, {
        address,
        height: head,
        attempts: Math.max(attempts, tasks.get(address)?.attempts ?? 0),
        alone: alone || tasks.get(address)?.alone === true,
      })
    for (const address of await backlog.reorged(from.verified, head, MAX_REORGED)) add(address)
    const later: Retry[] = []
    if (head > from.height) {
      for (const { address, version, urgent } of await backlog.stale(from.height, head)) {
        const dueAt = version + options.refreshMs
        if (urgent || dueAt <= now) add(address)
        else later.push({ address, dueAt, attempts: 0, reason: 'refresh', settled: false })
      }
      for (const address of await backlog.unseen(from.height, head, SWEEP)) add(address)
    }
    // An analysis that may have crashed the process keeps its pause, whatever changed meanwhile.
    for (const address of await backlog.begun([...tasks.keys()], now)) tasks.delete(address)
    for (const { address, attempts, reason } of await backlog.due(now, options.page))
      add(address, Math.max(attempts, 1), reason === BEGUN)
    const old = tasks.size === 0 && sweepIsDue() ? await backlog.unseen(0, head, SWEEP) : undefined
    const hash = await backlog.hashAt(head)
    if (hash === '') return 0
    if (old) swept(old)
    if (tasks.size === 0) {
      for (const address of sweeping.splice(0, options.page))
        tasks.set(address, { address, attempts: 0, height: 0, alone: false })
    }
    await backlog.putOff(
      later.filter(({ address }) => !tasks.has(address)),
      now,
    )
    const done = await work([...tasks.values()])
    if (done && !(from.saved && head === from.height && settled === from.verified)) {
      await backlog.saveProgress({ height: head, hash, verified: settled }, clock.now())
    }
    return tasks.size
  }

  /** Pauses; longer while nothing changes after a round without tasks. */
  const pause = async (ms: number, quiet: boolean, seen: number | undefined) => {
    const { signal } = lifecycle
    const end = clock.now() + (quiet ? options.quietMs : 0)
    let lookAt = clock.now() + options.dueMs
    do {
      await clock.sleep(ms, signal).catch(() => undefined)
      if (quiet && clock.now() >= lookAt && clock.now() < end && !signal.aborted) {
        lookAt = clock.now() + options.dueMs
        // A store that does not answer is left to the round.
        const isDue = await backlog.due(clock.now(), 1).then(
          (found) => found.length > 0,
          () => true,
        )
        if (isDue) return
      }
    } while (!signal.aborted && clock.now() < end && seen !== undefined && deps.changes?.() === seen)
  }

  const run = async () => {
    const { signal } = lifecycle
    await clock.sleep(options.startMs, signal).catch(() => undefined)
    while (!signal.aborted) {
      let found = 0
      const seen = deps.changes?.()
      try {
        found = await round()
      } catch (err) {
        if (signal.aborted) return
        failures += 1
        log.warn({ network, err }, 'a round of contract analyses failed')
      }
      const pauseMs =
        failures > 0
          ? Math.min(MAX_NODE_PAUSE_MS, NODE_PAUSE_MS * 2 ** Math.min(failures - 1, 10))
          : found > 0
            ? options.idleMs / 10
            : options.idleMs
      await pause(pauseMs, found === 0 && failures === 0 && !sweepIsDue(), seen)
    }
  }

  return { round, run }
}
