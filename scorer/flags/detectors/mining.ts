/**
 * Fake liquidity mining (semantics row 16; Sophos and the FBI on "liquidity mining" fraud): owners allow a spender to take
 * any amount of a dollar coin, are fed small payouts of the native coin, and are then emptied without a word of their own.
 * A staking pool pays too, but what it takes it takes in its members' own transactions.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { ASSETS } from '../../../schema/registry/assets.ts'
import { PERMIT2, SERVICES } from '../../../schema/registry/services.ts'
import { spenders as approvedBy, inPieces, type LoadContext } from './context.ts'
import type { OwnContract } from './contracts/own.ts'

const GRANTS = readSql(import.meta.url, '../sql/unlimited-grants.sql')
const PULLS = readSql(import.meta.url, '../sql/pulls.sql')
const DRIPS = readSql(import.meta.url, '../sql/drips.sql')
const PAYEES = readSql(import.meta.url, '../sql/payees.sql')

/** Owners with an unlimited dollar approval (semantics row 16). */
const MIN_OWNERS = 5
/** Payouts to one owner before the pull (semantics row 16). */
const MIN_DRIPS = 2
/** A payer of its own belongs to the spender when at least this part of all it ever paid approved the spender. */
const PAYEES_SHARE = 0.5
/** Owners fed and then emptied: one alone may be a debtor. */
const MIN_VICTIMS = 2
/** Part of the owner's balance that has to go (semantics row 16). */
const BALANCE_SHARE = 0.9
/** Newest owners of one spender looked at, and approvers beyond which it is a service. */
const MOST_GRANTS = 500
const MOST_APPROVERS = 1_000

type Grant = { spender: string; owner: string; asset: string; position: string; granted_in: string }
type Pull = {
  owner: string
  asset: string
  amount: string
  taker: string
  initiator: string
  called: string
  tx_hash: string
  position: string
  time: number
}
type Drip = { owner: string; payer: string; amount: string; tx_hash: string; position: string }

export type FakeMining = {
  spender: string
  /** Owners with an unlimited approval. */
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

/** Who feeds for a spender: itself, who answers for it, and payers that hardly pay anyone but its owners. */
const cluster = (
  spender: string,
  wallets: ReadonlySet<string>,
  grants: readonly Grant[],
  drips: readonly Drip[],
  payeesOf: ReadonlyMap<string, number>,
): Set<string> => {
  const owners = new Set(grants.map(({ owner }) => owner))
  const fed = new Map<string, Set<string>>()
  for (const { payer, owner } of drips) if (owners.has(owner)) fed.set(payer, (fed.get(payer) ?? new Set()).add(owner))
  const payers = [...fed].filter(
    ([payer, its]) =>
      its.size >= MIN_VICTIMS && its.size >= PAYEES_SHARE * (payeesOf.get(payer) ?? Number.POSITIVE_INFINITY),
  )
  return new Set([spender, ...wallets, ...payers.map(([payer]) => payer)])
}

/** What one spender did to the owners who trusted it. Lists are in chain order. */
const ofSpender = (spender: string, payers: ReadonlySet<string>, grants: Grant[], pulls: Pull[], drips: Drip[]) => {
  const victims: FakeMining['victims'] = []
  for (const pull of pulls) {
    const grant = grants.find(({ owner, asset }) => owner === pull.owner && asset === pull.asset)
    if (!grant || BigInt(grant.position) >= BigInt(pull.position)) continue
    if (victims.some(({ victim }) => victim === pull.owner)) continue
    const fed = drips.filter(
      ({ owner, payer, position }) =>
        owner === pull.owner &&
        (payers.has(payer) || payer === pull.initiator || payer === pull.taker) &&
        BigInt(position) > BigInt(grant.position) &&
        BigInt(position) < BigInt(pull.position),
    )
    const paidIn = [...new Set(fed.map(({ tx_hash }) => tx_hash))]
    if (paidIn.length < MIN_DRIPS) continue
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
    : { spender, owners: new Set(grants.map(({ owner }) => owner)).size, victims: victims.slice(0, 10) }
}

const grouped = (grants: readonly Grant[]): Map<string, Grant[]> => {
  const groups = new Map<string, Grant[]>()
  for (const grant of grants) groups.set(grant.spender, [...(groups.get(grant.spender) ?? []), grant])
  for (const [spender, list] of groups)
    if (new Set(list.map(({ owner }) => owner)).size < MIN_OWNERS) groups.delete(spender)
  return groups
}

/** Spenders of the batch: wallets that are one, and contracts they answer for, each with those wallets. */
const candidates = (context: LoadContext, own: readonly OwnContract[]): Map<string, Set<string>> => {
  const services = SERVICES[context.network]
  const answering = new Map<string, Set<string>>()
  const add = (spender: string, wallet: string) => {
    if (spender === PERMIT2 || services.has(spender)) return
    answering.set(spender, (answering.get(spender) ?? new Set()).add(wallet))
  }
  for (const wallet of approvedBy(context, MIN_OWNERS)) add(wallet, wallet)
  for (const { contract, address, approvers } of own)
    if (approvers >= MIN_OWNERS && approvers <= MOST_APPROVERS) add(contract, address)
  return answering
}

export const loadFakeMining = async (
  context: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, FakeMining[]>> => {
  const { store, network } = context
  const answering = candidates(context, own)
  const assets = [...ASSETS[network].values()]
    .filter(({ flags }) => flags.includes('stable'))
    .map(({ address }) => address)
  if (answering.size === 0 || assets.length === 0) return new Map()
  const grants = grouped(
    await inPieces(answering.keys(), (spenders) =>
      store.query<Grant>(GRANTS, { network, spenders, assets, limit: MOST_GRANTS }, { route: 'unlimited_grants' }),
    ),
  )
  if (grants.size === 0) return new Map()
  const pulls = (
    await inPieces(
      [...grants.values()].flat().map(({ owner }) => owner),
      (owners) => store.query<Pull>(PULLS, { network, owners, assets, share: BALANCE_SHARE }, { route: 'pulls' }),
    )
  ).filter(({ initiator, called }) => grants.has(initiator) || grants.has(called))
  if (pulls.length === 0) return new Map()
  const drips = await inPieces(
    pulls.map(({ owner }) => owner),
    (owners) => store.query<Drip>(DRIPS, { network, owners }, { route: 'drips' }),
  )
  const payees = await inPieces(
    drips.map(({ payer }) => payer),
    (addresses) =>
      store.query<{ address: string; payees: number }>(PAYEES, { network, addresses }, { route: 'payees' }),
  )
  const payeesOf = new Map(payees.map((row) => [row.address, row.payees]))
  const found = new Map<string, FakeMining[]>()
  for (const [spender, list] of grants) {
    const wallets = answering.get(spender) ?? new Set()
    const its = pulls.filter(({ initiator, called }) => initiator === spender || called === spender)
    const mining = ofSpender(spender, cluster(spender, wallets, list, drips, payeesOf), list, its, drips)
    if (!mining) continue
    for (const wallet of wallets) found.set(wallet, [...(found.get(wallet) ?? []), mining])
  }
  return found
}
