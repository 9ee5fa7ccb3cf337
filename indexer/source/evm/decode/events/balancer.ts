/**
 * Balancer: one vault holds the tokens of all pools. Swaps name both tokens, which the vault keeps sorted, so the amounts of a pool of
 * two tokens are in the order of its announcement. Pools of more tokens are not announced: which two a swap was between is not stored.
 * Only registered vaults count.
 */
import type { DexFactory } from '../../../../../schema/registry/index.ts'
import type { Cursor, LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic, fitsSigned, intAt, uintAt, WORD } from '../hex.ts'
import { change } from './liquidity.ts'
import { itemsOf } from './lists.ts'
import { announce } from './pools.ts'
import { swap } from './swaps.ts'
import { ONE_WORD, word } from './transfers.ts'

type Kind = Extract<DexFactory['kind'], `balancer-${string}`>

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** V3 states fees in parts of 10^18, pools hundredths of a basis point. */
const FEE_UNIT = 10n ** 12n
/** Words of a token's description in V3: token, type, rate provider, whether it pays fees on yield. */
const TOKEN_WORDS = 4
/** Where V3's announcement has its hook: after the list, fee, pause window, three roles and ten flags. */
const HOOK_WORD = 16
const V3_HEAD_WORDS = 21

const isVault = (at: Cursor, address: string, kind: Kind): boolean =>
  at.registry.dexFactories.get(address)?.kind === kind

/** V2 names a pool by a word and V3 by its contract. */
const poolOf = (kind: Kind, topic: string | undefined): string | undefined => {
  if (kind === 'balancer-v3') return addressOfTopic(topic)
  return topic?.length === ONE_WORD ? topic : undefined
}

export const readTokensRegistered: LogReader = (at, { topics, data, address }, position) => {
  if (!isVault(at, address, 'balancer-v2')) return true
  const pool = poolOf('balancer-v2', topics[1])
  const items = itemsOf(data, 0)
  if (pool === undefined || items === undefined) return false
  const [token0, token1] = items.map((item) => addressAt(data, item))
  if (items.length !== 2) return true
  if (token0 === undefined || token1 === undefined) return false
  return announce(at, position, address, token0, token1, { pool, kind: 'balancer-v2', fee: 0, hooks: '' })
}

export const readV3PoolRegistered: LogReader = (at, { topics, data, address }, position) => {
  if (!isVault(at, address, 'balancer-v3')) return true
  const pool = poolOf('balancer-v3', topics[1])
  const items = itemsOf(data, 0, TOKEN_WORDS)
  const hooks = addressAt(data, word(HOOK_WORD))
  if (pool === undefined || items === undefined || hooks === undefined || data.length < 2 + V3_HEAD_WORDS * WORD)
    return false
  if (items.length !== 2) return true
  const [token0, token1] = items.map((item) => addressAt(data, item))
  const fee = Number(BigInt(uintAt(data, word(1))) / FEE_UNIT)
  if (token0 === undefined || token1 === undefined || !(fee <= 0xffffff)) return false
  return announce(at, position, address, token0, token1, {
    pool,
    kind: 'balancer-v3',
    fee,
    hooks: hooks === ZERO_ADDRESS ? '' : hooks,
  })
}

const swapReader =
  (kind: Kind, words: number): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!isVault(at, address, kind)) return true
    const pool = poolOf(kind, topics[1])
    const sold = addressOfTopic(topics[2])
    const bought = addressOfTopic(topics[3])
    if (pool === undefined || sold === undefined || bought === undefined || sold === bought) return false
    if (data.length !== 2 + words * WORD || !fitsSigned(data, word(0)) || !fitsSigned(data, word(1))) return false
    const [paid, got] = [uintAt(data, word(0)), uintAt(data, word(1))]
    const out = got === '0' ? '0' : `-${got}`
    return sold < bought ? swap(at, position, pool, '', '', paid, out) : swap(at, position, pool, '', '', out, paid)
  }

export const readSwap = swapReader('balancer-v2', 2)
export const readV3Swap = swapReader('balancer-v3', 4)

/** Joins, exits and what the owner of a pool's assets does: positive came in. Only in pools of two tokens. */
export const readPoolBalanceChanged: LogReader = (at, { topics, data, address }, position) => {
  if (!isVault(at, address, 'balancer-v2')) return true
  const pool = poolOf('balancer-v2', topics[1])
  const owner = addressOfTopic(topics[2])
  const items = itemsOf(data, 1)
  if (pool === undefined || owner === undefined || items === undefined) return false
  if (items.length !== 2) return true
  const [amount0 = 0n, amount1 = 0n] = items.map((item) => intAt(data, item))
  if (amount0 === 0n && amount1 === 0n) return true
  const event = amount0 > 0n || amount1 > 0n ? 'add' : 'remove'
  const stated = (amount: bigint) => (event === 'add' ? amount : -amount).toString()
  return change(at, position, event, pool, owner, stated(amount0), stated(amount1), '0')
}

const liquidityReader =
  (event: 'add' | 'remove'): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!isVault(at, address, 'balancer-v3')) return true
    const pool = poolOf('balancer-v3', topics[1])
    const owner = addressOfTopic(topics[2])
    const items = itemsOf(data, 1)
    if (pool === undefined || owner === undefined || items === undefined) return false
    if (items.length !== 2) return true
    if (!items.every((item) => fitsSigned(data, item))) return false
    const [amount0 = '0', amount1 = '0'] = items.map((item) => uintAt(data, item))
    return change(at, position, event, pool, owner, amount0, amount1, '0')
  }

export const readV3LiquidityAdded = liquidityReader('add')
export const readV3LiquidityRemoved = liquidityReader('remove')
