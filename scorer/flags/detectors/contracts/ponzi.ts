/**
 * Ponzi contracts (semantics row 5) of the chain and tree kind: earlier depositors are paid out of later deposits, within
 * the depositing transactions, beyond what they had put in, and the creator earns. After SADPonzi (SIGMETRICS 2021).
 * Schemes whose investors fetch their interest themselves cannot be told from farms by movements alone and are left out.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { LoadContext } from '../context.ts'
import { byWallet, type OwnContract } from './own.ts'

const FLOWS = readSql(import.meta.url, '../../sql/ponzi-flows.sql')

/** Distinct depositors before anything can be said. */
const MIN_DEPOSITORS = 10
/** Earlier depositors who got more out of others' deposits than they put in. An auction refunds, but with no gain. */
const MIN_WINNERS = 5
/** Part of what the contract paid that went to earlier depositors (or the creator) in later deposits. A lottery's winner gets one prize. */
const CHAINED_SHARE = 0.8
/** Part of the deposits that went on to earlier depositors: those are the scheme's only source. Who pays for recommendations keeps most. Our choice. */
const EARLIER_SHARE = 0.5
/** Part of what came in that depositors paid: outside money would be real earnings. */
const DEPOSITED_SHARE = 0.95
/** Part of the depositors who are behind: somebody pays for the others' gain. */
const LOSERS_SHARE = 0.2
/** Winners are the early ones: of all pairs of a winner and a loser, the part whose winner came first. Luck is at a half. */
const EARLY_SHARE = 0.8
/** Movements looked at, oldest first. */
const MOST_MOVEMENTS = 5_000
/** Contracts of one batch looked at, the busiest first. */
const MOST_CONTRACTS = 50

type Flow = {
  contract: string
  direction: 1 | -1
  party: string
  initiator: string
  amount: number
  tx_hash: string
}

export type Ponzi = {
  contract: string
  depositors: number
  winners: number
  losers: number
  /** Native base units. */
  deposited: number
  paidToEarlier: number
  creatorTook: number
  transactions: string[]
}

/** Of the pairs of one of each group, the part in which the first group's comes first, 0 to 1. */
const firstShare = (order: readonly string[], first: ReadonlySet<string>, second: ReadonlySet<string>): number => {
  let ahead = 0
  let pairs = 0
  for (const who of order) {
    if (first.has(who)) ahead += 1
    else if (second.has(who)) pairs += ahead
  }
  return pairs / Math.max(1, first.size * second.size)
}

/** Movements of the native coin in and out of one contract, in chain order. */
const findPonzi = (contract: string, creator: string, flows: readonly Flow[]): Ponzi | undefined => {
  const put = new Map<string, number>()
  const got = new Map<string, number>()
  const payers = new Set<string>()
  const transactions: string[] = []
  let [deposited, otherIn, chained, otherOut, creatorTook] = [0, 0, 0, 0, 0]
  for (const { direction, party, initiator, amount, tx_hash } of flows) {
    if (direction === 1) {
      if (party !== initiator || party === creator) {
        otherIn += amount
        continue
      }
      put.set(party, (put.get(party) ?? 0) + amount)
      deposited += amount
      payers.add(tx_hash)
      continue
    }
    if (party === creator) creatorTook += amount
    const fromLaterDeposit = payers.has(tx_hash) && party !== initiator
    if (fromLaterDeposit && (put.has(party) || party === creator)) {
      chained += amount
      if (party === creator) continue
      got.set(party, (got.get(party) ?? 0) + amount)
      if (transactions.at(-1) !== tx_hash && transactions.length < 10) transactions.push(tx_hash)
    } else if (party !== creator) otherOut += amount
  }
  const order = [...put.keys()]
  const gained = order.filter((who) => (got.get(who) ?? 0) > (put.get(who) ?? 0))
  const lost = order.filter((who) => (got.get(who) ?? 0) < (put.get(who) ?? 0))
  const paidToEarlier = [...got.values()].reduce((sum, amount) => sum + amount, 0)
  const holds =
    order.length >= MIN_DEPOSITORS &&
    gained.length >= MIN_WINNERS &&
    creatorTook > 0 &&
    chained >= CHAINED_SHARE * (chained + otherOut) &&
    deposited >= DEPOSITED_SHARE * (deposited + otherIn) &&
    paidToEarlier >= EARLIER_SHARE * deposited &&
    lost.length >= LOSERS_SHARE * order.length &&
    firstShare(order, new Set(gained), new Set(lost)) >= EARLY_SHARE
  if (!holds) return undefined
  return {
    contract,
    depositors: order.length,
    winners: gained.length,
    losers: lost.length,
    deposited,
    paidToEarlier,
    creatorTook,
    transactions,
  }
}

export const loadPonzis = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Ponzi[]>> => {
  const contracts = [
    ...new Set(
      own
        .filter((c) => c.callers >= MIN_DEPOSITORS && c.native_in >= MIN_DEPOSITORS && c.native_out >= MIN_WINNERS)
        .sort((a, b) => b.native_in - a.native_in)
        .map(({ contract }) => contract),
    ),
  ].slice(0, MOST_CONTRACTS)
  if (contracts.length === 0) return new Map()
  const flows = await store.query<Flow & { creator: string }>(
    FLOWS,
    { network, contracts, limit: MOST_MOVEMENTS },
    { route: 'ponzi_flows' },
  )
  const found = new Map<string, Ponzi>()
  for (const contract of contracts) {
    const mine = flows.filter((flow) => flow.contract === contract)
    const ponzi = findPonzi(contract, mine[0]?.creator ?? '', mine)
    if (ponzi) found.set(contract, ponzi)
  }
  return byWallet(own, found)
}
