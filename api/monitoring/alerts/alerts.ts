/**
 * Stored alerts. An alert is an append-only list of entries: the first is the changed verdict on a watched address, later ones are states
 * and comments. A writer adds an entry with the number after the last one it has read. If two writers on any replicas use one number,
 * the store keeps the first, and `add` reports the conflict to the other.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { RetryableError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { NETWORK_CODES } from '../../../schema/networks.ts'
import { type VerdictChange, verdictChange, WATCHED_OPERATIONS } from '../../../schema/records/service/monitoring.ts'
import { ALERT_OUTCOMES, ALERT_STATES } from '../../../schema/tables/service/monitoring.ts'
import { atOnce } from '../../at-once.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const PAGE = sql('page')
const CHANGES = sql('changes')
const COUNTS = sql('counts')
const ENTRIES = sql('entries')
const SIZES = sql('sizes')
const COUNT = sql('count')
const ERASE = sql('erase-alerts')

/** How long alerts are kept, ms: five years, the usual retention of customer files. */
const KEPT_MS = 5 * 366 * 86_400_000
const INSERT_CONCURRENCY = 16
/** The last millisecond that the tables can hold. */
const NEVER = Date.UTC(2299, 0)

const millis = z.coerce.number()
const state = z.enum(ALERT_STATES)
/** Empty: none. */
const outcome = z.enum(['', ...ALERT_OUTCOMES])

const subjectColumns = { network: z.enum(NETWORK_CODES), address: z.string(), operation: z.enum(WATCHED_OPERATIONS) }
const pageRow = z.object({
  alert: z.string(),
  ...subjectColumns,
  state,
  outcome,
  revision: z.number(),
  comments: z.number(),
  /** Key of the last entry; empty for the change itself. */
  key: z.string(),
  author: z.string(),
  /** Times are milliseconds since the epoch. */
  created: millis,
  changed: millis,
})
const entryRow = z.object({
  alert: z.string(),
  ...subjectColumns,
  entry: z.number(),
  body: z.string(),
  created: millis,
  at: millis,
  state,
  outcome,
  comment: z.string(),
  key: z.string(),
  author: z.string(),
  /** Unix seconds. */
  expires: z.number(),
})
/** An entry of an alert. */
export type Entry = z.output<typeof entryRow>
/** An alert in its current state. */
export type Alert = z.output<typeof pageRow> & { change: VerdictChange }

/** Content of a new entry. */
export type Addition = Pick<Entry, 'state' | 'outcome' | 'comment' | 'key' | 'author' | 'at'>

/** A new entry, and the entries that its writer has read. */
export type PendingEntry = { seen: readonly Entry[]; addition: Addition }
/** Entries of alerts in order, by alert. */
export type Histories = ReadonlyMap<string, Entry[]>

/** Networks and operations that a key may access. */
export type Visibility = { networks: readonly string[]; operations: readonly string[] }

/** Selects alerts. Absent fields do not restrict. */
export type AlertSelection = {
  state?: string | undefined
  network?: string | undefined
  /** Canonical. */
  address?: string | undefined
  direction?: string | undefined
  /** Author of the last entry. */
  author?: string | undefined
  before?: { created: number; alert: string } | undefined
  limit: number
}

/** Id of an alert. Derived from the change, so that detecting it again yields the same alert. */
export const alertIdOf = (...parts: readonly (string | number)[]): string =>
  `alert_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)}`

/** A change that becomes an alert. `created` is in milliseconds since the epoch. */
export type NewAlert = { account: string; alert: string; created: number; change: VerdictChange }

/** Alerts of all accounts. */
export type Alerts = {
  /** Creates alerts. Existing ones stay unchanged. */
  create: (made: readonly NewAlert[]) => Promise<void>
  page: (account: string, visibility: Visibility, selection: AlertSelection) => Promise<Alert[]>
  counts: (account: string, visibility: Visibility) => Promise<Record<(typeof ALERT_STATES)[number], number>>
  /** Entries of alerts. Omits unknown alerts. */
  entries: (account: string, alerts: readonly string[]) => Promise<Histories>
  /** Approximate size of the entries of each alert, bytes. */
  sizes: (account: string, alerts: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Appends one entry to each alert. Returns the new histories; omits alerts to which another entry was added first. */
  add: (account: string, additions: readonly PendingEntry[]) => Promise<Histories>
  count: (account: string) => Promise<number>
  /** Removes all alerts of an account. */
  erase: (account: string) => Promise<void>
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** The changed verdict of an alert. @throws ZodError or SyntaxError for an invalid stored change */
export const changeOf = (body: string): VerdictChange => verdictChange.parse(JSON.parse(body))

/** The state of an alert after its entries. */
export const alertOf = (alert: string, entries: readonly Entry[]): Alert | undefined => {
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last || first.entry !== 0) return undefined
  const { network, address, operation, created, body } = first
  const comments = entries.filter(({ comment }) => comment !== '').length
  const { state, outcome, key, author } = last
  const now = { state, outcome, key, author, revision: last.entry, changed: last.at }
  return { alert, network, address, operation, created, comments, ...now, change: changeOf(body) }
}

/** Alerts in the store. */
export const createAlerts = (store: Store): Alerts => {
  const insert = (rows: readonly object[], options?: { token: string }) =>
    store.insert('alert_entries', rows.map((row) => `${JSON.stringify(row)}\n`).join(''), options)
  const entriesOf: Alerts['entries'] = async (account, alerts) => {
    const rows = await store.query(ENTRIES, { account, alerts }, { route: 'alert_entries' })
    const histories = new Map<string, Entry[]>()
    for (const entry of z.array(entryRow).parse(rows)) {
      const history = histories.get(entry.alert)
      if (history) history.push(entry)
      else histories.set(entry.alert, [entry])
    }
    return histories
  }
  /** One insert per alert: its token makes the store drop a second entry with the same number. */
  const append = async (account: string, { seen, addition }: PendingEntry): Promise<void> => {
    const last = seen.at(-1)
    if (!last) return
    const { alert, network, address, operation, created, expires } = last
    const entry = last.entry + 1
    const { direction } = changeOf(seen[0]?.body ?? '')
    const row = { account, alert, entry, network, address, operation, direction, created: seconds(created), expires }
    // The token includes `created`: an alert that was erased and detected again is a new one.
    const token = `alert_entries:${account}:${alert}:${created}:${entry}`
    await insert([{ ...row, ...addition, at: seconds(addition.at) }], { token })
  }
  return {
    create: async (made) => {
      if (made.length === 0) return
      await insert(
        made.map(({ account, alert, created, change }) => ({
          account,
          alert,
          entry: 0,
          network: change.network,
          address: change.address,
          operation: change.operation,
          direction: change.direction,
          body: JSON.stringify(change),
          created: seconds(created),
          at: seconds(created),
          state: 'open',
          expires: Math.floor((created + KEPT_MS) / 1_000),
        })),
      )
    },
    page: async (
      account,
      visibility,
      { state: of = '', network = '', address = '', direction = '', author = '', before, limit },
    ) => {
      const { created, alert } = before ?? { created: NEVER, alert: '' }
      const parameters = { account, ...visibility, state: of, network, address, direction, author, limit }
      const rows = await store.query(PAGE, { ...parameters, before: created, beforeAlert: alert }, { route: 'alerts' })
      const alerts = z.array(pageRow).parse(rows)
      if (alerts.length === 0) return []
      const ids = alerts.map((row) => row.alert)
      const bodies = await store.query<{ alert: string; body: string }>(
        CHANGES,
        { account, alerts: ids },
        { route: 'alert_changes' },
      )
      const changes = new Map(bodies.map((row) => [row.alert, row.body]))
      // Omits alerts erased in between.
      return alerts.flatMap((row) => {
        const body = changes.get(row.alert)
        return body === undefined ? [] : [{ ...row, change: changeOf(body) }]
      })
    },
    counts: async (account, visibility) => {
      const rows = await store.query<{ state: string; alerts: string }>(
        COUNTS,
        { account, ...visibility },
        { route: 'alert_counts' },
      )
      const found = new Map(rows.map((row) => [row.state, Number(row.alerts)]))
      const of = (name: (typeof ALERT_STATES)[number]) => found.get(name) ?? 0
      return { open: of('open'), under_review: of('under_review'), closed: of('closed') }
    },
    entries: entriesOf,
    sizes: async (account, alerts) => {
      const rows = await store.query<{ alert: string; bytes: number }>(
        SIZES,
        { account, alerts },
        { route: 'alert_sizes' },
      )
      return new Map(rows.map(({ alert, bytes }) => [alert, bytes]))
    },
    add: async (account, additions) => {
      await atOnce(INSERT_CONCURRENCY, additions, (one) => append(account, one))
      const ids = additions.flatMap(({ seen }) => seen[0]?.alert ?? [])
      const now = await entriesOf(account, ids)
      const appended = additions.flatMap(({ seen, addition }) => {
        const last = seen.at(-1)
        if (!last) return []
        const history = now.get(last.alert) ?? []
        const kept = history.find(({ entry }) => entry === last.entry + 1)
        if (!kept)
          throw new RetryableError('ASSAY_STORE_UNAVAILABLE', 'A stored alert entry cannot be read yet. Try again.')
        const isOwn = Object.entries(addition).every(([name, value]) => kept[name as keyof Addition] === value)
        return isOwn ? [[last.alert, history] as const] : []
      })
      return new Map(appended)
    },
    count: async (account) => {
      const [row] = await store.query<{ alerts: string }>(COUNT, { account }, { route: 'alert_count' })
      return Number(row?.alerts ?? 0)
    },
    erase: (account) => store.command(ERASE, { account }),
  }
}
