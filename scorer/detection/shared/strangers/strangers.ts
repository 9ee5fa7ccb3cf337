/**
 * Accounts that nothing links to each other or to the party they lost their assets to: they were active on their own, lived for
 * a while, and none was funded by the party, by another of them, or by a funder that they share.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { type OrganicActivity, organicallyActive } from '../organic-activity.ts'

const FUNDERS = readSql(import.meta.url, './account-funders.sql')

/** Accounts younger than this when it began do not count, s. */
const LIFE_S = 7 * 86_400
/** A funder of more parties than this is an exchange or a bridge: being funded by it links nobody. Our choice. */
const HUB_PAYEES = 500
/** Part of the accounts that one funder, however large, may have paid first: more are the customers of a custodian. */
const FUNDER_SHARE = 1 / 3
const FEW = 2
/** Accounts first seen on one day count once: wallets made in series have one owner. */
const DAY_S = 86_400
/** Accounts that one exchange paid first within one hour count once, where each is evidence by itself. */
const SERIES_S = 3_600

/** When an affair with an account began, Unix seconds. */
export type Affair = { account: string; first_seen: number }
/** An account that nothing links to the others: what it paid in fees (base units), and the day (UTC) it was first seen. */
export type Stranger<A extends Affair> = A & { fees: number; firstSeenDay: number }
type Funded = { address: string; funder: string; fees: number; first_seen: number | null; payees: number }

/** Who funded some accounts, and when they were first seen. */
export const loadFunded = async (
  { store, network }: LoadContext,
  accounts: Iterable<string>,
): Promise<ReadonlyMap<string, Funded>> => {
  const rows = await inPieces(accounts, (addresses) =>
    store.query<Funded>(FUNDERS, { network, addresses }, { route: 'funders' }),
  )
  return new Map(rows.map((row) => [row.address, row]))
}

/** Affairs with accounts that lived for a while before, and were funded neither by the sink nor by another of them. */
const apart = <A extends Affair>(sink: string, affairs: readonly A[], known: ReadonlyMap<string, Funded>) => {
  const group = new Set(affairs.map(({ account }) => account))
  return affairs.flatMap((affair) => {
    const row = known.get(affair.account)
    if (!row || row.first_seen === null || affair.first_seen - row.first_seen < LIFE_S) return []
    const { funder, fees, first_seen, payees } = row
    if (funder === '' || funder === sink || group.has(funder)) return []
    const stranger: Stranger<A> = { ...affair, fees, firstSeenDay: Math.floor(first_seen / DAY_S) }
    return [{ stranger, firstSeen: first_seen, funder, hub: payees > HUB_PAYEES }]
  })
}

const sinceWhen = (affairs: readonly Affair[]): Map<string, number> =>
  new Map(affairs.map(({ account, first_seen }) => [account, first_seen]))

/** Affairs with accounts that nothing links to each other or to the sink; none where too many have one funder. */
export const unrelated = <A extends Affair>(
  sink: string,
  affairs: readonly A[],
  activity: OrganicActivity,
  known: ReadonlyMap<string, Funded>,
): Stranger<A>[] => {
  const group = sinceWhen(affairs)
  const lives = organicallyActive(activity, group, new Set([sink]))
  const accounts = [...group.keys()].flatMap((account) => known.get(account) ?? [])
  const funded = new Map<string, number>()
  for (const { funder } of accounts) funded.set(funder, (funded.get(funder) ?? 0) + 1)
  if (Math.max(0, ...funded.values()) > Math.max(FEW, FUNDER_SHARE * accounts.length)) return []
  return apart(sink, affairs, known)
    .filter(({ stranger, funder, hub }) => lives.has(stranger.account) && (hub || funded.get(funder) === 1))
    .map(({ stranger }) => stranger)
}

/**
 * The same, one for each funder, or for each hour of a funder that is a hub. Where each account is evidence against the sink,
 * accounts that the sink adds to them take none away: those of one maker are left out before lives are compared.
 */
export const independent = <A extends Affair>(
  sink: string,
  affairs: readonly A[],
  activity: OrganicActivity,
  known: ReadonlyMap<string, Funded>,
): Stranger<A>[] => {
  const parties = new Set([sink, ...affairs.map(({ account }) => account)])
  const makers = new Set<string>()
  const first = apart(sink, affairs, known).flatMap(({ stranger, firstSeen, funder, hub }) => {
    const maker = hub ? `${funder} ${Math.floor(firstSeen / SERIES_S)}` : funder
    const active = organicallyActive(activity, sinceWhen([stranger]), parties).size > 0
    if (!active || makers.has(maker)) return []
    makers.add(maker)
    return [stranger]
  })
  const lives = organicallyActive(activity, sinceWhen(first), parties)
  return first.filter(({ account }) => lives.has(account))
}

/** Days on which the accounts were first seen. */
export const firstSeenDays = (strangers: readonly { firstSeenDay: number }[]): number =>
  new Set(strangers.map(({ firstSeenDay }) => firstSeenDay)).size
