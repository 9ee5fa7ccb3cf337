/**
 * The state of a network's rebuild in table `rebuilds`:
 *
 *     (none), done, paused --> building --> exchanging --> done
 *                   |  ^         ^ |
 *                   v  |         | +------> paused
 *                  filling ------+
 *
 * Scorers wait while it is `building` or `exchanging`. `filling` is a rebuild from the bus while scorers run.
 *
 * Entering a state is a compare-and-set by deduplication token, as in the chunk ledger. A rebuild that is `filling` or `building` confirms
 * its state every few seconds. After `SILENT_MS` without confirmation it is dead and counts as `paused`. One that is `exchanging` never
 * expires: the next rebuild completes it.
 */
import { OperatorError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'

const REBUILD = readSql(import.meta.url, './sql/rebuild.sql')

/** A writer or rebuild without a sign of life for this time is dead, ms. Longer than any statement of either. */
export const SILENT_MS = 180_000

/** Newest row of a network in table `rebuilds`. `position` is the position the new tables were made from, `steps` the number done. */
export type RebuildState = {
  version: bigint
  id: string
  what: 'aggregates' | 'base' | 'bus'
  state: 'filling' | 'building' | 'paused' | 'exchanging' | 'done'
  position: string
  buckets: number
  steps: number
  /** Time since the state was entered or confirmed, ms. */
  age: number
}

type Row = Omit<RebuildState, 'version' | 'age'> & { version: string; age: string }

/** Loads the state; undefined if the network was never rebuilt. Use `isAlive` to see whether its process still runs. */
export const currentRebuild = async (store: Store, network: Network): Promise<RebuildState | undefined> => {
  const [row] = await store.query<Row>(REBUILD, { network }, { route: 'rebuild' })
  return row && { ...row, version: BigInt(row.version), age: Number(row.age) }
}

/** Whether writers must wait for a rebuild in this state. */
export const isUnderWay = (rebuild: RebuildState | undefined): boolean =>
  rebuild?.state === 'exchanging' || (rebuild?.state === 'building' && rebuild.age < SILENT_MS)

/** Whether a process is filling new tables now. */
export const isAlive = (rebuild: RebuildState | undefined): boolean =>
  (rebuild?.state === 'building' || rebuild?.state === 'filling') && rebuild.age < SILENT_MS

/** @throws OperatorError ASSAY_REBUILD_RUNNING if another process was faster */
export const enterRebuild = async (
  store: Store,
  network: Network,
  before: RebuildState | undefined,
  next: Omit<RebuildState, 'version' | 'age'>,
): Promise<RebuildState> => {
  const version = (before?.version ?? 0n) + 1n
  await store.insert('rebuilds', `${JSON.stringify({ network, version: version.toString(), ...next })}\n`, {
    token: `rebuild:${network}:${version}`,
  })
  const current = await currentRebuild(store, network)
  const isOwn =
    current?.version === version &&
    current.id === next.id &&
    current.state === next.state &&
    current.steps === next.steps
  if (current && isOwn) return current
  throw rebuildRunning(network)
}

/** Error of a process that found another rebuild running, or that was considered dead by one. */
export const rebuildRunning = (network: Network): OperatorError =>
  new OperatorError(
    'ASSAY_REBUILD_RUNNING',
    `Another process is rebuilding the tables of ${network}. Nothing was changed. Wait until it is done. The work of a killed process is taken over after ${SILENT_MS / 1_000} s.`,
  )
