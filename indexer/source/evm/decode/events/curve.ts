/**
 * Curve and its forks. Swaps name coins by their number in the pool, so the lower number is the first amount. Pools are announced by
 * registered factories; most announcements name no pool, which is then the contract that the factory created in the same transaction
 * (seen with traces only). A pool of three or four coins is as many pools as it has pairs. That of its first two has the pool's own
 * address: a swap between these says nothing of how many coins there are.
 */
import { pairId, pairsOf } from '../../../../../schema/pairs.ts'
import type { Cursor, Log, LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic, fitsSigned, uintAt, WORD } from '../hex.ts'
import { change } from './liquidity.ts'
import { itemsOf } from './lists.ts'
import { announce } from './pools.ts'
import { swap } from './swaps.ts'
import { word } from './transfers.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** How Curve's pools write the native coin. */
const NATIVE = `0x${'e'.repeat(40)}`
/** Coins a pool can have, and those of a pool that is followed. */
const MOST_COINS = 8
const FOLLOWED_COINS = 4
/** Rows of the ledger, two for each movement, among which a pool's payment is looked for: it comes directly before the event. */
const PAID_WITHIN = 64
/** The stable factories state fees in parts of 10^10, pools hundredths of a basis point. */
const FEE_UNIT = 10_000

/** Number of a coin; `undefined` when no pool has so many. */
const coinAt = (data: string, at: number): number | undefined => {
  const text = uintAt(data, at)
  return text.length === 1 && Number(text) < MOST_COINS ? Number(text) : undefined
}

/** Id of the pool of two coins, the lower number first. */
const poolOf = (address: string, first: number, second: number): string =>
  first === 0 && second === 1 ? address : pairId(address, first, second)

/** Buyer, number and amount of the coin sold, number and amount of the coin bought; pools of the newest designs add two words. */
const exchangeReader =
  (words: number): LogReader =>
  (at, { topics, data, address }, position) => {
    const buyer = addressOfTopic(topics[1])
    if (topics.length !== 2 || buyer === undefined || data.length !== 2 + words * WORD) return false
    if (!fitsSigned(data, word(1)) || !fitsSigned(data, word(3))) return false
    const sold = coinAt(data, word(0))
    const bought = coinAt(data, word(2))
    if (sold === undefined || bought === undefined || sold === bought) return false
    const [paid, got] = [uintAt(data, word(1)), uintAt(data, word(3))]
    const out = got === '0' ? '0' : `-${got}`
    return sold < bought
      ? swap(at, position, poolOf(address, sold, bought), buyer, buyer, paid, out)
      : swap(at, position, poolOf(address, bought, sold), buyer, buyer, out, paid)
  }

/** `TokenExchange` and `TokenExchangeUnderlying` of stable and older crypto pools. */
export const readExchange = exchangeReader(4)
/** `TokenExchange` of twocrypto-ng and tricrypto-ng, which states fee and price scale too. */
export const readExchangeNg = exchangeReader(6)

/** Amounts of all coins at the given places: a change of each pair. */
const all = (at: Cursor, log: Log, position: string, event: 'add' | 'remove', items: readonly number[]): boolean => {
  const owner = addressOfTopic(log.topics[1])
  if (log.topics.length !== 2 || owner === undefined) return false
  if (!items.every((item) => fitsSigned(log.data, item))) return false
  const amounts = items.map((item) => uintAt(log.data, item))
  for (const [i, j] of pairsOf(items.length)) {
    change(at, position, event, poolOf(log.address, i, j), owner, amounts[i] ?? '0', amounts[j] ?? '0', '0')
  }
  return true
}

/** The amounts of the coins come first. */
const fixedReader =
  (event: 'add' | 'remove', coins: number, words: number): LogReader =>
  (at, log, position) => {
    const places = Array.from({ length: coins }, (_, i) => word(i))
    return log.data.length === 2 + words * WORD && all(at, log, position, event, places)
  }

/** A list of amounts comes first; pools of more coins than are followed leave no row. */
const listReader =
  (event: 'add' | 'remove'): LogReader =>
  (at, log, position) => {
    const items = itemsOf(log.data, 0)
    if (items === undefined) return false
    return items.length > FOLLOWED_COINS || all(at, log, position, event, items)
  }

/** `AddLiquidity` of stable pools of two coins: amounts, fees, invariant, supply. */
export const readAdd = fixedReader('add', 2, 6)
/** `AddLiquidity` of stable pools of three coins. */
export const readAdd3 = fixedReader('add', 3, 8)
/** `AddLiquidity` of stable pools of four coins. */
export const readAdd4 = fixedReader('add', 4, 10)
/** `AddLiquidity` of stableswap-ng, whose amounts are a list. */
export const readAddNg = listReader('add')
/** `AddLiquidity` of crypto pools of two coins: amounts, fee, supply. */
export const readCryptoAdd = fixedReader('add', 2, 4)
/** `AddLiquidity` of crypto pools of three coins. */
export const readCryptoAdd3 = fixedReader('add', 3, 5)
/** `AddLiquidity` of twocrypto-ng, which states the price scale too. */
export const readCryptoAddNg = fixedReader('add', 2, 5)
/** `AddLiquidity` of tricrypto-ng. */
export const readCryptoAddNg3 = fixedReader('add', 3, 6)
/** `RemoveLiquidity` of stable pools of two coins: amounts, fees, supply. */
export const readRemove = fixedReader('remove', 2, 5)
/** `RemoveLiquidity` of stable pools of three coins. */
export const readRemove3 = fixedReader('remove', 3, 7)
/** `RemoveLiquidity` of stable pools of four coins. */
export const readRemove4 = fixedReader('remove', 4, 9)
/** `RemoveLiquidity` of stableswap-ng, whose amounts are a list. */
export const readRemoveNg = listReader('remove')
/** `RemoveLiquidity` of crypto pools of two coins: amounts, supply. */
export const readCryptoRemove = fixedReader('remove', 2, 3)
/** `RemoveLiquidity` of crypto pools of three coins. */
export const readCryptoRemove3 = fixedReader('remove', 3, 4)
/** `RemoveLiquidityImbalance` of pools of two coins: amounts that the provider chose, fees, invariant, supply. */
export const readRemoveImbalance = fixedReader('remove', 2, 6)
/** `RemoveLiquidityImbalance` of pools of three coins. */
export const readRemoveImbalance3 = fixedReader('remove', 3, 8)
/** `RemoveLiquidityImbalance` of pools of four coins. */
export const readRemoveImbalance4 = fixedReader('remove', 4, 10)
/** `RemoveLiquidityImbalance` of stableswap-ng, whose amounts are a list. */
export const readRemoveImbalanceNg = listReader('remove')

/**
 * Whether this is what the pool sent last in the transaction, as far as movements show it: native coins do with traces
 * only.
 */
const wasPaid = (at: Cursor, pool: string, amount: string): boolean => {
  const recent = at.rows.ledger.slice(-PAID_WITHIN)
  const sent = recent.findLast(
    ({ tx_hash, direction, address }) => tx_hash === at.txHash && direction === -1 && address === pool,
  )
  return sent?.amount === amount
}

/**
 * What was taken of one coin. An event that does not name the coin leaves no amounts. None says how many coins the pool has: there is a
 * change of each pair that the coin may be part of.
 */
const oneReader =
  (words: number, coinWord: number, amountWord: number, isSure: typeof wasPaid = () => true): LogReader =>
  (at, { topics, data, address }, position) => {
    const owner = addressOfTopic(topics[1])
    if (topics.length !== 2 || owner === undefined || data.length !== 2 + words * WORD) return false
    if (!fitsSigned(data, word(amountWord))) return false
    const coin = coinAt(data, word(coinWord))
    const amount = uintAt(data, word(amountWord))
    if (coin === undefined || !isSure(at, address, amount))
      return change(at, position, 'remove', address, owner, '0', '0', '0')
    for (const [i, j] of pairsOf(FOLLOWED_COINS).filter((pair) => pair.includes(coin))) {
      const pool = poolOf(address, i, j)
      change(at, position, 'remove', pool, owner, i === coin ? amount : '0', j === coin ? amount : '0', '0')
    }
    return true
  }

/**
 * `RemoveLiquidityOne` of three numbers: shares, coin, amount of crypto pools, or shares, amount, supply of stable
 * ones, which name no coin. An amount of a few base units looks like the number of a coin, and the supply like the amount, which
 * would be a removal of everything. So an amount counts where the pool has just sent it.
 */
export const readRemoveOne = oneReader(3, 1, 2, wasPaid)
/** `RemoveLiquidityOne` of stableswap-ng: coin, shares, amount, supply. */
export const readRemoveOneNg = oneReader(4, 0, 2)
/** `RemoveLiquidityOne` of twocrypto-ng and tricrypto-ng: shares, coin, amount, fee, price scale. */
export const readCryptoRemoveOneNg = oneReader(5, 1, 2)

const isFactory = (at: Cursor, address: string): boolean => at.registry.dexFactories.get(address)?.kind === 'curve'

/** The newest contract that the factory created in this transaction, but for one. */
const createdBy = (at: Cursor, factory: string, other = ''): string | undefined =>
  at.rows.creations.findLast(
    ({ tx_hash, event, creator, contract }) =>
      tx_hash === at.txHash && event === 'create' && creator === factory && contract !== other,
  )?.contract

const coinOf = (coin: string): string => (coin === NATIVE ? '' : coin)

type Deployed = { pool: string | undefined; coins: readonly (string | undefined)[]; fee: number }

const deployed = (at: Cursor, position: string, factory: string, { pool, coins, fee }: Deployed): boolean => {
  const held = coins.filter((coin) => coin !== ZERO_ADDRESS)
  if (held.includes(undefined) || held.length < 2) return false
  if (held.length > FOLLOWED_COINS || pool === undefined) return true
  for (const [i, j] of pairsOf(held.length)) {
    const named = { pool: poolOf(pool, i, j), kind: 'curve', fee, hooks: '' } as const
    announce(at, position, factory, coinOf(held[i] ?? ''), coinOf(held[j] ?? ''), named)
  }
  return true
}

const feeAt = (data: string, at: number): number => Math.floor(Number(uintAt(data, at)) / FEE_UNIT)

/** `PlainPoolDeployed` of the stable factories: four places for coins, the unused ones zero. */
export const readPlainPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  if (data.length !== 2 + 7 * WORD) return false
  const coins = [0, 1, 2, 3].map((i) => addressAt(data, word(i)))
  return deployed(at, position, address, { pool: createdBy(at, address), coins, fee: feeAt(data, word(5)) })
}

/** `PlainPoolDeployed` of the stableswap-ng factory, whose coins are a list. */
export const readPlainPoolDeployedNg: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const items = itemsOf(data, 0)
  if (items === undefined) return false
  const coins = items.map((item) => addressAt(data, item))
  return deployed(at, position, address, { pool: createdBy(at, address), coins, fee: feeAt(data, word(2)) })
}

/**
 * `CryptoPoolDeployed` names the pool's share, which the same factory created: the pool is the other contract. Its fee
 * changes, so rows have 0.
 */
export const readCryptoPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const share = addressAt(data, word(0))
  if (share === undefined || data.length !== 2 + 14 * WORD) return false
  const coins = [1, 2].map((i) => addressAt(data, word(i)))
  return deployed(at, position, address, { pool: createdBy(at, address, share), coins, fee: 0 })
}

/** `TwocryptoPoolDeployed` names the pool itself. Its fee changes, so rows have 0. */
export const readTwocryptoPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const pool = addressAt(data, word(0))
  if (pool === undefined) return false
  const coins = [3, 4].map((i) => addressAt(data, word(i)))
  return deployed(at, position, address, { pool, coins, fee: 0 })
}

/**
 * `TricryptoPoolDeployed` names the pool itself and leaves a row for each pair of its three coins. Its fee changes, so
 * rows have 0.
 */
export const readTricryptoPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const pool = addressAt(data, word(0))
  if (pool === undefined) return false
  const coins = [4, 5, 6].map((i) => addressAt(data, word(i)))
  return deployed(at, position, address, { pool, coins, fee: 0 })
}
