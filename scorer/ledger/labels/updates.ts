/**
 * History of list fetches in the store. A fetch begins with an insert whose deduplication token is its number: of two that begin at
 * once, in any process, the store keeps the first. A fetch that has not ended after ten minutes counts as abandoned; no fetch may take
 * longer.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const STATES = readSql(import.meta.url, './sql/list-states.sql')
const UNQUEUED = readSql(import.meta.url, './sql/list-unqueued.sql')
const OWNER = readSql(import.meta.url, './sql/list-owner.sql')
const NEWEST = readSql(import.meta.url, './sql/newest-version.sql')

/** How long a fetch may run before another may replace it, ms. */
export const ABANDONED_AFTER_MS = 600_000

type UpdateOutcome = 'applied' | 'unchanged' | 'refused' | 'failed'

/** State of a list. Times in ms since the epoch, 0 for never. */
export type ListState = {
  source: string
  generation: bigint
  outcome: UpdateOutcome | 'running'
  message: string
  at: number
  /** When the source last returned a list that was accepted. */
  confirmedAt: number
  version: string
  definition: string
  /** JSON text. */
  validators: string
  labels: number
}

type Stored = Omit<ListState, 'generation' | 'at' | 'confirmedAt'> & {
  generation: string
  at: string
  confirmed_at: string
}

/** Newest state of every list, by source. */
export const listStates = async (store: Store): Promise<Map<string, ListState>> =>
  new Map(
    (await store.query<Stored>(STATES, undefined, { route: 'label_list_states' })).map(
      ({ generation, at, confirmed_at, ...row }) => [
        row.source,
        { ...row, generation: BigInt(generation), at: Number(at), confirmedAt: Number(confirmed_at) },
      ],
    ),
  )

/** Result of a fetch. */
export type UpdateEnd = { outcome: UpdateOutcome } & Partial<
  Pick<ListState, 'version' | 'definition' | 'validators' | 'labels' | 'message'>
>

type Row = UpdateEnd | { outcome: 'running' | 'queued' }

const write = (
  store: Store,
  { source, generation, owner, at, ...row }: Row & { source: string; generation: bigint; owner: string; at: number },
) =>
  store.insert(
    'label_updates',
    `${JSON.stringify({ ...row, source, generation: generation.toString(), owner, at: new Date(at).toISOString().slice(0, -1).replace('T', ' ') })}\n`,
    {
      token: `label_updates:${source}:${generation}:${row.outcome === 'running' ? 'begin' : row.outcome === 'queued' ? 'queued' : `end:${owner}`}`,
    },
  )

/** A running fetch. Call `end` once. */
export type Update = { end: (now: number, how: UpdateEnd) => Promise<void> }

/** Begins a fetch; `undefined` if another one is running. @param owner random id @param now ms since the epoch */
export const beginUpdate = async (
  store: Store,
  source: string,
  before: ListState | undefined,
  owner: string,
  now: number,
): Promise<Update | undefined> => {
  if (before?.outcome === 'running' && Math.abs(now - before.at) < ABANDONED_AFTER_MS) return undefined
  const generation = (before?.generation ?? 0n) + 1n
  await write(store, { source, generation, owner, outcome: 'running', at: now })
  const [kept] = await store.query<{ owner: string }>(
    OWNER,
    { source, generation: generation.toString() },
    { route: 'label_list_owner' },
  )
  if (kept?.owner !== owner) return undefined
  return { end: (at, how) => write(store, { source, generation, owner, at, ...how }) }
}

/** Records a list that was not fetched. @param at when the list was valid, ms since the epoch */
export const noteList = (
  store: Store,
  source: string,
  before: ListState | undefined,
  at: number,
  how: UpdateEnd,
): Promise<void> => write(store, { ...how, source, generation: (before?.generation ?? 0n) + 1n, owner: 'assay', at })

/** A list whose wallets have not been queued for scoring yet. Times in ms since the epoch. */
export type Unqueued = { source: string; generation: bigint; since: number; appliedAt: number }

/** Lists that were applied but whose wallets were not queued, for example because the process crashed. */
export const unqueuedLists = async (store: Store): Promise<Unqueued[]> =>
  (
    await store.query<{ source: string; generation: string; since: string; applied_at: string }>(UNQUEUED, undefined, {
      route: 'label_lists_unqueued',
    })
  ).map(({ source, generation, since, applied_at }) => ({
    source,
    generation: BigInt(generation),
    since: Number(since),
    appliedAt: Number(applied_at),
  }))

/** Records that the wallets of a list were queued. @param now ms since the epoch */
export const noteQueued = (store: Store, { source, generation }: Unqueued, now: number): Promise<void> =>
  write(store, { source, generation, owner: 'assay', outcome: 'queued', at: now })

/** Time of the newest statement of a list or detector that is not revoked, ms since the epoch; 0 for none. */
export const newestStatement = async (store: Store, detector: string): Promise<number> => {
  const [row] = await store.query<{ newest: string }>(NEWEST, { detector }, { route: 'label_newest' })
  return Number(row?.newest ?? 0)
}
