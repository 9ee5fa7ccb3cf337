/**
 * Heights of networks in the tables. A network whose height has not changed for several block times is stalled and not ready,
 * whatever the cause.
 */
import type { Bus } from '../../../platform/bus/bus.ts'
import { steadyTime } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'

const HEIGHTS = readSql(import.meta.url, './sql/heights.sql')
const HEIGHT_FINAL = readSql(import.meta.url, './sql/height_final.sql')
const BLOCK_TIME = readSql(import.meta.url, './sql/block_time.sql')

/** Cache time of heights, and interval of background updates, ms. */
const FRESH_MS = 2_000
const WATCH_MS = 30_000
/** Time after which the store counts as not responding, ms. */
const DEADLINE_MS = 5_000
const STALL_BLOCKS = 10
const STALL_FLOOR_MS = 60_000

/** Time without a new block after which a network is stalled, ms: ten block times, at least a minute. */
const stallAfterMs = (network: Network): number =>
  Math.max(STALL_FLOOR_MS, STALL_BLOCKS * networkInfo(network).blockTimeMs)

type First = { block: number; time: number }

/** Heights of one network in the tables. */
export type Height = {
  height: number
  /** Time of the block, Unix seconds. */
  time: number
  /** When the height was first seen, ms on a monotonic clock. */
  since: number
  /** First covered block and its time, Unix seconds. */
  first: First | undefined
  /** Whether the height has not changed for too long. */
  stalled: boolean
}

/** Heights of all networks. Concurrent and frequent calls share one query. */
export type Heights = {
  /** Reads the tables, unless that was done in the last two seconds. Networks without blocks are omitted. */
  read: () => Promise<Stored>
  /** The same, but does not read the tables while no new blocks can be in them. */
  glance: () => Promise<Stored>
}

type Stored = { storeAnswers: boolean; heights: ReadonlyMap<Network, Height> }
type Row = { network: string; kind: 'first' | 'hot'; height: number; time: number }
type Top = { height: number; time: number }

const topOf = (rows: readonly Top[]): Top =>
  rows.reduce((best, row) => (row.height > best.height ? row : best), { height: 0, time: 0 })

/** @param bus given if it is cheaper to query than the store, which is the case if both are embedded */
export const createHeights = (
  context: Context,
  store: Store,
  networks: readonly Network[],
  bus?: Pick<Bus, 'offsets' | 'lag'>,
): Heights => {
  const { clock, lifecycle, log, metrics } = context
  const time = steadyTime(clock.now)
  const stored = metrics.gauge('assay_stored_height', 'Highest block in the tables', ['network'])
  const stalled = metrics.gauge('assay_stalled', '1 while the stored height has not changed for too long', ['network'])
  const known = new Map<Network, Omit<Height, 'stalled' | 'first'>>()
  const firsts = new Map<Network, First>()
  let storeAnswers = false
  let lookedAt = Number.NEGATIVE_INFINITY
  /** End of the topics before the tables were last read. */
  let lookedTo: string | undefined
  let looking: Promise<void> | undefined

  const isStalled = (network: Network): boolean => {
    const last = known.get(network)
    return last !== undefined && time() - last.since > stallAfterMs(network)
  }

  /**
   * End offsets of the topics of the networks; `undefined` while messages wait to be stored, or if that is unknown. While they
   * are unchanged, so are the tables.
   */
  const endOfTopics = async (): Promise<string | undefined> => {
    if (!bus) return undefined
    const ends = networks
      .flatMap((network) => [topics.history(network), topics.head(network)])
      .map(async (topic) => {
        const places = await bus.offsets(topic)
        const waits = await bus.lag(`ingest.${topic}`, topic)
        return waits > 0n ? undefined : places.map(({ next }) => next).join()
      })
    const found = await Promise.all(ends).catch(() => [undefined])
    return found.includes(undefined) ? undefined : found.join(';')
  }

  /** Queries final tables only if hot tables have nothing new. */
  const heightOf = async (network: Network, hot: Top | undefined): Promise<Top> => {
    const before = known.get(network)
    if (before && hot && hot.height > before.height) return hot
    const final = await store.query<Top>(HEIGHT_FINAL, { network }, { route: 'height' })
    return topOf([
      ...final.map((row) => ({ height: Number(row.height), time: Number(row.time) })),
      ...(hot ? [hot] : []),
    ])
  }

  /** Updates the first block, which changes only after a backfill. */
  const noteFirst = async (network: Network, block: number | undefined) => {
    if (block === undefined || firsts.get(network)?.block === block) return
    const [row] = await store.query<{ time: number }>(BLOCK_TIME, { network, block }, { route: 'block_time' })
    if (row) firsts.set(network, { block, time: Number(row.time) })
  }

  const look = async () => {
    try {
      const end = await endOfTopics()
      const rows = await store.query<Row>(HEIGHTS, { networks }, { route: 'heights_of_all' })
      const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind)
      const begun = new Map(of('first').map(({ network, height }) => [network, Number(height)]))
      const hot = new Map(
        of('hot').map(({ network, height, time }) => [network, { height: Number(height), time: Number(time) }]),
      )
      await Promise.all(
        networks.map(async (network) => {
          const found = await heightOf(network, hot.get(network))
          if (found.height > 0 && found.height !== known.get(network)?.height)
            known.set(network, { ...found, since: time() })
          stored.set({ network }, found.height)
          await noteFirst(network, begun.get(network))
        }),
      )
      storeAnswers = true
      lookedTo = end
    } catch (err) {
      storeAnswers = false
      lookedTo = undefined
      log.warn({ err }, 'failed to look up stored heights')
    }
    lookedAt = time()
  }

  const isUnchanged = async (): Promise<boolean> =>
    lookedTo !== undefined && time() - lookedAt < WATCH_MS && (await endOfTopics()) === lookedTo

  const update = async () => {
    if (time() - lookedAt < FRESH_MS) return
    looking ??= look().finally(() => {
      looking = undefined
    })
    const waited = new AbortController()
    const late = clock.sleep(DEADLINE_MS, waited.signal).then(
      () => {
        storeAnswers = false
      },
      () => undefined,
    )
    await Promise.race([looking, late])
    waited.abort()
  }

  const current = (): Stored => {
    for (const network of networks) stalled.set({ network }, isStalled(network) ? 1 : 0)
    return {
      storeAnswers,
      heights: new Map(
        [...known].map(([network, one]) => [
          network,
          { ...one, first: firsts.get(network), stalled: isStalled(network) },
        ]),
      ),
    }
  }

  const watch = async () => {
    while (!lifecycle.signal.aborted) {
      await update()
      current()
      await clock.sleep(WATCH_MS, lifecycle.signal).catch(() => undefined)
    }
  }
  void watch()

  return {
    read: async () => {
      await update()
      return current()
    },
    glance: async () => {
      if (!(await isUnchanged())) await update()
      return current()
    },
  }
}
