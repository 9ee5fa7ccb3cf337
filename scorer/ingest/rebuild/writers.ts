/**
 * Keeps ingest and rebuilds of a network apart, over the store alone. Each says what it does before it looks at the other:
 * ingest is `working` in table `ingest_writers` before it reads table `rebuilds`, a rebuild is in `rebuilds` before it reads
 * `ingest_writers`. So at least one of two that begin at once sees the other, and it is always ingest that waits. A rebuild
 * that comes later waits as long as ingest is `working`, so ingest need not look before every unit, but soon and again.
 */
import { randomUUID } from 'node:crypto'
import { type Clock, isWithin } from '../../../platform/context/clock.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { currentRebuild, isUnderWay, SILENT_MS } from './states.ts'

const WRITERS = readSql(import.meta.url, './sql/writers.sql')

/**
 * How often a writer that works says so, ms: with the longest statement that may have begun just before, 120 s, it is still shorter
 * than the silence after which it is taken for dead.
 */
const SAY_MS = 40_000
/** How often a writer that works looks for a rebuild, which waits for it as long, ms. */
const LOOK_MS = 2_000
/** How often a writer that waits looks whether the rebuild has ended, ms. */
const WAIT_MS = 500

type WriterState = 'working' | 'waiting' | 'ended'

/** One ingest as rebuilds see it. */
export type Writer = {
  /**
   * Runs a unit of work while no rebuild is under way, waiting for one to end before.
   * @throws the reason of the signal when it is aborted while waiting.
   */
  work: <T>(unit: () => Promise<T>, signal: AbortSignal) => Promise<T>
  /** Whether it waits for a rebuild now. */
  waiting: () => boolean
  /** Says that nothing is written any more. */
  end: () => Promise<void>
}

/**
 * @param resumed called before the first unit after a wait or a silence, in which tables may have been rebuilt; what it throws
 *   ends the unit.
 */
export const createWriter = (
  store: Store,
  network: Network,
  clock: Clock,
  resumed: () => Promise<void> = async () => undefined,
  writer: string = randomUUID(),
): Writer => {
  let version = 0n
  let said: WriterState = 'ended'
  let saidAt = 0
  let units = 0
  /** What `resumed` gave since the last word; undefined where it was not asked, or threw. */
  let resuming: Promise<void> | undefined
  /** When no rebuild was under way while this writer was `working` all the time since; undefined for unknown. */
  let freeAt: number | undefined
  /** The look under way, and when it began; undefined where this writer was not `working` all the time since. */
  let looking: { at: number; free: Promise<boolean> } | undefined
  let queue: Promise<unknown> = Promise.resolve()

  /** One row after the other, and none that says what the last one said moments ago. */
  const say = (state: () => WriterState): Promise<void> => {
    const result = queue.then(async () => {
      const next = state()
      if (next === said && (next !== 'working' || isWithin(clock, SAY_MS, saidAt))) return
      if (next !== 'working') {
        freeAt = undefined
        looking = undefined
      }
      version += 1n
      await store.insert(
        'ingest_writers',
        `${JSON.stringify({ network, writer, version: version.toString(), state: next })}\n`,
      )
      // Whatever happened while it waited, or while it was suspended and taken for dead, happened before this word.
      if (next === 'working') resuming = undefined
      said = next
      saidAt = clock.now()
    })
    queue = result.catch(() => undefined)
    return result
  }
  const free = async () => !isUnderWay(await currentRebuild(store, network))
  const look = async (): Promise<boolean> => {
    const own = { at: clock.now(), free: free() }
    looking = own
    try {
      const is = await own.free
      if (is && looking === own) freeAt = own.at
      return is
    } finally {
      if (looking === own) looking = undefined
    }
  }
  /** For a writer that is `working`: looks, unless it did moments ago or does now. */
  const freeWhileWorking = async (): Promise<boolean> => {
    if (freeAt !== undefined && isWithin(clock, LOOK_MS, freeAt)) return true
    freeAt = undefined
    if (looking && isWithin(clock, LOOK_MS, looking.at)) return looking.free
    return look()
  }
  /** Asks once for all units since the last word. */
  const resume = async (): Promise<void> => {
    resuming ??= resumed()
    const own = resuming
    try {
      await own
    } catch (error) {
      if (resuming === own) resuming = undefined
      throw error
    }
  }

  /** @returns whether the unit may run: it is then counted. */
  const admit = async (): Promise<boolean> => {
    // A writer that waits keeps its word until it may go on, or the rebuild would never see it waiting.
    if (said === 'waiting' && !(await free())) {
      if (units === 0) await say(() => 'waiting')
      return false
    }
    units += 1
    try {
      await say(() => 'working')
      if (await freeWhileWorking()) return true
    } catch (error) {
      units -= 1
      throw error
    }
    units -= 1
    await say(() => (units > 0 ? 'working' : 'waiting'))
    return false
  }

  return {
    waiting: () => said === 'waiting',
    work: async (unit, signal) => {
      while (!(await admit())) await clock.sleep(WAIT_MS, signal)
      try {
        await resume()
        return await unit()
      } finally {
        units -= 1
      }
    },
    end: () => say(() => 'ended'),
  }
}

/** Writers of a network that may be in the middle of something. */
export const workingWriters = async (store: Store, network: Network): Promise<string[]> => {
  const rows = await store.query<{ writer: string; state: WriterState; age: string }>(
    WRITERS,
    { network },
    { route: 'ingest_writers' },
  )
  return rows.filter(({ state, age }) => state === 'working' && Number(age) < SILENT_MS).map(({ writer }) => writer)
}
