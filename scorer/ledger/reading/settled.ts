import { type Clock, systemClock } from '../../../platform/context/clock.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import type { WatermarkState } from '../../../schema/watermark.ts'
import { withLease } from './leases.ts'

const HEIGHTS = readSql(import.meta.url, '../sql/heights.sql')
const VERSION = readSql(import.meta.url, '../sql/heights-version.sql')

/** Heights of the tables. Everything that is read together must be bounded by the same heights. */
export type Heights = {
  /** Newest block of the final tables and their aggregate states; `undefined` if the network has no hot tier. */
  settled: number | undefined
  /** Newest complete block of either tier; 0 for none. Bound hot reads by it, because newer rows may be incomplete. */
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
  // Networks with instant finality enter states only during a rebuild, which has no height.
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

/** How long a read may wait for tables that are being moved. Batches of many wallets give up sooner, to retry in halves. */
export type Patience = {
  /** How long to wait for one move or undo to end, ms. @default 10_000 */
  restMs?: number
  /** An overtaken read is repeated until this long after the first attempt began, ms, and at least once. @default 10_000 */
  repeatMs?: number
  /** Poll interval while waiting, ms. */
  pauseMs?: number
  clock?: Clock
}

/** Waits for settled tables and returns their heights. @throws RetryableError ASSAY_STORE_UNSETTLED after `restMs`. */
const waitUntilSettled = async (store: Store, network: Network, restMs: number, pauseMs: number, clock: Clock) => {
  const deadline = clock.now() + restMs
  for (;;) {
    const { busy, ...rest } = await readHeights(store, network)
    if (!busy) return rest
    if (clock.now() >= deadline) {
      throw new RetryableError(
        'ASSAY_STORE_UNSETTLED',
        `A move or an undo in the tables of ${network} has not finished within ${restMs} ms. The read failed, because its result could be inconsistent. Check that the scorer of the network runs.`,
      )
    }
    await clock.sleep(pauseMs)
  }
}

/** Reads until no move happened during the read. Returns the version of the state that was read. */
const readUnchanged = async <T>(
  store: Store,
  network: Network,
  read: (heights: Heights, version: string) => Promise<T>,
  { restMs = 10_000, repeatMs = 10_000, pauseMs = 10, clock = systemClock }: Patience,
): Promise<{ result: T; version: string }> => {
  const deadline = clock.now() + repeatMs
  const attempt = async (asking: boolean) => {
    const { version, heights } = await waitUntilSettled(store, network, restMs, pauseMs, clock)
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
      `The tables of ${network} changed during every attempt to read them. The read failed, because its result could be inconsistent. Reads take longer than the time between two moves: give the store more CPU or reduce its other load.`,
    )
  }
  return done
}

/**
 * Runs a read of several statements against a state that does not change during it. Waits while a move or an undo is under way, and
 * reads again, with a lease, if one happened during the read. Bound hot rows by `settled < block_number <= head`.
 * @throws RetryableError ASSAY_STORE_UNSETTLED if the tables do not settle, ASSAY_STORE_READ_OVERTAKEN if every attempt was overtaken.
 */
export const readSettled = async <T>(
  store: Store,
  network: Network,
  read: (heights: Heights) => Promise<T>,
  patience: Patience = {},
): Promise<T> => (await readUnchanged(store, network, read, patience)).result

/** `readSettled` with a part, `begin`, that starts before the heights are known. `ahead` is its result, from the same state. */
export type ReadAhead = <T, E>(
  network: Network,
  begin: () => Promise<E>,
  read: (heights: Heights, ahead: Promise<E>) => Promise<T>,
  patience?: Patience,
) => Promise<T>

/**
 * Creates a `ReadAhead`. Versions only increase: if the version equals that at the end of an earlier read, the tables did not change
 * in between and the early result is valid. Otherwise it is dropped and read again.
 */
export const createReadAhead = (store: Store): ReadAhead => {
  const versions = new Map<Network, string>()
  return async (network, begin, read, patience = {}) => {
    const known = versions.get(network)
    const early = known === undefined ? undefined : begin()
    early?.catch(() => undefined)
    const { result, version } = await readUnchanged(
      store,
      network,
      (heights, version) => read(heights, early !== undefined && version === known ? early : begin()),
      patience,
    )
    versions.set(network, version)
    return result
  }
}
