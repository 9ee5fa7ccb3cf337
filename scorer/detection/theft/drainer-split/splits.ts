/**
 * Drainer as a service: the affiliate who lures the victim and the operator who runs the tool share the proceeds in the very
 * transaction that takes them, in a fixed ratio. After "Dissecting Drainer-as-a-Service" (2025) and ScamSniffer.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { SERVICES } from '../../../../schema/registry/contracts.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { groupedBy, inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { BAIT } from '../../deceit/fake-claim/claims.ts'
import { kept, type Others } from '../../detector.ts'
import { canonicalAssets, trusted } from '../../shared/approvals/approvals.ts'
import { dustLimits, dustOf } from '../../shared/dust.ts'
import { loadOrganicActivity } from '../../shared/organic-activity.ts'
import { KNOWN_SHARE } from '../../shared/outflows/outflows.ts'
import { independent, loadFunded } from '../../shared/strangers/strangers.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const TAKES = readSql(import.meta.url, './receipts.sql')
const SHARES = readSql(import.meta.url, './shares.sql')
const LOSSES = readSql(import.meta.url, './losses.sql')

/** Operator's part of the proceeds, and how far a split may be off (semantics 2.3.1; 12.5 % from risk science B5). */
const RATIOS = [0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3]
const TOLERANCE = 0.005
/** Part of the asset that was taken from the owner. */
const LOST_SHARE = 0.9
/** Operators and affiliates take from this many victims, operators with this many affiliates. */
export const MIN_SPLIT_VICTIMS = 3
const MIN_AFFILIATES = 2
/**
 * What a party received of its splits at least, US dollars: being paid is no act, and framing a bystander has to cost as much.
 * What went to the other party does not count, for it may be the framer's, and neither do assets without a price. Our choice.
 */
const LEAST_USD = 500
/**
 * Part of those whose payments an operator shared in that have to have lost all: a shop, whose customers pay out of what
 * they have, meets some who had no more than the price. Our choice.
 */
const EMPTIED_SHARE = 0.5
/** Wallets with more partners than this are services. */
const MAX_PARTIES = 20_000
/** Splits in one question of losses, which names victims and transactions several times. */
const LOSSES_AT_ONCE = 500

/** Proceeds of one transaction in two parts. `time` in Unix seconds. */
type Split = {
  victim: string
  operator: string
  affiliate: string
  /** The operator's part, 0 to 1. */
  ratio: number
  asset: string
  /** Base units, both parts. */
  amount: string
  transaction: string
  time: number
}
/** What a wallet got of splits in one role, and whether that proves the role. */
export type Share = {
  role: 'operator' | 'affiliate'
  operators: string[]
  affiliates: string[]
  splits: Split[]
  /** Victims that nothing links to each other or to the party. */
  strangers: string[]
  /** Whether the operators are shown to be such: always so of an operator's own share with strangers enough. */
  operated: boolean
}

/** Whether a share proves its role: accounts that a framer has made and emptied himself prove nothing. */
export const isProven = ({ strangers, operated }: Share): boolean => operated && strangers.length >= MIN_SPLIT_VICTIMS

/** What victims held, and whether they lost all of it, is known where their past is. */
export const SPLIT: Others<Share[]> = {
  concerns: ({ pulled_in, approvers }) => pulled_in >= MIN_SPLIT_VICTIMS || approvers >= MIN_AFFILIATES,
  parties: (shares) => shares.flatMap(({ splits }) => splits.map(({ victim }) => victim)),
  proven: (shares, known) =>
    kept(shares, ({ role, splits, strangers }) => {
      const sure = splits.filter(({ victim }) => known(victim))
      const operates =
        strangers.filter(known).length >= MIN_SPLIT_VICTIMS && distinct(sure, 'affiliate').length >= MIN_AFFILIATES
      return sure.length === splits.length || (role === 'operator' && operates)
    }),
}

/** A transaction in which an address took from a giver who did not sign it. */
type Take = { address: string; giver: string; time: number; tx_hash: string }
type Row = {
  tx_hash: string
  giver: string
  direction: 1 | -1
  counterparty: string
  asset: string
  amount: string
  signer: string
  time: number
}
type Loss = {
  victim: string
  tx_hash: string
  asset: string
  lost: number
  left_over: number
  repaid: 0 | 1
  signs: 0 | 1
  selector: string | null
}

/** One giver's dealings in one asset within one transaction, read as a split if exactly two share in a known ratio. */
const splitOf = (rows: readonly Row[]): (Split & { signer: string }) | undefined => {
  const [large, small, ...more] = rows
    .filter(({ direction }) => direction === -1)
    .sort((a, b) => Number(BigInt(b.amount) - BigInt(a.amount)))
  if (!large || !small || more.length > 0) return undefined
  const total = BigInt(large.amount) + BigInt(small.amount)
  const ratio = Number(small.amount) / Number(total)
  if (!RATIOS.some((known) => Math.abs(known - ratio) <= TOLERANCE)) return undefined
  const source = rows.find(({ direction, amount }) => direction === 1 && BigInt(amount) >= total)
  return {
    victim: source?.counterparty ?? large.giver,
    operator: small.counterparty,
    affiliate: large.counterparty,
    ratio: Math.round(ratio * 1e4) / 1e4,
    asset: large.asset,
    amount: String(total),
    transaction: large.tx_hash,
    time: large.time,
    signer: large.signer,
  }
}

/** Whether the owner lost all of it for nothing, paid out of what it had, or neither can be said. */
const outcomeOf = (split: Split & { signer: string }, loss: Loss | undefined): 'robbed' | 'paid' | 'unknown' => {
  if (!loss || loss.signs === 0) return 'unknown'
  if (split.victim === split.signer)
    return split.asset === '' && BAIT.includes(loss.selector ?? '') && loss.repaid === 0 ? 'robbed' : 'unknown'
  const had = loss.lost + loss.left_over
  if (split.asset === '' || had < KNOWN_SHARE * loss.lost) return 'unknown'
  return loss.repaid === 0 && loss.lost >= LOST_SHARE * had ? 'robbed' : 'paid'
}

/** Splits of proceeds, and of payments that look like them but for their payers. */
type Seen = { robbed: Split[]; paid: Split[] }
const NOTHING: Seen = { robbed: [], paid: [] }

/**
 * Splits in which each of the addresses had a part, as that address alone shows them: what is known of one must not hang on
 * whom else was asked about.
 */
const loadSplits = async (context: LoadContext, addresses: readonly string[]): Promise<Map<string, Seen>> => {
  const { store, network, tiers } = context
  const services = [...SERVICES[network].keys()]
  const { assets: known, dust } = dustLimits(network, [...dustOf(network).keys()])
  // Of addresses outside the batch nobody looked whether they have hot rows.
  const outside = tiers.anyHot && addresses.some((address) => !context.wallets.has(address))
  const hot = outside ? new Set(addresses) : tiers.hot
  const takes = await readByTier(store, { hot }, addresses, (tiered, addresses) =>
    tiered.query<Take>(TAKES, { network, addresses, services, known, dust }, { route: 'split_takes' }),
  )
  // Several may have taken in the same transaction.
  const takersOf = groupedBy(takes, ({ tx_hash, giver }) => `${tx_hash} ${giver}`)
  const found = await inPieces(
    [...takersOf.values()].flatMap(([take]) => take ?? []).sort((a, b) => a.time - b.time),
    (some) =>
      store.query<Row>(
        SHARES,
        {
          network,
          givers: [...new Set(some.map(({ giver }) => giver))],
          times: [...new Set(some.map(({ time }) => time))],
          transactions: [...new Set(some.map(({ tx_hash }) => tx_hash))],
        },
        { route: 'split_shares' },
      ),
  )
  // Two pieces may ask about one transaction, each for some of its givers.
  const rows = new Map(
    found.map((row) => [[row.tx_hash, row.giver, row.asset, row.direction, row.counterparty].join(' '), row]),
  )
  const groups = groupedBy([...rows.values()], (row) => `${row.tx_hash} ${row.giver} ${row.asset}`)
  const shared = [...groups.values()].flatMap((group) => {
    const [split, row] = [splitOf(group), group[0]]
    const takers = row ? (takersOf.get(`${row.tx_hash} ${row.giver}`) ?? []) : []
    return split && takers.length > 0 ? [{ ...split, takers: takers.map(({ address }) => address) }] : []
  })
  const losses = await inPieces(
    shared,
    (some) =>
      store.query<Loss>(
        LOSSES,
        {
          network,
          victims: [...new Set(some.map(({ victim }) => victim))],
          assets: [...new Set(some.map(({ asset }) => asset))],
          transactions: [...new Set(some.map(({ transaction }) => transaction))],
        },
        { route: 'split_losses' },
      ),
    LOSSES_AT_ONCE,
  )
  if (losses.length === 0) return new Map()
  const lossOf = new Map(losses.map((loss) => [`${loss.victim} ${loss.tx_hash} ${loss.asset}`, loss]))
  const told = shared
    .sort((a, b) => a.time - b.time)
    .flatMap(({ signer, takers, ...split }) => {
      const outcome = outcomeOf({ ...split, signer }, lossOf.get(`${split.victim} ${split.transaction} ${split.asset}`))
      return takers.map((taker) => ({ ...split, taker, outcome }))
    })
  // Events of a hostile token may report proceeds that nobody lost, shared among anybody.
  const sure = new Set(['', ...canonicalAssets(network)])
  const robbed = await trusted(
    context,
    told
      .filter(({ outcome }) => outcome === 'robbed')
      .map((split) => ({
        ...split,
        spender: `${split.taker} ${split.operator}`,
        sure: sure.has(split.asset) ? (1 as const) : (0 as const),
      })),
  )
  const seen = new Map(takes.map(({ address }): [string, Seen] => [address, { robbed: [], paid: [] }]))
  for (const { spender: _, sure: __, outcome: ___, taker, ...split } of robbed) seen.get(taker)?.robbed.push(split)
  for (const { outcome, taker, ...split } of told) if (outcome === 'paid') seen.get(taker)?.paid.push(split)
  return seen
}

const distinct = (splits: readonly Split[], of: 'victim' | 'operator' | 'affiliate'): string[] =>
  [...new Set(splits.map((split) => split[of]))].sort()

/** What a party received of splits, US dollars. */
const received = (dollar: ReadonlyMap<string, number>, role: Share['role'], splits: readonly Split[]): number =>
  splits.reduce((sum, { asset, amount, ratio }) => {
    const part = role === 'operator' ? ratio : 1 - ratio
    return sum + (part * Number(amount)) / (dollar.get(asset) ?? Number.POSITIVE_INFINITY)
  }, 0)

/** The splits of an address that shows as an operator in them. */
const operated = (dollar: ReadonlyMap<string, number>, { robbed, paid }: Seen, address: string): Split[] => {
  const own = robbed.filter(({ operator }) => operator === address)
  const victims = distinct(own, 'victim')
  const payers = distinct(
    paid.filter(({ operator, victim }) => operator === address && !victims.includes(victim)),
    'victim',
  )
  const shows =
    victims.length >= MIN_SPLIT_VICTIMS &&
    victims.length >= EMPTIED_SHARE * (victims.length + payers.length) &&
    distinct(own, 'affiliate').length >= MIN_AFFILIATES &&
    received(dollar, 'operator', own) >= LEAST_USD
  return shows ? own : []
}

/** Tells, of those whom splits robbed, the ones that are no accounts of the party's or of one framer's. */
const strangersAmong = async (context: LoadContext, splits: readonly Split[]) => {
  const victims = distinct(splits, 'victim')
  const [activity, known] = await Promise.all([loadOrganicActivity(context, victims), loadFunded(context, victims)])
  return (party: string, own: readonly Split[]): string[] => {
    const robbed = new Map<string, number>()
    for (const { victim, time } of own) robbed.set(victim, Math.min(time, robbed.get(victim) ?? time))
    const affairs = [...robbed].map(([account, first_seen]) => ({ account, first_seen }))
    return independent(party, affairs, activity, known).map(({ account }) => account)
  }
}

/**
 * Shares by wallet. Operators that affiliates of the batch name are looked at too: an affiliate is one only by an
 * operator.
 */
export const loadShares = async (context: LoadContext): Promise<Map<string, Share[]>> => {
  const suspects = walletsWhere(context, (wallet) => {
    const near = wallet.pulled_in >= MIN_SPLIT_VICTIMS || wallet.approvers >= MIN_AFFILIATES
    return near && wallet.in_partners + wallet.out_partners <= MAX_PARTIES
  })
  const seen = await loadSplits(context, suspects)
  const asked = new Set(suspects)
  const operators = distinct(
    [...seen.values()].flatMap(({ robbed }) => robbed),
    'operator',
  )
  const theirs = await loadSplits(
    context,
    operators.filter((operator) => !asked.has(operator)),
  )
  const dollar = usdThresholds(context.network, 1)
  const operating = new Map(
    operators.flatMap((address): [string, Split[]][] => {
      const own = operated(dollar, seen.get(address) ?? theirs.get(address) ?? NOTHING, address)
      return own.length > 0 ? [[address, own]] : []
    }),
  )
  const partOf = (affiliate: string): Split[] =>
    (seen.get(affiliate)?.robbed ?? []).filter(
      (split) => split.affiliate === affiliate && operating.has(split.operator),
    )
  const strangersTo = await strangersAmong(context, [...operating.values(), ...suspects.map(partOf)].flat())
  const proven = new Set(
    [...operating].flatMap(([address, own]) =>
      strangersTo(address, own).length >= MIN_SPLIT_VICTIMS ? [address] : [],
    ),
  )
  const found = new Map<string, Share[]>()
  for (const address of suspects) {
    if (SERVICES[context.network].has(address)) continue
    const add = (role: Share['role'], splits: Split[], operated: boolean) => {
      if (splits.length === 0 || received(dollar, role, splits) < LEAST_USD) return false
      const strangers = strangersTo(address, splits)
      const share = { role, operators: distinct(splits, 'operator'), affiliates: distinct(splits, 'affiliate'), splits }
      found.set(address, [...(found.get(address) ?? []), { ...share, strangers, operated }])
      return true
    }
    add('operator', operating.get(address) ?? [], proven.has(address))
    const part = partOf(address)
    // What shows together with a staged operator takes nothing away from what a proven one shared.
    const sure = part.filter(({ operator }) => proven.has(operator))
    if (!add('affiliate', sure, true)) add('affiliate', part, false)
  }
  return found
}
