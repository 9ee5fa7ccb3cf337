/**
 * Whether the log of each authority is known from its first block on, from the past tier and the stream together. While a log is
 * incomplete, no wallet can be cleared of it.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { networksWith } from '../../../schema/networks/capabilities.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import {
  AUTHORITY_LISTS,
  type AuthorityList,
  type AuthorityLog,
  authorityLogsOf,
} from '../../../schema/registry/authorities.ts'

const LOGS = readSql(import.meta.url, './sql/logs.sql')

/** Maximum number of contract names in a reason. */
const NAMED = 3
/** Block 0 has no transactions and therefore no logs. */
const FIRST_WITH_LOGS = 1

type Row = {
  network: Network
  authority: string
  since: number
  from_block: number
  to_block: number
  reason: string
  target: number
  left: number
  first: number
}

/** Progress of reading the logs of a network, for status and metrics. */
type LogProgress = {
  /** Number of logs that are known from their first block on, and of all logs of the network. */
  complete: number
  logs: number
  /** Share of the blocks that was read, 0 to 1, of the log that is furthest behind. */
  part: number
  /** Estimated remaining time, seconds; 0 if not known. */
  leftSeconds: number
  /** Whether a part is missing that no endpoint of the indexer has. */
  stuck: boolean
}

/** Coverage of the logs of a network's authorities. Detectors that need a log answer unknown while it is `missing`. */
export type LogCoverage = {
  progress: LogProgress
  /** Contracts whose logs are not known from their first block on. */
  incomplete: ReadonlySet<string>
  /** Why not all logs of the kind are known; `undefined` if they are, or if the network has none. */
  missing: (list: AuthorityList) => string | undefined
}

/** Coverage with every log known. */
export const ALL_READ: LogCoverage = {
  incomplete: new Set(),
  missing: () => undefined,
  progress: { complete: 0, logs: 0, part: 1, leftSeconds: 0, stuck: false },
}

const reasonOf = (
  network: Network,
  log: AuthorityLog,
  row: Row | undefined,
  first: number | undefined,
): string | undefined => {
  if (first !== undefined && first <= FIRST_WITH_LOGS) return undefined
  if (!row)
    return networkInfo(network).dialect ? 'it was not read' : 'nodes cannot be asked for the logs of one contract'
  const { since, from_block: from, to_block: to, target, reason } = row
  // If the stream has not begun, the target of the past tier is needed.
  const needed = first === undefined ? target : Math.max(first - 1, since - 1)
  return from <= since && to >= needed && since <= Math.max(log.since, 0) ? undefined : reason || 'it is being read'
}

const incompleteReason = (missing: readonly (AuthorityLog & { reason: string })[]): string => {
  const names = [...new Set(missing.map(({ name }) => name))]
  const shown = names.slice(0, NAMED).join(', ')
  const others = names.length > NAMED ? ` and ${names.length - NAMED} others` : ''
  const reasons = [...new Set(missing.map(({ reason }) => reason))].join('; ')
  return `${LOG_IS_INCOMPLETE} (${shown}${others}: ${reasons})`
}

/** Prefix of the reason for answers that an incomplete log makes unknown. */
export const LOG_IS_INCOMPLETE = 'the log of the authority is not complete'

/** Whether a verdict is incomplete for that reason. */
export const hasIncompleteLog = (unknowns: readonly string[]): boolean =>
  unknowns.some((unknown) => unknown.includes(LOG_IS_INCOMPLETE))

const progressOf = (
  network: Network,
  missing: readonly AuthorityLog[],
  read: ReadonlyMap<string, Row>,
): LogProgress => {
  const logs = authorityLogsOf(network).length
  const parts = missing.map(({ authority }) => {
    const row = read.get(authority)
    return row ? Math.max(0, Math.min(1, (row.to_block + 1 - row.since) / Math.max(1, row.target + 1 - row.since))) : 0
  })
  const left = missing.map(({ authority }) => read.get(authority)?.left ?? 0)
  return {
    complete: logs - missing.length,
    logs,
    part: Math.min(1, ...parts),
    leftSeconds: Math.max(0, ...left),
    stuck: missing.some(({ authority }) => (read.get(authority)?.reason ?? '') !== ''),
  }
}

/** Computes the coverage of a network from its rows. */
const coverageOf = (network: Network, rows: readonly Row[]): LogCoverage => {
  const first = firstOf(rows)
  const read = new Map(rows.map((row) => [row.authority, row]))
  const missing = authorityLogsOf(network).flatMap((log) => {
    const reason = reasonOf(network, log, read.get(log.authority), first)
    return reason === undefined ? [] : [{ ...log, reason }]
  })
  const reasons = new Map(
    AUTHORITY_LISTS.flatMap((list): [AuthorityList, string][] => {
      const some = missing.filter((log) => log.list === list)
      return some.length > 0 ? [[list, incompleteReason(some)]] : []
    }),
  )
  const incomplete = new Set(missing.map(({ authority }) => authority))
  return { incomplete, missing: (list) => reasons.get(list), progress: progressOf(network, missing, read) }
}

const read = (store: Store, networks: readonly Network[]): Promise<Row[]> =>
  store.query<Row>(LOGS, { networks }, { route: 'authority_logs' })

const firstOf = (rows: readonly Row[]): number | undefined => rows.find(({ authority }) => authority === '')?.first

/** Loads the log coverage of a network. */
export const loadLogCoverage = async (store: Store, network: Network): Promise<LogCoverage> =>
  authorityLogsOf(network).length === 0 ? ALL_READ : coverageOf(network, await read(store, [network]))

/** Listings of these kinds hold for the same key on other networks. Mixer use concerns its own network only. */
const SHARED: readonly AuthorityList[] = ['sanctions', 'freeze']

/**
 * Networks whose listings also hold on networks with the same keys, and can be known. Where nodes cannot be asked for logs, missing
 * listings affect that network only.
 */
const LISTING = networksWith('ethereum-keys').filter(
  (network) =>
    networkInfo(network).dialect !== null && authorityLogsOf(network).some(({ list }) => SHARED.includes(list)),
)

/** Why listings of networks with the same keys are not all known; `undefined` if they are. */
export type Elsewhere = (list: AuthorityList) => string | undefined

/** Coverage that a verdict on a wallet of the network depends on. */
export type Coverage = {
  own: LogCoverage
  /** First covered block of the network; undefined while the index has none. */
  first: number | undefined
  elsewhere: Elsewhere
  /** Complete kinds of logs with their network: `ETH freeze`. */
  whole: ReadonlySet<string>
}

const wholeOf = (network: Network, { missing }: LogCoverage): string[] =>
  AUTHORITY_LISTS.filter(
    (list) => missing(list) === undefined && authorityLogsOf(network).some((log) => log.list === list),
  ).map((list) => `${network} ${list}`)

const listingFor = (network: Network): Network[] =>
  networksWith('ethereum-keys').includes(network) ? LISTING.filter((other) => other !== network) : []

/** Whether verdicts of a network depend on logs of authorities, its own or those elsewhere. */
export const dependsOnLogs = (network: Network): boolean =>
  authorityLogsOf(network).length + listingFor(network).length > 0

/** Loads the coverage of all logs with listings for a network's wallets: its own, and those of indexed networks with its keys. */
export const loadCoverage = async (store: Store, network: Network): Promise<Coverage> => {
  const others = listingFor(network)
  const rows = await read(store, [network, ...others])
  const of = (one: Network): Row[] => rows.filter((row) => row.network === one)
  const indexed = others.filter((other) => of(other).length > 0)
  const coverages = indexed.map((other) => ({ other, coverage: coverageOf(other, of(other)) }))
  const own = authorityLogsOf(network).length === 0 ? ALL_READ : coverageOf(network, of(network))
  return {
    own,
    first: firstOf(of(network)),
    whole: new Set([...wholeOf(network, own), ...coverages.flatMap(({ other, coverage }) => wholeOf(other, coverage))]),
    elsewhere: (list) => {
      if (!SHARED.includes(list)) return undefined
      const [why] = coverages.flatMap(({ other, coverage }) => {
        const missing = coverage.missing(list)
        return missing === undefined ? [] : [`${missing} on ${other}`]
      })
      return why
    },
  }
}

/** Coverage of a network including what is missing elsewhere. */
export const withElsewhere = (own: LogCoverage, elsewhere: Elsewhere): LogCoverage => ({
  ...own,
  missing: (list) => own.missing(list) ?? elsewhere(list),
})
