/**
 * Ponzi contracts (semantics row 5) of the chain and tree kind: later deposits pay earlier depositors, within the depositing transaction,
 * more than they had put in, and the creator earns. After SADPonzi (SIGMETRICS 2021). Schemes whose investors withdraw their interest
 * themselves look like farms in their movements and are not covered.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'

const FLOWS = readSql(import.meta.url, './flows.sql')
const SELLERS = readSql(import.meta.url, './nft-sellers.sql')

/** Minimum number of distinct depositors. */
const MIN_DEPOSITORS = 10
/** Minimum number of earlier depositors who gained. An auction refunds, but without a gain. */
const MIN_WINNERS = 5
/** Minimum share of the contract's payments that went to earlier depositors or the creator in later deposits. A lottery pays one prize. */
const CHAINED_SHARE = 0.8
/** Minimum share of the deposits passed on to earlier depositors. Shops that pay for recommendations keep most. Our choice. */
const EARLIER_SHARE = 0.5
/** Minimum share of the inflow paid by depositors. Outside money would be real earnings. */
const DEPOSITED_SHARE = 0.95
/** Minimum share of depositors who lost, since somebody must pay for the gains. */
const LOSERS_SHARE = 0.2
/** Minimum share of pairs of a winner and a loser in which the winner came first. Pure luck gives a half. */
const EARLY_SHARE = 0.8
/** Oldest movements examined. */
const MAX_MOVEMENTS = 5_000
/** Contracts examined per wallet, the busiest first, and contracts per query. */
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

/** A contract that pays earlier depositors from later deposits. Winners received more than they deposited, losers less. */
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

/** Share of pairs, one member of each group, in which the first group's member comes first, 0 to 1. */
const firstShare = (order: readonly string[], first: ReadonlySet<string>, second: ReadonlySet<string>): number => {
  let ahead = 0
  let pairs = 0
  for (const who of order) {
    if (first.has(who)) ahead += 1
    else if (second.has(who)) pairs += ahead
  }
  return pairs / Math.max(1, first.size * second.size)
}

/** Key of a payment by receiver and transaction. */
const paymentOf = ({ party, tx_hash }: Pick<Flow, 'party' | 'tx_hash'>): string => `${tx_hash} ${party}`

/**
 * @param flows movements of the native coin in and out of one contract, in chain order
 * @param prices payments for which the receiver sold something, as on a marketplace
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

/** Loads Ponzi contracts by creator: per wallet the fifty busiest contracts, and 5,000 movements of each. */
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
  // Movements are processed in small batches, because those of thousands of contracts do not fit into memory.
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
  // Keep only the contracts that were examined for a wallet itself, so that results do not depend on the batch.
  return byWallet(
    busy.filter(({ address, contract }) => asked.get(address)?.includes(contract)),
    found,
  )
}
