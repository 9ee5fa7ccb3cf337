import { type Clock, systemClock } from '../../../platform/context/clock.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import type { WatermarkState } from '../../../schema/watermark.ts'
import { withLease } from './leases.ts'

const HEIGHTS = readSql(import.meta.url, '../sql/heights.sql')
const VERSION = readSql(import.meta.url, '../sql/heights-version.sql')

/** Where the tables stand. Everything that is read together has to be bounded by the same ones. */
export type Heights = {
  /** Final tables (and states fed by them) hold blocks up to here; `undefined` where the network has no hot tier. */
  settled: number | undefined
  /** Newest complete block of either tier; bound hot reads by it, because newer rows may be half there. 0 for none. */
  head: number
  /** Time of that block, Unix seconds. */
  time: number
}

type State = { version: string; state: WatermarkState }
type Row = State & { what: 'mark' | 'hot' | 'final'; number: number; time: number }

const readHeights = async (store: Store, network: Network) => {
  const rows = await store.query<Row>(HEIGHTS, { network }, { route: 'heights' })
  const find = (what: Row['what']) => rows.find((row) => row.what === what)
  const mark = find('mark')
  const hot = find('hot')
  const final = find('final')
  const busy = mark !== undefined && mark.state !== 'settled'
  // Where blocks are final at once only a rebuild enters states: there is no height to take from it.
  if (!mark || networkInfo(network).reorgWindow === 0) {
    const heights = { settled: undefined, head: final?.number ?? 0, time: final?.time ?? 0 }
    return { version: mark?.version ?? '0', busy, heights }
  }
  const settled = mark.number
  const { number: head, time } = hot && hot.number > settled ? hot : { number: settled, time: final?.time ?? 0 }
  return { version: mark.version, busy, heights: { settled, head, time } }
}

const isUnchanged = async (store: Store, network: Network, version: string): Promise<boolean> => {
  const [row] = await store.query<State>(VERSION, { network }, { route: 'heights_version' })
  return row ? row.version === version && row.state === 'settled' : version === '0'
}

/**
 * How long a read may wait for tables in motion. Batches of many wallets give up sooner, to be tried again in halves.
 */
export type Patience = {
  /** How long to wait for one move or undo to end, ms. @default 10_000 */
  restMs?: number
  /** A read that was overtaken is repeated until this long (ms) after the first began, and once at least. @default 10_000 */
  repeatMs?: number
  /** Pause between looks at tables in motion, ms. */
  pauseMs?: number
  clock?: Clock
}

/** Heights of tables at rest. @throws RetryableError ASSAY_STORE_UNSETTLED when they do not come to rest within `restMs`. */
const waitForRest = async (store: Store, network: Network, restMs: number, pauseMs: number, clock: Clock) => {
  const deadline = clock.now() + restMs
  for (;;) {
    const { busy, ...rest } = await readHeights(store, network)
    if (!busy) return rest
    if (clock.now() >= deadline) {
      throw new RetryableError(
        'ASSAY_STORE_UNSETTLED',
        `The tables of ${network} were in motion for ${restMs} ms. We answered nothing rather than something half. Check that its scorer runs.`,
      )
    }
    await clock.sleep(pauseMs)
  }
}

/** Reads until nothing moved meanwhile. `version` is that of the state it was read in. */
const readQuietly = async <T>(
  store: Store,
  network: Network,
  read: (heights: Heights, version: string) => Promise<T>,
  { restMs = 10_000, repeatMs = 10_000, pauseMs = 10, clock = systemClock }: Patience,
): Promise<{ result: T; version: string }> => {
  const deadline = clock.now() + repeatMs
  const attempt = async (asking: boolean) => {
    const { version, heights } = await waitForRest(store, network, restMs, pauseMs, clock)
    const look = async () => {
      const result = await read(heights, version)
      return (await isUnchanged(store, network, version)) ? { result, version } : undefined
    }
    return asking ? withLease(store, network, look) : look()
  }
  let done = await attempt(false)
  while (!done) {
    done = await attempt(true)
    if (done || clock.now() < deadline) continue
    throw new RetryableError(
      'ASSAY_STORE_READ_OVERTAKEN',
      `The tables of ${network} moved on during every attempt to read them. We answered nothing rather than something half. Reads take longer than the tables rest: give the store more CPU, or look for what else loads it.`,
    )
  }
  return done
}

/**
 * Runs a read of several statements against a state that does not change under it: waits while a move or an undo is in
 * flight, and reads again when one happened meanwhile, this time asking moves to wait. Merge states of the final tier with hot rows of
 * blocks `settled < block_number <= head`.
 * @throws RetryableError ASSAY_STORE_UNSETTLED when the tables do not come to rest, ASSAY_STORE_READ_OVERTAKEN when every read was
 *   overtaken.
 */
export const readSettled = async <T>(
  store: Store,
  network: Network,
  read: (heights: Heights) => Promise<T>,
  patience: Patience = {},
): Promise<T> => (await readQuietly(store, network, read, patience)).result

/** `ahead` is what `begin` reads, of the same state as the heights. */
export type ReadAhead = <T, E>(
  network: Network,
  begin: () => Promise<E>,
  read: (heights: Heights, ahead: Promise<E>) => Promise<T>,
  patience?: Patience,
) => Promise<T>

/**
 * `readSettled` that begins what needs no heights before they are known. Versions only rise, so the tables stood still all the
 * while when the version found now is the one an earlier read ended with; otherwise what was begun is dropped and read again.
 */
export const createReadAhead = (store: Store): ReadAhead => {
  const versions = new Map<Network, string>()
  return async (network, begin, read, patience = {}) => {
    const known = versions.get(network)
    const early = known === undefined ? undefined : begin()
    early?.catch(() => undefined)
    const { result, version } = await readQuietly(
      store,
      network,
      (heights, version) => read(heights, early !== undefined && version === known ? early : begin()),
      patience,
    )
    versions.set(network, version)
    return result
  }
}
