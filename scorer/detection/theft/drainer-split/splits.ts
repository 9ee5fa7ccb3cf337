/**
 * Drainer as a service: the affiliate, who lures the victim, and the operator, who runs the tool, share the proceeds in a fixed
 * ratio in the same transaction that takes them. After "Dissecting Drainer-as-a-Service" (2025) and ScamSniffer.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { SERVICES } from '../../../../schema/registry/contracts.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { groupedBy, inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { BAIT } from '../../deceit/fake-claim/claims.ts'
import { keepMatching, type Others } from '../../detector.ts'
import { canonicalAssets, trusted } from '../../shared/approvals/approvals.ts'
import { dustLimits, dustOf } from '../../shared/dust.ts'
import { loadOrganicActivity } from '../../shared/organic-activity.ts'
import { KNOWN_SHARE } from '../../shared/outflows/outflows.ts'
import { independent, loadFunded } from '../../shared/strangers/strangers.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const TAKES = readSql(import.meta.url, './receipts.sql')
const SHARES = readSql(import.meta.url, './shares.sql')
const LOSSES = readSql(import.meta.url, './losses.sql')

/** Operator's share of the proceeds, and its tolerance (semantics 2.3.1; 12.5 % from risk science B5). */
const RATIOS = [0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3]
const TOLERANCE = 0.005
/** Minimum share of the owner's asset that was taken. */
const LOST_SHARE = 0.9
/** Minimum number of victims of operators and affiliates, and of affiliates of an operator. */
export const MIN_SPLIT_VICTIMS = 3
const MIN_AFFILIATES = 2
/**
 * Minimum amount that a party received of its splits, US dollars. Receiving is no act, so framing a bystander must cost this much. The
 * other party's share does not count, because that party may be the framer; neither do assets without a price. Our choice.
 */
const LEAST_USD = 500
/**
 * Minimum share of an operator's payers who lost everything. Some customers of a shop hold no more than the price and so look
 * emptied. Our choice.
 */
const EMPTIED_SHARE = 0.5
/** Wallets with more partners are services. */
const MAX_PARTIES = 20_000
/** Splits per query of losses, which names victims and transactions several times. */
const LOSSES_AT_ONCE = 500

/** Proceeds of one transaction, split in two. `time` in Unix seconds. */
type Split = {
  victim: string
  operator: string
  affiliate: string
  /** The operator's share, 0 to 1. */
  ratio: number
  asset: string
  /** Base units, both parts together. */
  amount: string
  transaction: string
  time: number
}
/** Splits of a wallet in one role, and whether they prove the role. */
export type Share = {
  role: 'operator' | 'affiliate'
  operators: string[]
  affiliates: string[]
  splits: Split[]
  /** Victims that nothing links to each other or to the party. */
  strangers: string[]
  /** Whether the operators are proven. For an operator: whether it has enough strangers. */
  operatorsProven: boolean
}

/** Whether a share proves its role. Accounts that a framer created and emptied himself prove nothing. */
export const isProven = ({ strangers, operatorsProven }: Share): boolean =>
  operatorsProven && strangers.length >= MIN_SPLIT_VICTIMS

/** How shares depend on the past of others: the holdings of victims, and whether they lost all of them, must be known. */
export const SPLIT: Others<Share[]> = {
  concerns: ({ pulled_in, approvers }) => pulled_in >= MIN_SPLIT_VICTIMS || approvers >= MIN_AFFILIATES,
  parties: (shares) => shares.flatMap(({ splits }) => splits.map(({ victim }) => victim)),
  proven: (shares, known) =>
    keepMatching(shares, ({ role, splits, strangers }) => {
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

/** Interprets one giver's movements of one asset in one transaction as a split, if exactly two receivers share in a known ratio. */
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

/** Whether the owner lost everything for nothing, or paid a part of its holdings. */
const outcomeOf = (split: Split & { signer: string }, loss: Loss | undefined): 'robbed' | 'paid' | 'unknown' => {
  if (!loss || loss.signs === 0) return 'unknown'
  if (split.victim === split.signer)
    return split.asset === '' && BAIT.includes(loss.selector ?? '') && loss.repaid === 0 ? 'robbed' : 'unknown'
  const had = loss.lost + loss.left_over
  if (split.asset === '' || had < KNOWN_SHARE * loss.lost) return 'unknown'
  return loss.repaid === 0 && loss.lost >= LOST_SHARE * had ? 'robbed' : 'paid'
}

/** Splits of proceeds, and splits of ordinary payments. */
type Seen = { robbed: Split[]; paid: Split[] }
const NOTHING: Seen = { robbed: [], paid: [] }

/** Loads splits by participating address. The result for one address does not depend on the other addresses in the query. */
const loadSplits = async (context: LoadContext, addresses: readonly string[]): Promise<Map<string, Seen>> => {
  const { store, network, tiers } = context
  const services = [...SERVICES[network].keys()]
  const { assets: known, dust } = dustLimits(network, [...dustOf(network).keys()])
  // Addresses outside the batch were not checked for hot rows.
  const outside = tiers.anyHot && addresses.some((address) => !context.wallets.has(address))
  const hot = outside ? new Set(addresses) : tiers.hot
  const takes = await readByTier(store, { hot }, addresses, (tiered, addresses) =>
    tiered.query<Take>(TAKES, { network, addresses, services, known, dust }, { route: 'split_takes' }),
  )
  // Several addresses may have taken in the same transaction.
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
  // Two batches may ask about one transaction, each for some of its givers.
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
  const classified = shared
    .sort((a, b) => a.time - b.time)
    .flatMap(({ signer, takers, ...split }) => {
      const outcome = outcomeOf({ ...split, signer }, lossOf.get(`${split.victim} ${split.transaction} ${split.asset}`))
      return takers.map((taker) => ({ ...split, taker, outcome }))
    })
  // Events of a hostile token may report proceeds that nobody lost.
  const sure = new Set(['', ...canonicalAssets(network)])
  const robbed = await trusted(
    context,
    classified
      .filter(({ outcome }) => outcome === 'robbed')
      .map((split) => ({
        ...split,
        spender: `${split.taker} ${split.operator}`,
        sure: sure.has(split.asset) ? (1 as const) : (0 as const),
      })),
  )
  const seen = new Map(takes.map(({ address }): [string, Seen] => [address, { robbed: [], paid: [] }]))
  for (const { spender: _, sure: __, outcome: ___, taker, ...split } of robbed) seen.get(taker)?.robbed.push(split)
  for (const { outcome, taker, ...split } of classified) if (outcome === 'paid') seen.get(taker)?.paid.push(split)
  return seen
}

const distinct = (splits: readonly Split[], of: 'victim' | 'operator' | 'affiliate'): string[] =>
  [...new Set(splits.map((split) => split[of]))].sort()

/** Amount that a party received of splits, US dollars. */
const received = (dollar: ReadonlyMap<string, number>, role: Share['role'], splits: readonly Split[]): number =>
  splits.reduce((sum, { asset, amount, ratio }) => {
    const part = role === 'operator' ? ratio : 1 - ratio
    return sum + (part * Number(amount)) / (dollar.get(asset) ?? Number.POSITIVE_INFINITY)
  }, 0)

/** The splits of an address that qualifies as an operator; none otherwise. */
const operatorSplits = (dollar: ReadonlyMap<string, number>, { robbed, paid }: Seen, address: string): Split[] => {
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

/** Finds victims that belong neither to the party nor to one framer. */
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

/** Loads shares by wallet. Operators outside the batch are examined too, because an affiliate is proven only through an operator. */
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
      const own = operatorSplits(dollar, seen.get(address) ?? theirs.get(address) ?? NOTHING, address)
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
    const add = (role: Share['role'], splits: Split[], operatorsProven: boolean) => {
      if (splits.length === 0 || received(dollar, role, splits) < LEAST_USD) return false
      const strangers = strangersTo(address, splits)
      const share = { role, operators: distinct(splits, 'operator'), affiliates: distinct(splits, 'affiliate'), splits }
      found.set(address, [...(found.get(address) ?? []), { ...share, strangers, operatorsProven }])
      return true
    }
    add('operator', operating.get(address) ?? [], proven.has(address))
    const part = partOf(address)
    // Splits of a staged operator must not weaken the splits of a proven one.
    const sure = part.filter(({ operator }) => proven.has(operator))
    if (!add('affiliate', sure, true)) add('affiliate', part, false)
  }
  return found
}
