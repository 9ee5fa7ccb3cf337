/**
 * Drainer as a service: the affiliate who lures the victim and the operator who runs the tool share the proceeds in the very
 * transaction that takes them, in a fixed ratio. After "Dissecting Drainer-as-a-Service" (2025) and ScamSniffer.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { SERVICES } from '../../../../schema/registry/services.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { groupedBy, inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { BAIT } from '../../deceit/fake-claim/claims.ts'
import { kept, type Others } from '../../detector.ts'
import { canonicalAssets, trusted } from '../../shared/approvals/approvals.ts'
import { KNOWN_SHARE } from '../../shared/outflows/outflows.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const TAKES = readSql(import.meta.url, './receipts.sql')
const SHARES = readSql(import.meta.url, './shares.sql')
const LOSSES = readSql(import.meta.url, './losses.sql')

/** Operator's part of the proceeds, and how far a split may be off (semantics 2.3.1; 12.5 % from risk science B5). */
const RATIOS = [0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3]
const TOLERANCE = 0.005
/** Part of the asset that was taken from the owner. */
const LOST_SHARE = 0.9
/** An operator takes from this many victims, with this many affiliates. */
export const MIN_SPLIT_VICTIMS = 3
export const MIN_AFFILIATES = 2
/**
 * Least proceeds of an operator's splits and of an affiliate's, US dollars: being paid is no act, and framing a bystander has
 * to cost as much. Assets without a price do not count. Our choice.
 */
const LEAST_USD = { operator: 1_000, affiliate: 500 }
/**
 * Part of those whose payments an operator shared in that have to have lost all: a shop, whose customers pay out of what
 * they have, meets some who had no more than the price. Our choice.
 */
const EMPTIED_SHARE = 0.5
/** Wallets with more rows than this are services. */
const MOST_ROWS = 20_000
/** Splits in one question of losses, which names victims and transactions several times. */
const LOSSES_AT_ONCE = 500

export type Split = {
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
export type Share = { role: 'operator' | 'affiliate'; operators: string[]; affiliates: string[]; splits: Split[] }

/** What victims held, and whether they lost all of it, is known where their past is. */
export const SPLIT: Others<Share[]> = {
  concerns: ({ pulled_in, approvers }) => pulled_in >= MIN_SPLIT_VICTIMS || approvers >= MIN_AFFILIATES,
  parties: (shares) => shares.flatMap(({ splits }) => splits.map(({ victim }) => victim)),
  proven: (shares, known) =>
    kept(shares, ({ role, splits }) => {
      const sure = splits.filter(({ victim }) => known(victim))
      const operates =
        distinct(sure, 'victim').length >= MIN_SPLIT_VICTIMS && distinct(sure, 'affiliate').length >= MIN_AFFILIATES
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
  // Of addresses outside the batch nobody looked whether they have hot rows.
  const outside = tiers.anyHot && addresses.some((address) => !context.wallets.has(address))
  const hot = outside ? new Set(addresses) : tiers.hot
  const takes = await readByTier(store, { hot }, addresses, (tiered, addresses) =>
    tiered.query<Take>(TAKES, { network, addresses, services }, { route: 'split_takes' }),
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

/** Whether splits are worth so much, US dollars. */
const isWorth = (dollar: ReadonlyMap<string, number>, splits: readonly Split[], least: number): boolean =>
  splits.reduce(
    (sum, { asset, amount }) => sum + Number(amount) / (dollar.get(asset) ?? Number.POSITIVE_INFINITY),
    0,
  ) >= least

/** The splits of an address that shows as an operator in them. */
const operated = (dollar: ReadonlyMap<string, number>, { robbed, paid }: Seen, address: string): Split[] => {
  const own = robbed.filter(({ operator }) => operator === address)
  const victims = distinct(own, 'victim')
  const payers = distinct(
    paid.filter(({ operator, victim }) => operator === address && !victims.includes(victim)),
    'victim',
  )
  const proven =
    victims.length >= MIN_SPLIT_VICTIMS &&
    victims.length >= EMPTIED_SHARE * (victims.length + payers.length) &&
    distinct(own, 'affiliate').length >= MIN_AFFILIATES &&
    isWorth(dollar, own, LEAST_USD.operator)
  return proven ? own : []
}

export const loadShares = async (context: LoadContext): Promise<Map<string, Share[]>> => {
  const suspects = walletsWhere(context, (wallet) => {
    const rows = wallet.token_in_count + wallet.token_out_count + wallet.native_in_count + wallet.native_out_count
    const near = wallet.pulled_in >= MIN_SPLIT_VICTIMS || wallet.approvers >= MIN_AFFILIATES
    return near && rows <= MOST_ROWS
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
    operators.map((address) => [
      address,
      operated(dollar, seen.get(address) ?? theirs.get(address) ?? NOTHING, address),
    ]),
  )
  const found = new Map<string, Share[]>()
  const add = (address: string, role: Share['role'], splits: Split[]) => {
    if (splits.length === 0 || SERVICES[context.network].has(address)) return
    const share = { role, operators: distinct(splits, 'operator'), affiliates: distinct(splits, 'affiliate'), splits }
    found.set(address, [...(found.get(address) ?? []), share])
  }
  for (const address of suspects) {
    add(address, 'operator', operating.get(address) ?? [])
    const own = (seen.get(address)?.robbed ?? []).filter(
      ({ affiliate, operator }) => affiliate === address && (operating.get(operator) ?? []).length > 0,
    )
    if (isWorth(dollar, own, LEAST_USD.affiliate)) add(address, 'affiliate', own)
  }
  return found
}
