/** Input of the credit score: quality of the counterparties, borrowing and repayment. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Prices } from '../../ledger/prices/prices.ts'
import { selectorsOf } from '../verbs.ts'
import type { LoadOptions } from './actions.ts'
import { WINDOW } from './money.ts'

const COUNTERPARTIES = readSql(import.meta.url, './sql/counterparties.sql')
const TRUST = readSql(import.meta.url, './sql/trust.sql')
const DEBTS = readSql(import.meta.url, './sql/debts.sql')

/** Maximum number of counterparties that count, and the minimum for a result. */
const MAIN = 50
const FEWEST = 5
/** Minimum value moved with a counterparty, US cents: anybody can send dust to a trusted address. */
const LEAST_CENTS = 1_000

/** Credit history of a wallet. Liquidations are not known: liquidators call through their own contracts. */
export type CreditHistory = {
  /** Mean of 1 - probability over the main counterparties, weighted by value; undefined if too few are known. */
  counterpartyTrust: number | undefined
  /** Repaid over borrowed by value, at most 1; 1 if nothing was borrowed, undefined if its value is unknown. */
  repaidShare: number | undefined
  borrowed: boolean
}

type Peer = { address: string; counterparty: string; cents: number }
type Debt = { address: string; call: 'borrow' | 'repay'; asset: string; amount: number }

const trustOf = (peers: readonly Peer[], probability: ReadonlyMap<string, number>): number | undefined => {
  const known = peers.filter(({ counterparty }) => probability.has(counterparty)).slice(0, MAIN)
  if (known.length < FEWEST) return undefined
  const weight = known.reduce((sum, { cents }) => sum + cents, 0)
  return known.reduce((sum, peer) => sum + peer.cents * (1 - (probability.get(peer.counterparty) ?? 0)), 0) / weight
}

type CreditHistoryOptions = LoadOptions & {
  prices: Prices
  /** Addresses that called a lender to borrow. */
  borrowers: readonly string[]
}

/** Loads credit histories with two rounds of queries. */
export const loadCreditHistory = async (options: CreditHistoryOptions): Promise<(address: string) => CreditHistory> => {
  const { store, facts, addresses, head, time, prices, borrowers } = options
  const valued = [...facts.assets].filter(([address]) => prices.has(address))
  const assets = valued.map(([address]) => address)
  const unitPrices = valued.map(([address, asset]) => (prices.get(address) ?? 0) / 10 ** asset.decimals)
  const common = { network: facts.network, addresses, head }
  const lenders = [...facts.protocols.values()].filter(({ kind }) => kind === 'lending').map(({ address }) => address)
  const [peers, debts] = await Promise.all([
    store.query<Peer>(
      COUNTERPARTIES,
      {
        ...common,
        since: Math.max(0, time - WINDOW),
        assets,
        unit_prices: unitPrices,
        services: facts.services,
        least_cents: LEAST_CENTS,
      },
      { route: 'profile_counterparties' },
    ),
    borrowers.length === 0
      ? []
      : store.query<Debt>(
          DEBTS,
          {
            ...common,
            addresses: borrowers,
            lenders,
            borrows: selectorsOf('borrow'),
            repays: selectorsOf('repay'),
            assets: [...facts.assets.keys()],
          },
          { route: 'profile_debts' },
        ),
  ])
  const asked = [...new Set(peers.map(({ counterparty }) => counterparty))]
  const trusted =
    asked.length === 0
      ? []
      : await store.query<{ address: string; probability: number }>(
          TRUST,
          { network: facts.network, addresses: asked },
          { route: 'profile_trust' },
        )
  const probability = new Map(trusted.map((row) => [row.address, row.probability]))

  const dollarsOf = ({ asset, amount }: Debt): number | undefined => {
    const price = prices.get(asset)
    return price === undefined ? undefined : (price * amount) / 10 ** (facts.assets.get(asset)?.decimals ?? 0)
  }
  const borrowing = new Set(borrowers)
  return (address) => {
    const own = debts.filter((debt) => debt.address === address)
    const borrowed = borrowing.has(address)
    let sums: { borrow: number; repay: number } | undefined = { borrow: 0, repay: 0 }
    for (const debt of own) {
      const value = dollarsOf(debt)
      if (value === undefined) sums = undefined
      else if (sums) sums[debt.call] += value
    }
    return {
      counterpartyTrust: trustOf(
        peers.filter((peer) => peer.address === address),
        probability,
      ),
      repaidShare: !borrowed ? 1 : sums && sums.borrow > 0 ? Math.min(1, sums.repay / sums.borrow) : undefined,
      borrowed,
    }
  }
}
