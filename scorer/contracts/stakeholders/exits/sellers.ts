/**
 * Who of those that sold an insider's tokens sold for the insider. Tokens are also paid for before there is a pool, and given away to
 * many: what becomes of them then is their owners' business.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import type { Gift } from './origins.ts'

const DEALINGS = readSql(import.meta.url, './sql/dealings.sql')
const RECEIVERS = readSql(import.meta.url, './sql/receivers.sql')
/** Part of what somebody sold tokens for that it paid the insiders before, from which it had bought them. */
const PAID = 0.25
/** Accounts that were given a fiftieth of somebody's tokens or more, by the same giver, from which they were given away. */
const [MANY, ALIKE] = [25, 50n]

/** Somebody who sold tokens that go back to insiders. */
export type Seller = {
  address: string
  /** Part (0..1) of its tokens that goes back to insiders. */
  share: number
  /** Unix seconds. */
  firstSale: number
  /** Dollars. */
  taken: number
}

/** Sellers, and where to look at what they did otherwise. */
export type SellersInput = {
  store: Store
  network: Network
  token: string
  insiders: readonly string[]
  sellers: readonly Seller[]
  /** What the sellers were given of the token. */
  gifts: readonly Gift[]
  /** Unix seconds before which nothing is looked at. */
  since: number
  /** Dollars of an amount of a coin (no address) or base asset. */
  usdOf: (asset: string, amount: bigint) => number
  /** Base assets by address. */
  assets: readonly string[]
}

type Dealing = { address: string; direction: number; asset: string; amount: string; time: number }

const giverOf = ({ from, signer }: Gift): string => (from === ZERO ? signer : from)

/** Part of each seller's sales that is the insiders'. Where coins went from insiders to it, or came back afterwards, it is no stranger. */
export const actingSellers = async (input: SellersInput): Promise<Map<string, number>> => {
  const { store, network, token, insiders, sellers, gifts, since, usdOf, assets } = input
  if (sellers.length === 0) return new Map()
  const accounts = sellers.map(({ address }) => address)
  const ofSellers = gifts.filter(({ to }) => accounts.includes(to))
  const givers = [...new Set(ofSellers.map(giverOf))]
  const [dealings, given] = await Promise.all([
    store.query<Dealing>(
      DEALINGS,
      { network, accounts, insiders, assets: ['', ...assets], since },
      { route: 'contract_dealings' },
    ),
    store.query<{ address: string; amount: string }>(
      RECEIVERS,
      { network, givers, token },
      { route: 'contract_receivers' },
    ),
  ])
  const isGivenAway = (who: string) =>
    ofSellers.some((gift) => {
      const alike = given.filter(
        ({ address, amount }) => address === giverOf(gift) && BigInt(amount) * ALIKE >= gift.amount,
      )
      return gift.to === who && alike.length >= MANY
    })
  const acts = ({ address, firstSale, taken }: Seller): boolean => {
    const own = dealings.filter((one) => one.address === address)
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
