/**
 * Finds which sellers of an insider's tokens sold on the insider's behalf. Tokens are also sold before there is a pool,
 * and given away to many; then their sale is the new owners' business.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import type { Inflow } from './origins.ts'

const PAYMENTS = readSql(import.meta.url, './sql/payments.sql')
const RECEIVERS = readSql(import.meta.url, './sql/receivers.sql')
/** A seller that paid insiders at least this share of its proceeds before selling had bought the tokens. */
const PAID = 0.25
/** Tokens count as given away when the same sender gave at least this many accounts at least a fiftieth as much. */
const [MANY, ALIKE] = [25, 50n]

/** An account that sold tokens from insiders. */
export type Seller = {
  address: string
  /** Share (0..1) of its tokens that comes from insiders. */
  share: number
  /** Unix seconds. */
  firstSale: number
  /** USD. */
  taken: number
}

/** Sellers, and the sources about their other transfers. */
export type SellersInput = {
  store: Store
  network: Network
  token: string
  insiders: readonly string[]
  sellers: readonly Seller[]
  /** Incoming transfers of the token. */
  inflows: readonly Inflow[]
  /** Unix seconds from which transfers count. */
  since: number
  /** USD value of an amount of the native coin (no address) or a base asset. */
  usdOf: (asset: string, amount: bigint) => number
  /** Addresses of base assets. */
  assets: readonly string[]
}

type Payment = { address: string; direction: number; asset: string; amount: string; time: number }

const senderOf = ({ from, signer }: Inflow): string => (from === ZERO ? signer : from)

/**
 * Share of each seller's sales attributed to insiders. A seller that insiders paid before its sale, or that exchanged
 * payments with them after it, acts for them.
 */
export const sellersForInsiders = async (input: SellersInput): Promise<Map<string, number>> => {
  const { store, network, token, insiders, sellers, inflows, since, usdOf, assets } = input
  if (sellers.length === 0) return new Map()
  const accounts = sellers.map(({ address }) => address)
  const ofSellers = inflows.filter(({ to }) => accounts.includes(to))
  const senders = [...new Set(ofSellers.map(senderOf))]
  const [payments, given] = await Promise.all([
    store.query<Payment>(
      PAYMENTS,
      { network, accounts, insiders, assets: ['', ...assets], since },
      { route: 'contract_dealings' },
    ),
    store.query<{ address: string; amount: string }>(
      RECEIVERS,
      { network, senders, token },
      { route: 'contract_receivers' },
    ),
  ])
  const isGivenAway = (who: string) =>
    ofSellers.some((inflow) => {
      const alike = given.filter(
        ({ address, amount }) => address === senderOf(inflow) && BigInt(amount) * ALIKE >= inflow.amount,
      )
      return inflow.to === who && alike.length >= MANY
    })
  const acts = ({ address, firstSale, taken }: Seller): boolean => {
    const own = payments.filter((one) => one.address === address)
    const before = own.filter(({ time }) => Number(time) < firstSale)
    const isSupplied = before.some(({ direction }) => Number(direction) > 0)
    const paid = before
      .filter(({ direction }) => Number(direction) < 0)
      .reduce((sum, { asset, amount }) => sum + usdOf(asset, BigInt(amount)), 0)
    if (!isSupplied && paid >= PAID * taken) return false
    const isTied = isSupplied || own.length > before.length
    return isTied || !isGivenAway(address)
  }
  return new Map(sellers.filter(acts).map(({ address, share }) => [address, share]))
}
