/**
 * Curve and its forks. Swaps identify coins by their index in the pool; the lower index is the first amount. Registered factories
 * announce pools, but most announcements do not name the pool: it is then the contract that the factory created in the same
 * transaction (which only traces show). A pool of three or four coins is stored as one pool per pair. The pair of its first
 * two has the pool's own address, because a swap between these does not show how many coins there are.
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
/** Curve's address of the native coin. */
const NATIVE = `0x${'e'.repeat(40)}`
/** Maximum number of coins of a pool, and of a pool that is indexed. */
const MAX_COINS = 8
const MAX_INDEXED_COINS = 4
/** Ledger rows (two per movement) that are searched for a pool's payment, which directly precedes the event. */
const PAID_WITHIN = 64
/** The stable factories state fees in parts of 10^10; rows have hundredths of a basis point. */
const FEE_UNIT = 10_000

/** Index of a coin; `undefined` if no pool has so many. */
const coinAt = (data: string, at: number): number | undefined => {
  const text = uintAt(data, at)
  return text.length === 1 && Number(text) < MAX_COINS ? Number(text) : undefined
}

/** Id of the pool of two coins, the lower index first. */
const poolOf = (address: string, first: number, second: number): string =>
  first === 0 && second === 1 ? address : pairId(address, first, second)

/** Buyer, index and amount of the sold coin, index and amount of the bought coin; the newest designs add two words. */
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
/** `TokenExchange` of twocrypto-ng and tricrypto-ng, with fee and price scale. */
export const readExchangeNg = exchangeReader(6)

/** A change of each pair, from the amounts of all coins. */
const changeAllPairs = (
  at: Cursor,
  log: Log,
  position: string,
  event: 'add' | 'remove',
  items: readonly number[],
): boolean => {
  const owner = addressOfTopic(log.topics[1])
  if (log.topics.length !== 2 || owner === undefined) return false
  if (!items.every((item) => fitsSigned(log.data, item))) return false
  const amounts = items.map((item) => uintAt(log.data, item))
  for (const [i, j] of pairsOf(items.length)) {
    change(at, position, event, poolOf(log.address, i, j), owner, amounts[i] ?? '0', amounts[j] ?? '0', '0')
  }
  return true
}

/** Reads events that begin with the amounts of the coins. */
const fixedReader =
  (event: 'add' | 'remove', coins: number, words: number): LogReader =>
  (at, log, position) => {
    const places = Array.from({ length: coins }, (_, i) => word(i))
    return log.data.length === 2 + words * WORD && changeAllPairs(at, log, position, event, places)
  }

/** Reads events that begin with a list of amounts; pools with too many coins get no row. */
const listReader =
  (event: 'add' | 'remove'): LogReader =>
  (at, log, position) => {
    const items = itemsOf(log.data, 0)
    if (items === undefined) return false
    return items.length > MAX_INDEXED_COINS || changeAllPairs(at, log, position, event, items)
  }

/** `AddLiquidity` of stable pools of two coins: amounts, fees, invariant, supply. */
export const readAdd = fixedReader('add', 2, 6)
/** `AddLiquidity` of stable pools of three coins. */
export const readAdd3 = fixedReader('add', 3, 8)
/** `AddLiquidity` of stable pools of four coins. */
export const readAdd4 = fixedReader('add', 4, 10)
/** `AddLiquidity` of stableswap-ng, with a list of amounts. */
export const readAddNg = listReader('add')
/** `AddLiquidity` of crypto pools of two coins: amounts, fee, supply. */
export const readCryptoAdd = fixedReader('add', 2, 4)
/** `AddLiquidity` of crypto pools of three coins. */
export const readCryptoAdd3 = fixedReader('add', 3, 5)
/** `AddLiquidity` of twocrypto-ng, with the price scale. */
export const readCryptoAddNg = fixedReader('add', 2, 5)
/** `AddLiquidity` of tricrypto-ng. */
export const readCryptoAddNg3 = fixedReader('add', 3, 6)
/** `RemoveLiquidity` of stable pools of two coins: amounts, fees, supply. */
export const readRemove = fixedReader('remove', 2, 5)
/** `RemoveLiquidity` of stable pools of three coins. */
export const readRemove3 = fixedReader('remove', 3, 7)
/** `RemoveLiquidity` of stable pools of four coins. */
export const readRemove4 = fixedReader('remove', 4, 9)
/** `RemoveLiquidity` of stableswap-ng, with a list of amounts. */
export const readRemoveNg = listReader('remove')
/** `RemoveLiquidity` of crypto pools of two coins: amounts, supply. */
export const readCryptoRemove = fixedReader('remove', 2, 3)
/** `RemoveLiquidity` of crypto pools of three coins. */
export const readCryptoRemove3 = fixedReader('remove', 3, 4)
/** `RemoveLiquidityImbalance` of pools of two coins: amounts chosen by the provider, fees, invariant, supply. */
export const readRemoveImbalance = fixedReader('remove', 2, 6)
/** `RemoveLiquidityImbalance` of pools of three coins. */
export const readRemoveImbalance3 = fixedReader('remove', 3, 8)
/** `RemoveLiquidityImbalance` of pools of four coins. */
export const readRemoveImbalance4 = fixedReader('remove', 4, 10)
/** `RemoveLiquidityImbalance` of stableswap-ng, with a list of amounts. */
export const readRemoveImbalanceNg = listReader('remove')

/** Whether the amount is the last that the pool sent in the transaction. For native coins this needs traces. */
const wasPaid = (at: Cursor, pool: string, amount: string): boolean => {
  const recent = at.rows.ledger.slice(-PAID_WITHIN)
  const sent = recent.findLast(
    ({ tx_hash, direction, address }) => tx_hash === at.txHash && direction === -1 && address === pool,
  )
  return sent?.amount === amount
}

/**
 * Reads removals of one coin. The events do not show how many coins the pool has, so there is a change of each pair that the
 * coin may be part of. If the event does not name the coin, the amounts are 0.
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
    for (const [i, j] of pairsOf(MAX_INDEXED_COINS).filter((pair) => pair.includes(coin))) {
      const pool = poolOf(address, i, j)
      change(at, position, 'remove', pool, owner, i === coin ? amount : '0', j === coin ? amount : '0', '0')
    }
    return true
  }

/**
 * `RemoveLiquidityOne` with three numbers: shares, coin, amount of crypto pools, or shares, amount, supply of stable ones,
 * which do not name the coin. A tiny amount looks like a coin index, and the supply then like the amount, which would be a
 * removal of everything. So the amount only counts if the pool has just sent it.
 */
export const readRemoveOne = oneReader(3, 1, 2, wasPaid)
/** `RemoveLiquidityOne` of stableswap-ng: coin, shares, amount, supply. */
export const readRemoveOneNg = oneReader(4, 0, 2)
/** `RemoveLiquidityOne` of twocrypto-ng and tricrypto-ng: shares, coin, amount, fee, price scale. */
export const readCryptoRemoveOneNg = oneReader(5, 1, 2)

const isFactory = (at: Cursor, address: string): boolean => at.registry.dexFactories.get(address)?.kind === 'curve'

/** The newest contract that the factory created in this transaction, other than `other`. */
const createdBy = (at: Cursor, factory: string, other = ''): string | undefined =>
  at.rows.creations.findLast(
    ({ tx_hash, event, creator, contract }) =>
      tx_hash === at.txHash && event === 'create' && creator === factory && contract !== other,
  )?.contract

const coinOf = (coin: string): string => (coin === NATIVE ? '' : coin)

type Deployed = { pool: string | undefined; coins: readonly (string | undefined)[]; fee: number }

const announcePairs = (at: Cursor, position: string, factory: string, { pool, coins, fee }: Deployed): boolean => {
  const held = coins.filter((coin) => coin !== ZERO_ADDRESS)
  if (held.includes(undefined) || held.length < 2) return false
  if (held.length > MAX_INDEXED_COINS || pool === undefined) return true
  for (const [i, j] of pairsOf(held.length)) {
    const named = { pool: poolOf(pool, i, j), kind: 'curve', fee, hooks: '' } as const
    announce(at, position, factory, coinOf(held[i] ?? ''), coinOf(held[j] ?? ''), named)
  }
  return true
}

const feeAt = (data: string, at: number): number => Math.floor(Number(uintAt(data, at)) / FEE_UNIT)

/** `PlainPoolDeployed` of the stable factories: four slots for coins, unused ones zero. */
export const readPlainPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  if (data.length !== 2 + 7 * WORD) return false
  const coins = [0, 1, 2, 3].map((i) => addressAt(data, word(i)))
  return announcePairs(at, position, address, { pool: createdBy(at, address), coins, fee: feeAt(data, word(5)) })
}

/** `PlainPoolDeployed` of the stableswap-ng factory, with a list of coins. */
export const readPlainPoolDeployedNg: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const items = itemsOf(data, 0)
  if (items === undefined) return false
  const coins = items.map((item) => addressAt(data, item))
  return announcePairs(at, position, address, { pool: createdBy(at, address), coins, fee: feeAt(data, word(2)) })
}

/**
 * `CryptoPoolDeployed` names the pool's share token, which the same factory created: the pool is the other contract. Its fee
 * is variable, so rows have 0.
 */
export const readCryptoPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const share = addressAt(data, word(0))
  if (share === undefined || data.length !== 2 + 14 * WORD) return false
  const coins = [1, 2].map((i) => addressAt(data, word(i)))
  return announcePairs(at, position, address, { pool: createdBy(at, address, share), coins, fee: 0 })
}

/** `TwocryptoPoolDeployed` names the pool itself. Its fee is variable, so rows have 0. */
export const readTwocryptoPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const pool = addressAt(data, word(0))
  if (pool === undefined) return false
  const coins = [3, 4].map((i) => addressAt(data, word(i)))
  return announcePairs(at, position, address, { pool, coins, fee: 0 })
}

/** `TricryptoPoolDeployed` names the pool itself; it gets a row per pair of its coins. Its fee is variable, so rows have 0. */
export const readTricryptoPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const pool = addressAt(data, word(0))
  if (pool === undefined) return false
  const coins = [4, 5, 6].map((i) => addressAt(data, word(i)))
  return announcePairs(at, position, address, { pool, coins, fee: 0 })
}
