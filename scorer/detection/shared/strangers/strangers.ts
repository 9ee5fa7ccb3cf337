/**
 * Strangers: accounts that nothing links to each other or to the party they lost their assets to (the sink). They were active on
 * their own, existed for a while, and were not funded by the sink, by each other or by a common funder.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { type OrganicActivity, organicallyActive } from '../organic-activity.ts'

const FUNDERS = readSql(import.meta.url, './account-funders.sql')

/** Minimum age of an account when its dealings with the sink began, s. */
const LIFE_S = 7 * 86_400
/** A funder of more parties than this is an exchange or a bridge, and links nobody. Our choice. */
const HUB_PAYEES = 500
/**
 * Share of the accounts that one funder of `CUSTODIAN_PAYEES` or more may have funded; above it they are customers of one
 * custodian. Our choices. In two generated populations (3,000 wallets, 8 % of them bad, seeds 880101 and 880102) no honest wallet
 * emptied three strangers. In 18 of 21 runs of accounts that thieves emptied, one funder had created several: two or three, at
 * most a third, and it paid 33 parties or more. So any bound up to 33 gives the same verdicts there.
 */
const FUNDER_SHARE = 1 / 3
const FEW = 2
const CUSTODIAN_PAYEES = 20
/** Accounts first seen on one day count as one: wallets created in series have one owner. */
const DAY_S = 86_400
/** Accounts that one exchange funded within one hour count as one where each account is evidence by itself. */
const SERIES_S = 3_600

/** Start of an account's dealings with the sink, Unix seconds. */
export type Interaction = { account: string; first_seen: number }
/** An unlinked account: the fees it paid (base units) and the day (UTC) it was first seen. */
export type Stranger<A extends Interaction> = A & { fees: number; firstSeenDay: number }
type Funded = { address: string; funder: string; fees: number; first_seen: number | null; payees: number }

/** Whether the first funder of an account pays too many parties to link them. */
export const isHub = ({ payees }: Pick<Funded, 'payees'>): boolean => payees > HUB_PAYEES

/** Funders and first activity of accounts. */
export const loadFunded = async (
  { store, network }: LoadContext,
  accounts: Iterable<string>,
): Promise<ReadonlyMap<string, Funded>> => {
  const rows = await inPieces(accounts, (addresses) =>
    store.query<Funded>(FUNDERS, { network, addresses }, { route: 'funders' }),
  )
  return new Map(rows.map((row) => [row.address, row]))
}

/** Accounts old enough that were funded neither by the sink nor by another account of the group. */
const unlinked = <A extends Interaction>(sink: string, affairs: readonly A[], known: ReadonlyMap<string, Funded>) => {
  const group = new Set(affairs.map(({ account }) => account))
  return affairs.flatMap((affair) => {
    const row = known.get(affair.account)
    if (!row || row.first_seen === null || affair.first_seen - row.first_seen < LIFE_S) return []
    const { funder, fees, first_seen, payees } = row
    if (funder === '' || funder === sink || group.has(funder)) return []
    const stranger: Stranger<A> = { ...affair, fees, firstSeenDay: Math.floor(first_seen / DAY_S) }
    return [{ stranger, firstSeen: first_seen, funder, payees, hub: isHub(row) }]
  })
}

const startTimes = (affairs: readonly Interaction[]): Map<string, number> =>
  new Map(affairs.map(({ account, first_seen }) => [account, first_seen]))

/** Accounts that pass `unlinked` and were active on their own, each judged by itself. */
const independentlyActive = <A extends Interaction>(
  sink: string,
  affairs: readonly A[],
  activity: OrganicActivity,
  known: ReadonlyMap<string, Funded>,
) => {
  const parties = new Set([sink, ...affairs.map(({ account }) => account)])
  return unlinked(sink, affairs, known).filter(
    ({ stranger }) => organicallyActive(activity, startTimes([stranger]), parties).size > 0,
  )
}

/** Candidates for strangers, each judged by itself. Use it to drop accounts that the sink added before groups are judged. */
export const eligible = <A extends Interaction>(...of: Parameters<typeof independentlyActive<A>>): Stranger<A>[] =>
  independentlyActive(...of).map(({ stranger }) => stranger)

/**
 * Accounts that nothing links to each other or to the sink; none if too many share one funder. The sink could add accounts of its
 * own to make the victims look related. So accounts without own activity, or with a funder that has few customers, are dropped
 * before the others are compared.
 */
export const unrelated = <A extends Interaction>(
  sink: string,
  affairs: readonly A[],
  activity: OrganicActivity,
  known: ReadonlyMap<string, Funded>,
): Stranger<A>[] => {
  const possible = independentlyActive(sink, affairs, activity, known)
  const funded = new Map<string, number>()
  for (const { funder } of possible) funded.set(funder, (funded.get(funder) ?? 0) + 1)
  const custodians = possible.flatMap(({ funder, payees }) =>
    payees >= CUSTODIAN_PAYEES ? [funded.get(funder) ?? 0] : [],
  )
  if (Math.max(0, ...custodians) > Math.max(FEW, FUNDER_SHARE * possible.length)) return []
  const single = possible.filter(({ funder, hub }) => hub || funded.get(funder) === 1)
  const parties = new Set([sink, ...affairs.map(({ account }) => account)])
  const group = startTimes(single.map(({ stranger }) => stranger))
  const active = organicallyActive(activity, group, parties)
  return single.flatMap(({ stranger }) => (active.has(stranger.account) ? [stranger] : []))
}

/**
 * Like `unrelated`, but keeps one account per funder, or per hour of a funder that is a hub. For rules where each account is evidence
 * against the sink: accounts that the sink adds cannot remove others, because those of one maker are dropped before activity
 * is compared.
 */
export const independent = <A extends Interaction>(
  sink: string,
  affairs: readonly A[],
  activity: OrganicActivity,
  known: ReadonlyMap<string, Funded>,
): Stranger<A>[] => {
  const parties = new Set([sink, ...affairs.map(({ account }) => account)])
  const makers = new Set<string>()
  const first = independentlyActive(sink, affairs, activity, known).flatMap(({ stranger, firstSeen, funder, hub }) => {
    const maker = hub ? `${funder} ${Math.floor(firstSeen / SERIES_S)}` : funder
    if (makers.has(maker)) return []
    makers.add(maker)
    return [stranger]
  })
  const active = organicallyActive(activity, startTimes(first), parties)
  return first.filter(({ account }) => active.has(account))
}

/** The first of the accounts that one funder created on one day. Accounts whose funder is not known stand for themselves. */
export const oneOfEachSeries = (accounts: readonly string[], known: ReadonlyMap<string, Funded>): Set<string> => {
  const first = new Map<string, string>()
  for (const account of accounts) {
    const { funder = '', first_seen = null } = known.get(account) ?? {}
    const series = funder === '' || first_seen === null ? account : `${funder} ${Math.floor(first_seen / DAY_S)}`
    if (!first.has(series)) first.set(series, account)
  }
  return new Set(first.values())
}

/** Number of distinct days on which the accounts were first seen. */
export const firstSeenDays = (strangers: readonly { firstSeenDay: number }[]): number =>
  new Set(strangers.map(({ firstSeenDay }) => firstSeenDay)).size
