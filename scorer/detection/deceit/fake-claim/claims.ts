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

/**
 * Selectors of functions that promise something, such as `claim()` and `SecurityUpdate()`. Wallets show such names to
 * their owners before they sign.
 */
export const BAIT = Object.keys(SELECTORS.bait)

/** Distinct payers who got nothing (semantics 2.3.1). */
export const MIN_PAYERS = 5
/** Least payment on average, US dollars: daily claims of points cost cents, and are worth them to many. Our choice. */
const LEAST_USD = 5
/** Who paid less than this part of that is no payer whom a service clears. Our choice. */
const PAYER_SHARE = 0.1
/** Of all payers: a contract that serves some of them is broken or unfair, not a trap. */
const EMPTY_HANDED_SHARE = 0.9
/** A contract older than this when its first payer came is no throw-away trap, s. */
const YOUNG_S = 30 * 86_400
/** Accounts that share what was paid, and the part of it that has to have reached them. */
const MAX_TAKERS = 3
const TAKEN_SHARE = 0.8

/**
 * A contract that took coins for a promise. `payers` got nothing, and `takers` got what they paid; `time` in Unix
 * seconds.
 */
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
/** `owner` paid and signed for it. */
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

/** Payers by what they paid in the mean, base units. Each counts once, so that nobody makes a claim cheaper by paying nothing again and again. */
const meansOf = (payments: readonly Payment[]): Map<string, number> =>
  new Map(
    [...groupedBy(payments, ({ payer }) => payer)].map(([payer, its]) => [
      payer,
      its.reduce((sum, { amount }) => sum + Number(amount), 0) / its.length,
    ]),
  )

/**
 * @param payments of strangers to the contract's maker
 * @param least average payment of the payers, base units of the native coin
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
 * Payments of strangers. A payer is none who made the contract, who funded its maker, whom its maker or a taker of its coins funded, or whose
 * funder funded the maker as well: what one of these gets clears nobody. Funders of very many link nobody.
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

/** Payments that called bait, and what the payers ever got for them: in that transaction, from the contract, from its maker. */
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

/**
 * Fake claims by the wallet that answers for the contract. A contract that gave more than one of ten payers something
 * is none.
 */
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
