/**
 * Fake liquidity mining (semantics row 16; Sophos and the FBI on "liquidity mining" fraud): owners give a spender an unlimited
 * approval of a dollar coin, receive small payouts of the native coin, and are then emptied in transactions they did not sign. A
 * payer that does little but pay such owners is convicted too.
 *
 * Not convicted: a staking pool takes in transactions that its members sign. A processor gave its one-time addresses their first coins, and
 * they sign no payments to others. A service that invests for its users gives something for what it takes, at once or later.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { type Network, networkInfo } from '../../../../schema/networks.ts'
import { ASSETS, PERMIT2, SERVICES } from '../../../../schema/registry/contracts.ts'
import { infrastructureOf } from '../../../../schema/registry/infrastructure.ts'
import { isContract, type WalletFeatures } from '../../../ledger/features/wallet.ts'
import { readByTier, TABLE_NAMES } from '../../../ledger/reading/tiers.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { keepMatching, type Others } from '../../detector.ts'
import { approvedSpenders, withoutServices } from '../../shared/approvals/approvals.ts'
import type { OwnContract } from '../../shared/contracts/own-contracts.ts'
import { fundersOf } from '../../shared/first-funders.ts'
import { loadOrganicActivity, organicallyActive } from '../../shared/organic-activity.ts'
import { loadCalls, loadOutflows, loadReturns, type Outflow } from '../../shared/outflows/outflows.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const GRANTS = readSql(import.meta.url, './unlimited-grants.sql')
const PAYOUTS = readSql(import.meta.url, './payouts.sql')
const PAYEES = readSql(import.meta.url, './payees.sql')
const PAID_OWNERS = readSql(import.meta.url, './paid-owners.sql')

/** Minimum number of owners with an unlimited dollar approval (semantics row 16). */
const MIN_OWNERS = 5
/** Minimum number of payouts to an owner before the pull (semantics row 16). */
const MIN_PAYOUTS = 2
/** A separate payer belongs to the spender if at least this share of all its payees approved the spender. */
const PAYEES_SHARE = 0.5
/**
 * A payer is an accomplice if at least this share of all its payees approved the spender, and it paid at least MIN_FED of the victims.
 * An employer pays others too, and a friend has fewer payees who fall for one trap. Our choice.
 */
const ACCOMPLICE_SHARE = 0.8
const MIN_FED = 3
/** Maximum average payout, US dollars. Excludes salaries. Our choice. */
const MAX_PAYOUT_USD = 200
/** Minimum number of owners paid and then emptied. A single one may be a debtor. */
const MIN_VICTIMS = 2
/** Minimum number of parties that an owner paid before it was emptied. One-time addresses pay nobody else. Our choice. */
const OWN_PARTIES = 1
/** A share of what was taken that is paid to the owner later is a price for it. Low, because fixed low prices may be off by half. Our choice. */
const PRICE_SHARE = 0.4
/** Minimum share of the owner's balance that is taken (semantics row 16). */
const BALANCE_SHARE = 0.9
/** Newest owners examined per spender. Contracts with more callers, and payers with more payees, are services. */
const MAX_GRANTS = 500
const MAX_CALLERS = 1_000
const MAX_PAYEES = 1_000

type Grant = { spender: string; owner: string; asset: string; position: string; granted_in: string }
type Pull = Outflow & { called: string }
type Payout = { owner: string; payer: string; amount: string; tx_hash: string; position: string }

/** A scheme that paid owners and then emptied them, with the wallet's role. */
export type FakeMining = {
  /** The spender or the wallet that answers for it, or a mere payer. */
  role: 'spender' | 'payer'
  spender: string
  /** Number of owners with an unlimited approval. */
  owners: number
  /** Owners who were paid and then emptied. */
  victims: {
    victim: string
    asset: string
    amount: string
    taker: string
    paidIn: string[]
    approvedIn: string
    transaction: string
  }[]
}

/** How schemes depend on the past of others: the holdings and funders of victims must be known. */
export const MINED: Others<FakeMining[]> = {
  concerns: ({ approvers, contracts_created, sent, sent_zero }) =>
    approvers + contracts_created > 0 || sent - sent_zero >= MIN_PAYOUTS * MIN_FED,
  parties: (found) => found.flatMap(({ victims }) => victims.map(({ victim }) => victim)),
  proven: (found, known) =>
    keepMatching(found, ({ role, victims }) => {
      const sure = victims.filter(({ victim }) => known(victim))
      return sure.length >= (role === 'payer' ? MIN_FED : MIN_VICTIMS)
    }),
}

/** Payers that paid at least `least` approvers of the spender, who are at least the share `part` of all their payees. */
const payersOf = (
  grants: readonly Grant[],
  payouts: readonly Payout[],
  payeesOf: ReadonlyMap<string, number>,
  { part, least }: { part: number; least: number },
): string[] => {
  const owners = new Set(grants.map(({ owner }) => owner))
  const ownersOf = new Map<string, Set<string>>()
  for (const { payer, owner } of payouts)
    if (owners.has(owner)) ownersOf.set(payer, (ownersOf.get(payer) ?? new Set()).add(owner))
  return [...ownersOf]
    .filter(
      ([payer, paid]) => paid.size >= least && paid.size >= part * (payeesOf.get(payer) ?? Number.POSITIVE_INFINITY),
    )
    .map(([payer]) => payer)
}

/** What one spender did to its approvers. Lists are in chain order. */
const ofSpender = (
  spender: string,
  payers: ReadonlySet<string>,
  grants: Grant[],
  pulls: Pull[],
  payouts: Payout[],
  dollar: ReadonlyMap<string, number>,
) => {
  const victims: FakeMining['victims'] = []
  const usdOf = (asset: string, amount: string) => Number(amount) / (dollar.get(asset) ?? Number.POSITIVE_INFINITY)
  for (const pull of pulls) {
    const grant = grants.find(({ owner, asset }) => owner === pull.owner && asset === pull.asset)
    if (!grant || BigInt(grant.position) >= BigInt(pull.position)) continue
    if (victims.some(({ victim }) => victim === pull.owner)) continue
    const received = payouts.filter(
      ({ owner, payer }) =>
        owner === pull.owner && (payers.has(payer) || payer === pull.initiator || payer === pull.taker),
    )
    const baits = received.filter(
      ({ position }) => BigInt(position) > BigInt(grant.position) && BigInt(position) < BigInt(pull.position),
    )
    const later = received.filter(({ position }) => BigInt(position) > BigInt(pull.position))
    const price = later.reduce((sum, payout) => sum + usdOf('', payout.amount), 0)
    if (price >= PRICE_SHARE * usdOf(pull.asset, pull.amount)) continue
    const paidIn = [...new Set(baits.map(({ tx_hash }) => tx_hash))]
    if (paidIn.length < MIN_PAYOUTS) continue
    const { owner: victim, asset, amount, taker, tx_hash: transaction } = pull
    victims.push({
      victim,
      asset,
      amount,
      taker,
      paidIn: paidIn.slice(0, 5),
      approvedIn: grant.granted_in,
      transaction,
    })
  }
  return victims.length < MIN_VICTIMS
    ? undefined
    : { spender, owners: new Set(grants.map(({ owner }) => owner)).size, victims }
}

const isBy = (spender: string, { initiator, called }: Pull): boolean => initiator === spender || called === spender

/** What the spenders took from their approvers: each signed the transaction, or is the contract it called. */
const pullsOf = async (
  context: LoadContext,
  grants: ReadonlyMap<string, Grant[]>,
  assets: readonly string[],
): Promise<Pull[]> => {
  const trusting = [...grants.values()].flat()
  const outflows = await loadOutflows(context, {
    owners: trusting.map(({ owner }) => owner),
    assets,
    share: BALANCE_SHARE,
    since: 0,
    until: context.now,
  })
  const calls = await loadCalls(context, outflows)
  const pulls = outflows
    .map((outflow) => ({ ...outflow, called: calls.get(outflow.tx_hash)?.receiver ?? '' }))
    .filter(({ initiator, called }) => grants.has(initiator) || grants.has(called))
  const returns = await loadReturns(context, pulls)
  return pulls.filter(({ owner, tx_hash }) => !returns.within(owner, tx_hash))
}

const grouped = (grants: readonly Grant[]): Map<string, Grant[]> => {
  const groups = new Map<string, Grant[]>()
  for (const grant of grants) groups.set(grant.spender, [...(groups.get(grant.spender) ?? []), grant])
  for (const [spender, list] of groups)
    if (new Set(list.map(({ owner }) => owner)).size < MIN_OWNERS) groups.delete(spender)
  return groups
}

/** Spenders of the batch with the wallets that answer for them: wallets themselves, and contracts of wallets. */
const candidates = async (context: LoadContext, own: readonly OwnContract[]): Promise<Map<string, Set<string>>> => {
  const services = SERVICES[context.network]
  const answering = new Map<string, Set<string>>()
  const add = (spender: string, wallet: string) => {
    if (spender === PERMIT2 || services.has(spender)) return
    answering.set(spender, (answering.get(spender) ?? new Set()).add(wallet))
  }
  for (const wallet of await approvedSpenders(context, MIN_OWNERS)) add(wallet, wallet)
  const approved = own.filter(({ approvers, callers }) => approvers >= MIN_OWNERS && callers <= MAX_CALLERS)
  const theirs = await withoutServices(context, approved, ({ contract, approvers }) => ({
    spender: contract,
    approvers,
  }))
  for (const { contract, address } of theirs) add(contract, address)
  return answering
}

const mayBePayer = (network: Network): ((wallet: WalletFeatures) => boolean) => {
  const coins = (usdThresholds(network, MAX_PAYOUT_USD).get('') ?? 0) / 10 ** networkInfo(network).nativeCoin.decimals
  return (wallet) => {
    const payments = wallet.sent - wallet.sent_zero
    return (
      !isContract(wallet) &&
      payments >= MIN_PAYOUTS * MIN_FED &&
      wallet.sent_total <= coins * payments &&
      wallet.out_partners >= MIN_FED &&
      wallet.out_partners <= MAX_PAYEES &&
      // Each payee was paid several times on average.
      payments >= MIN_PAYOUTS * ACCOMPLICE_SHARE * wallet.out_partners
    )
  }
}

/** Spenders for whose approvers wallets of the batch keep paying small sums, with those payers. */
const spendersPaidFor = async (context: LoadContext, assets: readonly string[]): Promise<Map<string, Set<string>>> => {
  const { store, network, tiers, wallets } = context
  const feeding = new Map<string, Set<string>>()
  // Read approvals from all tiers: a payee of a cold wallet may have approved just now.
  const approvals_table = TABLE_NAMES.get('approvals')?.[store.tables]
  const rows = await readByTier(store, tiers, walletsWhere(context, mayBePayer(network)), (tiered, payers) =>
    tiered.query<{ payer: string; spender: string; owners: number }>(
      PAID_OWNERS,
      { approvals_table, network, payers, assets, payouts: MIN_PAYOUTS, least: MIN_FED },
      { route: 'paid_owners' },
    ),
  )
  const services = infrastructureOf(network)
  for (const { payer, spender, owners } of rows) {
    const payees = wallets.get(payer)?.out_partners ?? Number.POSITIVE_INFINITY
    if (services.has(spender) || owners < ACCOMPLICE_SHARE * payees) continue
    feeding.set(spender, (feeding.get(spender) ?? new Set()).add(payer))
  }
  return feeding
}

/**
 * Loads schemes by participating wallet, with ten victims. Owners without own activity do not count: they may be one-time addresses
 * of the payer.
 */
export const loadFakeMining = async (
  context: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, FakeMining[]>> => {
  const { store, network } = context
  const answering = await candidates(context, own)
  const assets = [...ASSETS[network].values()]
    .filter(({ flags }) => flags.includes('stable'))
    .map(({ address }) => address)
  if (assets.length === 0) return new Map()
  const feeding = await spendersPaidFor(context, assets)
  if (answering.size + feeding.size === 0) return new Map()
  const grants = grouped(
    await inPieces([...answering.keys(), ...feeding.keys()], (spenders) =>
      store.query<Grant>(GRANTS, { network, spenders, assets, limit: MAX_GRANTS }, { route: 'unlimited_grants' }),
    ),
  )
  if (grants.size === 0) return new Map()
  const pulls = await pullsOf(context, grants, assets)
  if (pulls.length === 0) return new Map()
  // Read all payouts to the approvers of each spender with several victims, so that results do not depend on the batch.
  const outflow = [...grants].filter(
    ([spender]) => new Set(pulls.flatMap((pull) => (isBy(spender, pull) ? [pull.owner] : []))).size >= MIN_VICTIMS,
  )
  const { dust } = networkInfo(network).nativeCoin
  const payouts = await inPieces(
    outflow.flatMap(([, list]) => list.map(({ owner }) => owner)),
    (owners) => store.query<Payout>(PAYOUTS, { network, owners, dust: `${dust}` }, { route: 'payouts' }),
  )
  const payees = await inPieces(
    payouts.map(({ payer }) => payer),
    (addresses) =>
      store.query<{ address: string; payees: number }>(PAYEES, { network, addresses }, { route: 'payees' }),
  )
  const payeesOf = new Map(payees.map((row) => [row.address, row.payees]))
  const robbable = pulls.map(({ owner }) => owner)
  const [funders, activity] = await Promise.all([fundersOf(context, robbable), loadOrganicActivity(context, robbable)])
  const open = infrastructureOf(network)
  const dollar = usdThresholds(network, 1)
  const found = new Map<string, FakeMining[]>()
  const add = (wallet: string, mining: FakeMining) => found.set(wallet, [...(found.get(wallet) ?? []), mining])
  for (const [spender, list] of outflow) {
    const wallets = answering.get(spender) ?? new Set()
    const payers = payersOf(list, payouts, payeesOf, { part: PAYEES_SHARE, least: MIN_VICTIMS })
    const feeders = new Set([spender, ...wallets, ...payers])
    const mine = pulls.filter((pull) => isBy(spender, pull))
    const group = new Map(mine.toReversed().map(({ owner, time }) => [owner, time]))
    const parties = new Set([...feeders, ...mine.flatMap(({ initiator, taker }) => [initiator, taker])])
    const active = organicallyActive(activity, group, parties, { least: OWN_PARTIES, open })
    const its = mine.filter(({ owner, initiator, taker }) => {
      const funder = funders.get(owner) ?? ''
      // One-time addresses got their first coins from the scheme.
      const ownAddress = feeders.has(funder) || funder === initiator || funder === taker
      return active.has(owner) && !ownAddress
    })
    const mining = ofSpender(spender, feeders, list, its, payouts, dollar)
    if (!mining) continue
    const shown = { ...mining, victims: mining.victims.slice(0, 10) }
    for (const wallet of wallets) add(wallet, { role: 'spender', ...shown })
    const robbed = new Set(mining.victims.map(({ victim }) => victim))
    const fed = payouts.filter(({ owner }) => robbed.has(owner))
    for (const payer of payersOf(list, fed, payeesOf, { part: 0, least: MIN_FED }))
      if (feeding.get(spender)?.has(payer) && !wallets.has(payer)) add(payer, { role: 'payer', ...shown })
  }
  return found
}
