/**
 * Alerts in the tables. An alert is its entries: the first one is a change of a verdict on a watched address, each later one something
 * that was done with it. Entries are only ever added, under the number that follows the last one its writer has seen. Of two that are added
 * under one number the store keeps the first, whichever replicas they came from, and the other writer is told so.
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

/** How long alerts are kept, ms: five years, as long as files on customers usually have to be. */
const KEPT_MS = 5 * 366 * 86_400_000
const INSERTS_AT_ONCE = 16
/** The last millisecond that the tables can hold. */
const NEVER = Date.UTC(2299, 0)

const millis = z.coerce.number()
const state = z.enum(ALERT_STATES)
/** Empty where there is none. */
const outcome = z.enum(['', ...ALERT_OUTCOMES])

const stood = { network: z.enum(NETWORK_CODES), address: z.string(), operation: z.enum(WATCHED_OPERATIONS) }
const pageRow = z.object({
  alert: z.string(),
  ...stood,
  state,
  outcome,
  revision: z.number(),
  comments: z.number(),
  /** Who made the last entry; empty where nobody did. */
  key: z.string(),
  author: z.string(),
  /** Times are milliseconds since the epoch. */
  created: millis,
  changed: millis,
})
const entryRow = z.object({
  alert: z.string(),
  ...stood,
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
/** Something that was done with an alert. */
export type Entry = z.output<typeof entryRow>
/** An alert as it is now. */
export type Alert = z.output<typeof pageRow> & { change: VerdictChange }

/** What is done with an alert. */
export type Addition = Pick<Entry, 'state' | 'outcome' | 'comment' | 'key' | 'author' | 'at'>

/** An addition, and what its writer has seen of the alert. */
export type Behind = { seen: readonly Entry[]; addition: Addition }
/** Entries of alerts, in order. */
export type Histories = ReadonlyMap<string, Entry[]>

/** What a reader may know: networks and operations. */
export type Sight = { networks: readonly string[]; operations: readonly string[] }

/** Which alerts are meant. What is left out restricts nothing. */
export type AlertSelection = {
  state?: string | undefined
  network?: string | undefined
  /** Canonical. */
  address?: string | undefined
  direction?: string | undefined
  /** Name given with the last entry. */
  author?: string | undefined
  before?: { created: number; alert: string } | undefined
  limit: number
}

/** The id follows from the change: noticed again, it is the same alert. */
export const alertIdOf = (...parts: readonly (string | number)[]): string =>
  `alert_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)}`

/** A change that becomes an alert. `created` is in milliseconds since the epoch. */
export type NewAlert = { account: string; alert: string; created: number; change: VerdictChange }

/** Alerts of all accounts. Every call names the account it is for. */
export type Alerts = {
  /** Makes alerts. Those that there are stay as they are. */
  create: (made: readonly NewAlert[]) => Promise<void>
  page: (account: string, sight: Sight, selection: AlertSelection) => Promise<Alert[]>
  counts: (account: string, sight: Sight) => Promise<Record<(typeof ALERT_STATES)[number], number>>
  /** Everything that was done with alerts, in order, by alert. One that there is not is left out. */
  entries: (account: string, alerts: readonly string[]) => Promise<Histories>
  /** Bytes that the entries of each alert hold, about. */
  sizes: (account: string, alerts: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Adds an entry to each of some alerts, behind the last that was seen. What there is then; without those to which another one was added first. */
  add: (account: string, additions: readonly Behind[]) => Promise<Histories>
  count: (account: string) => Promise<number>
  /** Removes all alerts of an account. */
  erase: (account: string) => Promise<void>
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** What an alert is about. @throws when a stored change is not one. */
export const changeOf = (body: string): VerdictChange => verdictChange.parse(JSON.parse(body))

/** An alert as its entries leave it. */
export const alertOf = (alert: string, entries: readonly Entry[]): Alert | undefined => {
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last || first.entry !== 0) return undefined
  const { network, address, operation, created, body } = first
  const comments = entries.filter(({ comment }) => comment !== '').length
  const { state, outcome, key, author } = last
  const now = { state, outcome, key, author, revision: last.entry, changed: last.at }
  return { alert, network, address, operation, created, comments, ...now, change: changeOf(body) }
}

/** Entries are only added. Of two of one number the first is in force, and the second caller is told so. */
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
  /** Each alert in an insert of its own: its token is what lets the store refuse a second entry of one number. */
  const insertBehind = async (account: string, { seen, addition }: Behind): Promise<void> => {
    const last = seen.at(-1)
    if (!last) return
    const { alert, network, address, operation, created, expires } = last
    const entry = last.entry + 1
    const { direction } = changeOf(seen[0]?.body ?? '')
    const row = { account, alert, entry, network, address, operation, direction, created: seconds(created), expires }
    // An alert that was erased and noticed again is another one: its entries are not those of the first.
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
      sight,
      { state: of = '', network = '', address = '', direction = '', author = '', before, limit },
    ) => {
      const { created, alert } = before ?? { created: NEVER, alert: '' }
      const parameters = { account, ...sight, state: of, network, address, direction, author, limit }
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
      // One that was erased in between is not shown.
      return alerts.flatMap((row) => {
        const body = changes.get(row.alert)
        return body === undefined ? [] : [{ ...row, change: changeOf(body) }]
      })
    },
    counts: async (account, sight) => {
      const rows = await store.query<{ state: string; alerts: string }>(
        COUNTS,
        { account, ...sight },
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
      await atOnce(INSERTS_AT_ONCE, additions, (one) => insertBehind(account, one))
      const ids = additions.flatMap(({ seen }) => seen[0]?.alert ?? [])
      const now = await entriesOf(account, ids)
      const heard = additions.flatMap(({ seen, addition }) => {
        const last = seen.at(-1)
        if (!last) return []
        const history = now.get(last.alert) ?? []
        const kept = history.find(({ entry }) => entry === last.entry + 1)
        if (!kept)
          throw new RetryableError('ASSAY_STORE_UNAVAILABLE', 'An entry of an alert was stored and cannot be read yet.')
        const isOwn = Object.entries(addition).every(([name, value]) => kept[name as keyof Addition] === value)
        return isOwn ? [[last.alert, history] as const] : []
      })
      return new Map(heard)
    },
    count: async (account) => {
      const [row] = await store.query<{ alerts: string }>(COUNT, { account }, { route: 'alert_count' })
      return Number(row?.alerts ?? 0)
    },
    erase: (account) => store.command(ERASE, { account }),
  }
}
