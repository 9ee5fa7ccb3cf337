/**
 * What is in the tables, as the API finds it: how high the blocks of each network are and since when. Silence is the bug: a
 * network whose height stands still for several block times is not ready, whatever the cause.
 */
import type { Context } from '../../../platform/context.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'

const FIRST = readSql(import.meta.url, './sql/first.sql')
const HEIGHTS = ['height_hot', 'height_final'].map((name) => readSql(import.meta.url, `./sql/${name}.sql`))

/** An answer this old is looked up again when asked, and without being asked; ms. */
const FRESH_MS = 2_000
const WATCH_MS = 30_000
/** The store answers within this time, or it does not; ms. */
const DEADLINE_MS = 5_000
const STALL_BLOCKS = 10
const STALL_FLOOR_MS = 60_000

/** How long a network's height may stand still, in ms: ten block times, a minute at least. */
const stallAfterMs = (network: Network): number =>
  Math.max(STALL_FLOOR_MS, STALL_BLOCKS * networkInfo(network).blockTimeMs)

export type Height = {
  height: number
  /** Time of the block, Unix seconds. */
  time: number
  /** When the height was first seen, ms since the epoch. */
  since: number
  /** First covered block. */
  first: number | undefined
  /** It stood still for too long. */
  stalled: boolean
}

export type Heights = {
  /** Looks at the tables, unless that was done a moment ago. Networks without blocks are left out. */
  read: () => Promise<{ storeAnswers: boolean; heights: ReadonlyMap<Network, Height> }>
}

export const createHeights = (context: Context, store: Store, networks: readonly Network[]): Heights => {
  const { clock, lifecycle, log, metrics } = context
  const stored = metrics.gauge('assay_stored_height', 'Highest block in the tables', ['network'])
  const stalled = metrics.gauge('assay_stalled', '1 while the stored height stands still for too long', ['network'])
  const known = new Map<Network, Omit<Height, 'stalled' | 'first'>>()
  let firsts: ReadonlyMap<string, number> = new Map()
  let storeAnswers = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  const isStalled = (network: Network): boolean => {
    const last = known.get(network)
    return last !== undefined && clock.now() - last.since > stallAfterMs(network)
  }

  const heightOf = async (network: Network): Promise<{ height: number; time: number }> => {
    const answers = await Promise.all(
      HEIGHTS.map((text) => store.query<{ height: number; time: number }>(text, { network }, { route: 'height' })),
    )
    const rows = answers.flat().map(({ height, time }) => ({ height: Number(height), time: Number(time) }))
    return rows.reduce((best, row) => (row.height > best.height ? row : best), { height: 0, time: 0 })
  }

  const look = async () => {
    try {
      const lowest = await store.query<{ network: string; block_number: number }>(FIRST, {}, { route: 'first_covered' })
      firsts = new Map(lowest.map(({ network, block_number }) => [network, Number(block_number)]))
      await Promise.all(
        networks.map(async (network) => {
          const found = await heightOf(network)
          if (found.height > 0 && found.height !== known.get(network)?.height)
            known.set(network, { ...found, since: clock.now() })
          stored.set({ network }, found.height)
          stalled.set({ network }, isStalled(network) ? 1 : 0)
        }),
      )
      storeAnswers = true
    } catch (err) {
      storeAnswers = false
      log.warn({ err }, 'failed to look up stored heights')
    }
    lookedAt = clock.now()
  }

  const update = async () => {
    if (clock.now() - lookedAt < FRESH_MS) return
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

  const watch = async () => {
    while (!lifecycle.signal.aborted) {
      await update()
      await clock.sleep(WATCH_MS, lifecycle.signal).catch(() => undefined)
    }
  }
  void watch()

  return {
    read: async () => {
      await update()
      return {
        storeAnswers,
        heights: new Map(
          [...known].map(([network, one]) => [
            network,
            { ...one, first: firsts.get(network), stalled: isStalled(network) },
          ]),
        ),
      }
    },
  }
}
