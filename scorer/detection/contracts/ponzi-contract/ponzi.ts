/**
 * Ponzi contracts (semantics row 5) of the chain and tree kind: earlier depositors are paid out of later deposits, within the depositing
 * transactions, beyond what they had put in, and the creator earns. After SADPonzi (SIGMETRICS 2021). Schemes whose investors fetch
 * their interest themselves cannot be told from farms by movements alone and are left out.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'

const FLOWS = readSql(import.meta.url, './flows.sql')
const SELLERS = readSql(import.meta.url, './nft-sellers.sql')

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
const MAX_MOVEMENTS = 5_000
/** Contracts of one wallet looked at, the busiest first, and contracts in one question. */
const MAX_CONTRACTS = 50
const AT_ONCE = 25

type Flow = {
  contract: string
  direction: 1 | -1
  party: string
  initiator: string
  amount: bigint
  tx_hash: string
}

/** `amount` in base units of the native coin. */
type FlowRow = Omit<Flow, 'amount'> & { amount: string; creator: string }

/**
 * A contract that pays earlier depositors out of later deposits. Winners got out more than they put in, losers less.
 */
export type Ponzi = {
  contract: string
  depositors: number
  winners: number
  losers: number
  /** Native base units. */
  deposited: bigint
  paidToEarlier: bigint
  creatorTook: bigint
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

/** A payment by whom it went to and the transaction. */
const paymentOf = ({ party, tx_hash }: Pick<Flow, 'party' | 'tx_hash'>): string => `${tx_hash} ${party}`

/**
 * @param flows movements of the native coin in and out of one contract, in chain order
 * @param prices payments for which the receiver gave something away: markets pay sellers out of what buyers bring
 */
const findPonzi = (
  contract: string,
  creator: string,
  flows: readonly Flow[],
  prices: ReadonlySet<string>,
): Ponzi | undefined => {
  const put = new Map<string, bigint>()
  const got = new Map<string, bigint>()
  const payers = new Set<string>()
  const transactions: string[] = []
  let [deposited, otherIn, chained, otherOut, creatorTook] = [0n, 0n, 0n, 0n, 0n]
  for (const { direction, party, initiator, amount, tx_hash } of flows) {
    if (direction === 1) {
      if (party !== initiator || party === creator) {
        otherIn += amount
        continue
      }
      put.set(party, (put.get(party) ?? 0n) + amount)
      deposited += amount
      payers.add(tx_hash)
      continue
    }
    if (party === creator) creatorTook += amount
    const fromLaterDeposit = payers.has(tx_hash) && party !== initiator && !prices.has(paymentOf({ party, tx_hash }))
    if (fromLaterDeposit && (put.has(party) || party === creator)) {
      chained += amount
      if (party === creator) continue
      got.set(party, (got.get(party) ?? 0n) + amount)
      if (transactions.at(-1) !== tx_hash && transactions.length < 10) transactions.push(tx_hash)
    } else if (party !== creator) otherOut += amount
  }
  const order = [...put.keys()]
  const gained = order.filter((who) => (got.get(who) ?? 0n) > (put.get(who) ?? 0n))
  const lost = order.filter((who) => (got.get(who) ?? 0n) < (put.get(who) ?? 0n))
  const paidToEarlier = [...got.values()].reduce((sum, amount) => sum + amount, 0n)
  const holds =
    order.length >= MIN_DEPOSITORS &&
    gained.length >= MIN_WINNERS &&
    creatorTook > 0n &&
    Number(chained) >= CHAINED_SHARE * Number(chained + otherOut) &&
    Number(deposited) >= DEPOSITED_SHARE * Number(deposited + otherIn) &&
    Number(paidToEarlier) >= EARLIER_SHARE * Number(deposited) &&
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

/**
 * Ponzi contracts by the wallet that created them; of each wallet the fifty busiest contracts, and 5,000 movements of
 * each.
 */
export const loadPonzis = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Ponzi[]>> => {
  const busy = own.filter(
    (one) => one.callers >= MIN_DEPOSITORS && one.native_in >= MIN_DEPOSITORS && one.native_out >= MIN_WINNERS,
  )
  const asked = new Map<string, string[]>()
  for (const { address, contract } of busy.sort((a, b) => b.native_in - a.native_in)) {
    const list = asked.get(address) ?? []
    if (list.length < MAX_CONTRACTS) asked.set(address, [...list, contract])
  }
  // Movements are dropped piece by piece: those of thousands of contracts would not fit.
  const ponzis = await inPieces(
    [...asked.values()].flat(),
    async (contracts) => {
      const params = { network, contracts, limit: MAX_MOVEMENTS }
      const rows = await store.query<FlowRow>(FLOWS, params, { route: 'ponzi_flows' })
      const flows = rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
      const judge = (some: readonly string[], prices: ReadonlySet<string>) =>
        some.flatMap((contract) => {
          const mine = flows.filter((flow) => flow.contract === contract)
          return findPonzi(contract, mine[0]?.creator ?? '', mine, prices) ?? []
        })
      const suspected = judge(contracts, new Set()).map(({ contract }) => contract)
      if (suspected.length === 0) return []
      const paid = flows.filter(({ contract, direction }) => direction === -1 && suspected.includes(contract))
      const sales = await inPieces(paid, (some) =>
        store.query<{ seller: string; tx_hash: string }>(
          SELLERS,
          {
            network,
            parties: [...new Set(some.map(({ party }) => party))],
            transactions: [...new Set(some.map(({ tx_hash }) => tx_hash))],
          },
          { route: 'nft_sellers' },
        ),
      )
      return judge(suspected, new Set(sales.map(({ seller: party, tx_hash }) => paymentOf({ party, tx_hash }))))
    },
    AT_ONCE,
  )
  const found = new Map(ponzis.map((ponzi) => [ponzi.contract, ponzi]))
  // A wallet answers for those of its contracts that were looked at for it, whoever else of the batch was asked about.
  return byWallet(
    busy.filter(({ address, contract }) => asked.get(address)?.includes(contract)),
    found,
  )
}
