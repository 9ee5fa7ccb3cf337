/**
 * Curve and its forks. Swaps name coins by their number in the pool, so the lower number is the first amount. Pools of two coins are
 * announced by registered factories; most announcements name no pool, which is then the contract that the factory created in the same
 * transaction (seen with traces only). Pools of more coins are not announced: which two a swap was between is not stored.
 */
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
/** Coins a pool can have. */
const MOST_COINS = 8
/** The stable factories state fees in parts of 10^10, pools hundredths of a basis point. */
const FEE_UNIT = 10_000

/** Number of a coin; `undefined` when no pool has so many. */
const coinAt = (data: string, at: number): number | undefined => {
  const text = uintAt(data, at)
  return text.length === 1 && Number(text) < MOST_COINS ? Number(text) : undefined
}

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
      ? swap(at, position, address, buyer, buyer, paid, out)
      : swap(at, position, address, buyer, buyer, out, paid)
  }

export const readExchange = exchangeReader(4)
export const readExchangeNg = exchangeReader(6)

/** Amounts of both coins at the given places. */
const both = (at: Cursor, log: Log, position: string, event: 'add' | 'remove', items: readonly number[]): boolean => {
  const owner = addressOfTopic(log.topics[1])
  if (log.topics.length !== 2 || owner === undefined) return false
  if (!items.every((item) => fitsSigned(log.data, item))) return false
  const [amount0 = '0', amount1 = '0'] = items.map((item) => uintAt(log.data, item))
  return change(at, position, event, log.address, owner, amount0, amount1, '0')
}

/** The amounts of both coins come first. */
const pairReader =
  (event: 'add' | 'remove', words: number): LogReader =>
  (at, log, position) =>
    log.data.length === 2 + words * WORD && both(at, log, position, event, [word(0), word(1)])

/** A list of amounts comes first; pools of more than two coins leave no row. */
const listReader =
  (event: 'add' | 'remove'): LogReader =>
  (at, log, position) => {
    const items = itemsOf(log.data, 0)
    if (items === undefined) return false
    return items.length !== 2 || both(at, log, position, event, items)
  }

export const readAdd = pairReader('add', 6)
export const readAddNg = listReader('add')
export const readCryptoAdd = pairReader('add', 4)
export const readCryptoAddNg = pairReader('add', 5)
export const readRemove = pairReader('remove', 5)
export const readRemoveNg = listReader('remove')
export const readCryptoRemove = pairReader('remove', 3)
export const readRemoveImbalance = pairReader('remove', 6)
export const readRemoveImbalanceNg = listReader('remove')

/** What was taken of one coin. An event that does not name the coin, or names a third, leaves no amounts. */
const oneReader =
  (words: number, coinWord: number, amountWord: number): LogReader =>
  (at, { topics, data, address }, position) => {
    const owner = addressOfTopic(topics[1])
    if (topics.length !== 2 || owner === undefined || data.length !== 2 + words * WORD) return false
    if (!fitsSigned(data, word(amountWord))) return false
    const coin = coinAt(data, word(coinWord))
    const amount = uintAt(data, word(amountWord))
    return change(at, position, 'remove', address, owner, coin === 0 ? amount : '0', coin === 1 ? amount : '0', '0')
  }

export const readRemoveOne = oneReader(3, 1, 2)
export const readRemoveOneNg = oneReader(4, 0, 2)
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
  if (coins.includes(undefined)) return false
  const [coin0, coin1, ...more] = coins.filter((coin) => coin !== ZERO_ADDRESS)
  if (coin0 === undefined || coin1 === undefined) return false
  if (more.length > 0 || pool === undefined) return true
  const kind = 'curve' as const
  return announce(at, position, factory, coinOf(coin0), coinOf(coin1), { pool, kind, fee, hooks: '' })
}

const feeAt = (data: string, at: number): number => Math.floor(Number(uintAt(data, at)) / FEE_UNIT)

export const readPlainPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  if (data.length !== 2 + 7 * WORD) return false
  const coins = [0, 1, 2, 3].map((i) => addressAt(data, word(i)))
  return deployed(at, position, address, { pool: createdBy(at, address), coins, fee: feeAt(data, word(5)) })
}

export const readPlainPoolDeployedNg: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const items = itemsOf(data, 0)
  if (items === undefined) return false
  const coins = items.map((item) => addressAt(data, item))
  return deployed(at, position, address, { pool: createdBy(at, address), coins, fee: feeAt(data, word(2)) })
}

export const readCryptoPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const share = addressAt(data, word(0))
  if (share === undefined || data.length !== 2 + 14 * WORD) return false
  const coins = [1, 2].map((i) => addressAt(data, word(i)))
  return deployed(at, position, address, { pool: createdBy(at, address, share), coins, fee: 0 })
}

export const readTwocryptoPoolDeployed: LogReader = (at, { data, address }, position) => {
  if (!isFactory(at, address)) return true
  const pool = addressAt(data, word(0))
  if (pool === undefined) return false
  const coins = [3, 4].map((i) => addressAt(data, word(i)))
  return deployed(at, position, address, { pool, coins, fee: 0 })
}
