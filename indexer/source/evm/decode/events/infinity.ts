/**
 * PancakeSwap Infinity: singletons as in V4, one for concentrated pools and one for bin pools; pools are ids. Only registered
 * managers count. Changes of concentrated liquidity have the same event as in V4 (`liquidity.ts`).
 */
import type { DexFactory } from '../../../../../schema/registry/index.ts'
import type { Cursor, LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic, intAt, uintAt, WORD } from '../hex.ts'
import { change } from './liquidity.ts'
import { itemsOf } from './lists.ts'
import { announce } from './pools.ts'
import { swap } from './swaps.ts'
import { ONE_WORD, word } from './transfers.ts'

type Kind = Extract<DexFactory['kind'], `infinity-${string}`>

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** Maximum number of bins in one change; larger positions are changed in several. */
const MAX_BINS = 1_024

const isManager = (at: Cursor, address: string, kind: Kind): boolean =>
  at.registry.dexFactories.get(address)?.kind === kind

const initializeReader =
  (kind: Kind, words: number): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!isManager(at, address, kind)) return true
    const [, id, first, second] = topics
    const token0 = addressOfTopic(first)
    const token1 = addressOfTopic(second)
    const hooks = addressAt(data, word(0))
    if (id?.length !== ONE_WORD || token0 === undefined || token1 === undefined) return false
    if (hooks === undefined || data.length !== 2 + words * WORD) return false
    const fee = Number(uintAt(data, word(1)))
    if (!(fee <= 0xffffff)) return false
    // The native coin is the zero address, which sorts first.
    return announce(at, position, address, token0 === ZERO_ADDRESS ? '' : token0, token1, {
      pool: id,
      kind,
      fee,
      hooks: hooks === ZERO_ADDRESS ? '' : hooks,
    })
  }

/** `Initialize` of the manager of concentrated pools. */
export const readClInitialize = initializeReader('infinity-cl', 5)
/** `Initialize` of the manager of bin pools. */
export const readBinInitialize = initializeReader('infinity-bin', 4)

/** Amounts are from the swapper's view (paid amounts are negative), so both signs are flipped. */
const swapReader =
  (kind: Kind, words: number): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!isManager(at, address, kind)) return true
    const pool = topics[1]
    const sender = addressOfTopic(topics[2])
    if (pool?.length !== ONE_WORD || sender === undefined || data.length !== 2 + words * WORD) return false
    const amount0 = (-intAt(data, word(0))).toString()
    return swap(at, position, pool, sender, sender, amount0, (-intAt(data, word(1))).toString())
  }

/** `Swap` in a concentrated pool. The event has no receiver, so the caller is used. */
export const readClSwap = swapReader('infinity-cl', 7)
/** `Swap` in a bin pool. */
export const readBinSwap = swapReader('infinity-bin', 5)

/** Amounts of bins are pairs of 128 bits in one word, with the first token in the low half. */
const binReader =
  (event: 'add' | 'remove', words: number): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!isManager(at, address, 'infinity-bin')) return true
    const pool = topics[1]
    const owner = addressOfTopic(topics[2])
    if (pool?.length !== ONE_WORD || owner === undefined || data.length < 2 + words * WORD) return false
    const amounts = itemsOf(data, 2, 1, MAX_BINS)
    if (amounts === undefined) return false
    const half = WORD / 2
    const sum = (from: number) =>
      amounts.reduce((total, start) => total + BigInt(`0x${data.slice(start + from, start + from + half)}`), 0n)
    return change(at, position, event, pool, owner, sum(half).toString(), sum(0).toString(), '0')
  }

/** `Mint` into bins; the amounts of all bins are added up. */
export const readBinMint = binReader('add', 5)
/** `Burn` from bins; the amounts of all bins are added up. */
export const readBinBurn = binReader('remove', 3)
