/** Watch lists in the tables. A removed address stays as a mark for a day, so that no older row of it comes back. */
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
/** First the marks, without which a row could show again while the parts of the tables are rewritten one after the other. */
const REMOVE = [sql('mark-list'), sql('remove-list'), sql('remove-watchers')]

/** How long marks of removed addresses stay, hours. */
const MARKED_HOURS = 24
const CLEARED_AT_ONCE = 5_000
/** How often that much is cleared in a row: lists of the usual limit go at once. */
const MOST_CLEARED = 20

const subjectRow = z.object({ network: z.enum(NETWORK_CODES), address: z.string() })
/** An address on its network, canonical. */
export type WatchSubject = z.output<typeof subjectRow>

const watcherRow = subjectRow.extend({ account: z.string() })
const changeRow = subjectRow.extend({ stored: z.coerce.number() })
const countRow = z.object({ addresses: z.coerce.number() })

/** An address with its network, as keys of maps. */
export const subjectKey = ({ network, address }: WatchSubject): string => `${network} ${address}`

/** Arrays for statements that look for several addresses on several networks at once. */
export const parametersOf = (subjects: readonly WatchSubject[]) => ({
  networks: [...new Set(subjects.map(({ network }) => network))],
  addresses: [...new Set(subjects.map(({ address }) => address))],
})

/** Watch lists of all accounts. */
export type WatchList = {
  /** Addresses that an account watches. */
  count: (account: string) => Promise<number>
  /** Those of the addresses that it watches. */
  present: (account: string, subjects: readonly WatchSubject[]) => Promise<WatchSubject[]>
  page: (account: string, after: WatchSubject | undefined, limit: number) => Promise<WatchSubject[]>
  /** Writes that addresses are watched, or no longer. */
  write: (account: string, subjects: readonly WatchSubject[], isWatched: boolean) => Promise<void>
  /** Removes an account's list at once for everybody; the store removes its rows soon after, the marks stay for a day. */
  remove: (account: string) => Promise<void>
  /** Removes every trace of an account's list. */
  erase: (account: string) => Promise<void>
  /** Accounts that watch addresses, by `subjectKey`. */
  watchersOf: (subjects: readonly WatchSubject[]) => Promise<ReadonlyMap<string, string[]>>
  /** Watched addresses of all accounts behind one, in order. */
  subjects: (after: WatchSubject | undefined, limit: number, only?: Network) => Promise<WatchSubject[]>
  /** Addresses somebody began to watch since a time of the store's clock, ms, the first ones first. */
  changes: (since: number, limit: number) => Promise<(WatchSubject & { stored: number })[]>
  /** Removes marks whose time is over, and verdicts that nobody watches. */
  clear: () => Promise<void>
}

/** Lists in the store, whose clock orders what replicas write. */
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
  /** How many marks were cleared. */
  const clearPage = async (): Promise<number> => {
    const marks = { hours: MARKED_HOURS, limit: CLEARED_AT_ONCE }
    const removed = z.array(watcherRow).parse(await store.query(REMOVED, marks, { route: 'watch_removed' }))
    if (removed.length === 0) return 0
    const rows = removed.map(({ account, network, address }) => `${account} ${network} ${address}`)
    for (const statement of CLEAR) await store.command(statement, { rows, hours: MARKED_HOURS })
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
      for (let pages = 0; pages < MOST_CLEARED && (await clearPage()) === CLEARED_AT_ONCE; pages++);
    },
  }
}
