/**
 * Keeps ingest and rebuilds of a network apart through the store alone. Each announces itself before it looks for the other: ingest enters
 * `working` in table `ingest_writers` before it reads `rebuilds`, and a rebuild enters `rebuilds` before it reads `ingest_writers`. So if
 * both begin at once, at least one sees the other, and it is always ingest that waits. A rebuild that begins later waits while ingest is
 * `working`, so ingest need not check before every unit of work, but regularly.
 */
import { randomUUID } from 'node:crypto'
import { type Clock, isWithin } from '../../../platform/context/clock.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { currentRebuild, isUnderWay, SILENT_MS } from './states.ts'

const WRITERS = readSql(import.meta.url, './sql/writers.sql')

/**
 * How often a working writer confirms its state, ms. Even after the longest statement, 120 s, it confirms before it would be considered
 * dead.
 */
const ANNOUNCE_MS = 40_000
/** How often a working writer checks for a rebuild, which waits for it meanwhile, ms. */
const LOOK_MS = 2_000
/** How often a waiting writer checks whether the rebuild has ended, ms. */
const WAIT_MS = 500

type WriterState = 'working' | 'waiting' | 'ended'

/** An ingest as rebuilds see it. */
export type Writer = {
  /**
   * Runs a unit of work while no rebuild is in progress. Waits for one to end first.
   * @throws the reason of the signal if it aborts while waiting
   */
  work: <T>(unit: () => Promise<T>, signal: AbortSignal) => Promise<T>
  /** Whether it is waiting for a rebuild. */
  waiting: () => boolean
  /** Announces that nothing is written any more. */
  end: () => Promise<void>
}

/**
 * @param resumed called before the first unit after a wait or a silence, during which tables may have been rebuilt. If it throws, the
 *   unit fails.
 */
export const createWriter = (
  store: Store,
  network: Network,
  clock: Clock,
  resumed: () => Promise<void> = async () => undefined,
  writer: string = randomUUID(),
): Writer => {
  let version = 0n
  let announced: WriterState = 'ended'
  let announcedAt = 0
  let units = 0
  /** Result of `resumed` since the last announcement; undefined if it was not called or threw. */
  let resuming: Promise<void> | undefined
  /** Last time when no rebuild was in progress, if this writer has been `working` since; otherwise undefined. */
  let freeAt: number | undefined
  /** The check in progress and its start; undefined if this writer has not been `working` since. */
  let looking: { at: number; free: Promise<boolean> } | undefined
  let queue: Promise<unknown> = Promise.resolve()

  /** Writes states one after the other. Skips a state that was announced recently. */
  const announce = (state: () => WriterState): Promise<void> => {
    const result = queue.then(async () => {
      const next = state()
      if (next === announced && (next !== 'working' || isWithin(clock, ANNOUNCE_MS, announcedAt))) return
      if (next !== 'working') {
        freeAt = undefined
        looking = undefined
      }
      version += 1n
      await store.insert(
        'ingest_writers',
        `${JSON.stringify({ network, writer, version: version.toString(), state: next })}\n`,
      )
      // Tables may have been rebuilt while it waited, or while it was suspended and considered dead.
      if (next === 'working') resuming = undefined
      announced = next
      announcedAt = clock.now()
    })
    queue = result.catch(() => undefined)
    return result
  }
  const free = async () => !isUnderWay(await currentRebuild(store, network))
  const look = async (): Promise<boolean> => {
    const check = { at: clock.now(), free: free() }
    looking = check
    try {
      const isFree = await check.free
      if (isFree && looking === check) freeAt = check.at
      return isFree
    } finally {
      if (looking === check) looking = undefined
    }
  }
  /** For a `working` writer: checks for a rebuild, or uses a recent or running check. */
  const freeWhileWorking = async (): Promise<boolean> => {
    if (freeAt !== undefined && isWithin(clock, LOOK_MS, freeAt)) return true
    freeAt = undefined
    if (looking && isWithin(clock, LOOK_MS, looking.at)) return looking.free
    return look()
  }
  /** Calls `resumed` once for all units since the last announcement. */
  const resume = async (): Promise<void> => {
    resuming ??= resumed()
    const call = resuming
    try {
      await call
    } catch (error) {
      if (resuming === call) resuming = undefined
      throw error
    }
  }

  /** @returns whether the unit may run; it is then counted */
  const admit = async (): Promise<boolean> => {
    // A waiting writer stays `waiting` until it may continue, so that the rebuild sees it.
    if (announced === 'waiting' && !(await free())) {
      if (units === 0) await announce(() => 'waiting')
      return false
    }
    units += 1
    try {
      await announce(() => 'working')
      if (await freeWhileWorking()) return true
    } catch (error) {
      units -= 1
      throw error
    }
    units -= 1
    await announce(() => (units > 0 ? 'working' : 'waiting'))
    return false
  }

  return {
    waiting: () => announced === 'waiting',
    work: async (unit, signal) => {
      while (!(await admit())) await clock.sleep(WAIT_MS, signal)
      try {
        await resume()
        return await unit()
      } finally {
        units -= 1
      }
    },
    end: () => announce(() => 'ended'),
  }
}

/** Writers of a network that may be in the middle of a unit of work. */
export const workingWriters = async (store: Store, network: Network): Promise<string[]> => {
  const rows = await store.query<{ writer: string; state: WriterState; age: string }>(
    WRITERS,
    { network },
    { route: 'ingest_writers' },
  )
  return rows.filter(({ state, age }) => state === 'working' && Number(age) < SILENT_MS).map(({ writer }) => writer)
}
