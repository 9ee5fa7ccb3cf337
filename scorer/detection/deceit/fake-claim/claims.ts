/**
 * Fake claims: a young contract whose payable functions promise something ("claim", "security update"), take the callers' coins, give
 * nothing back, and pass the coins on to a few accounts (semantics 2.3.1; PTXPhish, NDSS 2025).
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { SELECTORS } from '../../../../schema/registry/signatures/selectors.ts'
import { groupedBy, inPieces, type LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'
import { loadCalls, loadReturns, tracedAmong } from '../../shared/outflows/outflows.ts'
import { isHub, loadFunded } from '../../shared/strangers/strangers.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const PAYMENTS = readSql(import.meta.url, './payments.sql')
const OUTFLOW = readSql(import.meta.url, './coin-outflow.sql')

/** Selectors of functions that promise something, such as `claim()` and `SecurityUpdate()`. Wallets show these names before signing. */
export const BAIT = Object.keys(SELECTORS.bait)

/** Minimum number of distinct payers who got nothing (semantics 2.3.1). */
export const MIN_PAYERS = 5
/** Minimum average payment, US dollars. Daily claims of points cost cents, which many accept. Our choice. */
const LEAST_USD = 5
/**
 * Payers of less than this share of the minimum do not count, so that serving them clears nobody. Our choice. In two generated
 * populations (3,000 wallets, seeds 880101 and 880102) all payers of traps paid $274 or more.
 */
const PAYER_SHARE = 0.1
/** Minimum share of payers who got nothing. A contract that serves more is broken or unfair, not a trap. */
const EMPTY_HANDED_SHARE = 0.9
/** Maximum age of a contract at its first payer, s. Older ones are no throw-away traps. */
const YOUNG_S = 30 * 86_400
/** Maximum number of accounts that share the payments, and the minimum share that reached them. */
const MAX_TAKERS = 3
const TAKEN_SHARE = 0.8

/** A contract that took coins for a promise. `payers` got nothing; `takers` got their coins; `time` in Unix seconds. */
export type FakeClaim = {
  contract: string
  payers: number
  /** Base units of the native coin. */
  paid: bigint
  selectors: string[]
  takers: string[]
  transactions: string[]
  time: number
}

type Payment = {
  contract: string
  creator: string
  payer: string
  amount: string
  tx_hash: string
  time: number
  selector: string
  returned: boolean
}
/** `owner` paid and signed. */
type Paid = {
  contract: string
  owner: string
  initiator: string
  amount: string
  tx_hash: string
  block_number: number
  time: number
  creator: string
}

type Outflow = { contract: string; taker: string; amount: string }

/** Average payment by payer, base units. Each payer counts once, so that nobody can lower the mean with repeated empty payments. */
const meansOf = (payments: readonly Payment[]): Map<string, number> =>
  new Map(
    [...groupedBy(payments, ({ payer }) => payer)].map(([payer, its]) => [
      payer,
      its.reduce((sum, { amount }) => sum + Number(amount), 0) / its.length,
    ]),
  )

/**
 * @param payments of strangers to the contract's maker
 * @param least minimum average payment, base units of the native coin
 */
const judge = (payments: readonly Payment[], since: number, outflow: readonly Outflow[], least: number) => {
  const [first] = payments
  if (!first || first.time - since > YOUNG_S) return undefined
  const means = meansOf(payments)
  if ([...means.values()].reduce((sum, mean) => sum + mean, 0) < least * means.size) return undefined
  const payers = new Set([...means].flatMap(([payer, mean]) => (mean >= PAYER_SHARE * least ? [payer] : [])))
  const served = new Set(payments.filter(({ returned }) => returned).map(({ payer }) => payer))
  const empty = payments.filter(({ payer }) => payers.has(payer) && !served.has(payer))
  const emptyHanded = new Set(empty.map(({ payer }) => payer)).size
  if (emptyHanded < MIN_PAYERS || emptyHanded < EMPTY_HANDED_SHARE * payers.size) return undefined
  const paid = payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const takers = outflow.filter(({ taker }) => !payers.has(taker)).slice(0, MAX_TAKERS)
  if (Number(takers.reduce((sum, { amount }) => sum + BigInt(amount), 0n)) < TAKEN_SHARE * Number(paid))
    return undefined
  return {
    payers: emptyHanded,
    paid,
    selectors: [...new Set(empty.map(({ selector }) => selector))].sort(),
    takers: takers.map(({ taker }) => taker),
    transactions: empty.slice(0, 10).map(({ tx_hash }) => tx_hash),
    time: first.time,
  }
}

/**
 * Keeps payments of strangers. Not strangers: the maker, its funder, accounts that the maker or a taker of the coins funded, and accounts
 * with the same funder as the maker. What these receive clears nobody. Funders of very many accounts link nobody.
 */
const loadStrangers = async (
  context: LoadContext,
  payments: readonly Payment[],
  outflows: readonly Outflow[],
): Promise<Payment[]> => {
  const funded = await loadFunded(context, new Set(payments.flatMap(({ payer, creator }) => [payer, creator])))
  const takers = groupedBy(outflows, ({ contract }) => contract)
  const payers = new Set(payments.map(({ contract, payer }) => `${contract} ${payer}`))
  const isOwn = ({ contract, creator, payer }: Payment): boolean => {
    if (payer === creator) return true
    const makers = funded.get(creator)?.funder ?? ''
    if (makers === payer) return true
    const by = funded.get(payer)
    if (by === undefined || by.funder === '' || isHub(by)) return false
    return (
      by.funder === creator ||
      by.funder === makers ||
      (takers.get(contract) ?? []).some(({ taker }) => taker === by.funder && !payers.has(`${contract} ${taker}`))
    )
  }
  return payments.filter((payment) => !isOwn(payment))
}

/** Loads payments to bait functions, and whether the payer ever got anything: in that transaction, from the contract, or from its maker. */
const loadPayments = async (context: LoadContext, contracts: readonly string[]): Promise<Payment[]> => {
  const { store, network } = context
  const paid = await inPieces(contracts, (piece) =>
    store.query<Paid>(PAYMENTS, { network, contracts: piece }, { route: 'claim_payments' }),
  )
  const calls = await loadCalls(context, paid)
  const baited = paid.filter(({ tx_hash }) => BAIT.includes(calls.get(tx_hash)?.selector ?? ''))
  if (baited.length === 0) return []
  const traced = await tracedAmong(
    context,
    baited.map(({ block_number }) => block_number),
  )
  const seen = baited.filter(({ block_number }) => traced.has(block_number))
  const returns = await loadReturns(context, seen, {
    parties: seen.map(({ contract }) => contract),
    signers: seen.map(({ creator }) => creator).filter((creator) => creator !== ''),
  })
  return seen.map(({ contract, owner, creator, amount, tx_hash, time }) => ({
    contract,
    creator,
    payer: owner,
    amount,
    tx_hash,
    time,
    selector: calls.get(tx_hash)?.selector ?? '',
    returned: returns.within(owner, tx_hash) || returns.from(owner, contract) || returns.by(owner, creator),
  }))
}

/** Loads fake claims by the wallet that answers for the contract. */
export const loadFakeClaims = async (
  context: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, FakeClaim[]>> => {
  const { store, network } = context
  const paidInto = own.filter(({ callers, native_in }) => callers >= MIN_PAYERS && native_in >= MIN_PAYERS)
  const payments = await loadPayments(
    context,
    paidInto.map(({ contract }) => contract),
  )
  if (payments.length === 0) return new Map()
  const outflows = await store.query<Outflow>(
    OUTFLOW,
    { network, contracts: [...new Set(payments.map(({ contract }) => contract))] },
    { route: 'coin_outflow' },
  )
  const strangers = await loadStrangers(context, payments, outflows)
  const least = usdThresholds(network, LEAST_USD).get('') ?? Number.POSITIVE_INFINITY
  const found = new Map<string, FakeClaim>()
  for (const { contract, born } of paidInto) {
    const claim = judge(
      strangers.filter((payment) => payment.contract === contract),
      born ?? 0,
      outflows.filter((outflow) => outflow.contract === contract),
      least,
    )
    if (claim) found.set(contract, { contract, ...claim })
  }
  return byWallet(own, found)
}
