/** Stored watch lists. A removed address leaves a tombstone for a day, so that no older row of it reappears. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const COUNT = sql('count')
const PRESENT = sql('present')
const PAGE = sql('page')
const WATCHERS = sql('watchers')
const SUBJECTS = sql('subjects')
const CHANGES = sql('changes')
const REMOVED = sql('removed')
const CLEAR = [sql('clear-list'), sql('clear-watchers')]
const CLEAR_VERDICTS = sql('clear-verdicts')
const ERASE = [sql('erase-list'), sql('erase-watchers')]
/** Tombstones first: otherwise a row could reappear while the parts of the tables are rewritten one after another. */
const REMOVE = [sql('mark-list'), sql('remove-list'), sql('remove-watchers')]

/** How long tombstones stay, hours. */
const TOMBSTONE_HOURS = 24
const CLEAR_PAGE = 5_000
/** Pages per call of `clear`: enough for a list of the default limit. */
const MAX_CLEAR_PAGES = 20

const subjectRow = z.object({ network: z.enum(NETWORK_CODES), address: z.string() })
/** An address on its network, canonical. */
export type WatchSubject = z.output<typeof subjectRow>

const watcherRow = subjectRow.extend({ account: z.string() })
const changeRow = subjectRow.extend({ stored: z.coerce.number() })
const countRow = z.object({ addresses: z.coerce.number() })

/** Map key of an address on its network. */
export const subjectKey = ({ network, address }: WatchSubject): string => `${network} ${address}`

/** Parameters of statements for several addresses on several networks. */
export const parametersOf = (subjects: readonly WatchSubject[]) => ({
  networks: [...new Set(subjects.map(({ network }) => network))],
  addresses: [...new Set(subjects.map(({ address }) => address))],
})

/** Watch lists of all accounts. */
export type WatchList = {
  /** Number of addresses that an account watches. */
  count: (account: string) => Promise<number>
  /** The given addresses that the account watches. */
  present: (account: string, subjects: readonly WatchSubject[]) => Promise<WatchSubject[]>
  page: (account: string, after: WatchSubject | undefined, limit: number) => Promise<WatchSubject[]>
  /** Marks addresses as watched or unwatched. */
  write: (account: string, subjects: readonly WatchSubject[], isWatched: boolean) => Promise<void>
  /** Removes an account's list. Effective at once; the store deletes its rows soon after, and tombstones stay for a day. */
  remove: (account: string) => Promise<void>
  /** Deletes an account's list completely, including tombstones. */
  erase: (account: string) => Promise<void>
  /** Accounts that watch the addresses, by `subjectKey`. */
  watchersOf: (subjects: readonly WatchSubject[]) => Promise<ReadonlyMap<string, string[]>>
  /** Watched addresses of all accounts in order, after a given one. */
  subjects: (after: WatchSubject | undefined, limit: number, only?: Network) => Promise<WatchSubject[]>
  /** Addresses added since a time (ms of the store's clock), oldest first. */
  changes: (since: number, limit: number) => Promise<(WatchSubject & { stored: number })[]>
  /** Removes expired tombstones, and verdicts of unwatched addresses. */
  clear: () => Promise<void>
}

/** Lists in the store. Its clock orders the writes of replicas. */
export const createWatchList = (store: Store): WatchList => {
  const watchersOf: WatchList['watchersOf'] = async (subjects) => {
    const found = new Map<string, string[]>()
    if (subjects.length === 0) return found
    const rows = await store.query(WATCHERS, parametersOf(subjects), { route: 'watchers' })
    for (const { account, ...subject } of z.array(watcherRow).parse(rows)) {
      const key = subjectKey(subject)
      found.set(key, [...(found.get(key) ?? []), account])
    }
    return found
  }
  /** Returns the number of removed tombstones. */
  const clearPage = async (): Promise<number> => {
    const marks = { hours: TOMBSTONE_HOURS, limit: CLEAR_PAGE }
    const removed = z.array(watcherRow).parse(await store.query(REMOVED, marks, { route: 'watch_removed' }))
    if (removed.length === 0) return 0
    const rows = removed.map(({ account, network, address }) => `${account} ${network} ${address}`)
    for (const statement of CLEAR) await store.command(statement, { rows, hours: TOMBSTONE_HOURS })
    const watched = await watchersOf(removed)
    const unwatched = removed.map(subjectKey).filter((key) => !watched.has(key))
    if (unwatched.length > 0) await store.command(CLEAR_VERDICTS, { rows: unwatched })
    return removed.length
  }
  return {
    watchersOf,
    count: async (account) => {
      const [row] = z.array(countRow).parse(await store.query(COUNT, { account }, { route: 'watch_list' }))
      return row?.addresses ?? 0
    },
    present: async (account, subjects) => {
      if (subjects.length === 0) return []
      const rows = await store.query(PRESENT, { account, ...parametersOf(subjects) }, { route: 'watch_list' })
      const asked = new Set(subjects.map(subjectKey))
      return z
        .array(subjectRow)
        .parse(rows)
        .filter((subject) => asked.has(subjectKey(subject)))
    },
    page: async (account, { network = '', address = '' } = {} as WatchSubject, limit) =>
      z.array(subjectRow).parse(await store.query(PAGE, { account, network, address, limit }, { route: 'watch_list' })),
    write: async (account, subjects, isWatched) => {
      if (subjects.length === 0) return
      const rows = subjects.map(({ network, address }) => ({ account, network, address, watched: isWatched ? 1 : 0 }))
      await store.insert('watch_list', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
    },
    remove: async (account) => {
      for (const statement of REMOVE) await store.command(statement, { account })
    },
    erase: async (account) => {
      for (const statement of ERASE) await store.command(statement, { account })
    },
    subjects: async ({ network = '', address = '' } = {} as WatchSubject, limit, only = undefined) =>
      z
        .array(subjectRow)
        .parse(
          await store.query(SUBJECTS, { network, address, limit, only: only ?? '' }, { route: 'watched_subjects' }),
        ),
    changes: async (since, limit) =>
      z.array(changeRow).parse(await store.query(CHANGES, { since, limit }, { route: 'watch_changes' })),
    clear: async () => {
      for (let pages = 0; pages < MAX_CLEAR_PAGES && (await clearPage()) === CLEAR_PAGE; pages++);
    },
  }
}
