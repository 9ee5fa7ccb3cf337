/**
 * Balancer: one vault holds the tokens of all pools. Swaps name both tokens. The vault keeps tokens sorted, so a pool of two has
 * its amounts in the order of its announcement. A pool with more tokens is stored as one pool per pair. Swaps do not show the
 * number of tokens, so they are stored under the pool, with their tokens, by which readers find the pair (schema/pairs.ts). A
 * pool's own token is not part of any pair. Only registered vaults count.
 */
import { MAX_POOL_TOKENS, pairId, pairsOf } from '../../../../../schema/pairs.ts'
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
/** V3 states fees in parts of 10^18; rows have hundredths of a basis point. */
const FEE_UNIT = 10n ** 12n
/** Words per token in V3: token, type, rate provider, whether it pays fees on yield. */
const TOKEN_WORDS = 4
/** Word of the hook in V3's announcement: after the list, fee, pause window, three roles and ten flags. */
const HOOK_WORD = 16
const V3_HEAD_WORDS = 21

type Pair = { pool: string; first: number; second: number }

/** Pairs of a pool's tokens; a token is `undefined` if an event does not name it. */
const pairs = (pool: string, tokens: readonly (string | undefined)[]): Pair[] => {
  if (tokens.length === 2) return [{ pool, first: 0, second: 1 }]
  if (tokens.length > MAX_POOL_TOKENS) return []
  // In V2 the id begins with the address of the pool, which is also the pool's token.
  const own = pool.slice(0, ZERO_ADDRESS.length)
  return pairsOf(tokens.length)
    .filter(([i, j]) => tokens[i] !== own && tokens[j] !== own)
    .map(([first, second]) => ({ pool: pairId(pool, first, second), first, second }))
}

const isVault = (at: Cursor, address: string, kind: Kind): boolean =>
  at.registry.dexFactories.get(address)?.kind === kind

/** V2 identifies a pool by a word, V3 by its contract. */
const poolOf = (kind: Kind, topic: string | undefined): string | undefined => {
  if (kind === 'balancer-v3') return addressOfTopic(topic)
  return topic?.length === ONE_WORD ? topic : undefined
}

const register = (
  at: Cursor,
  position: string,
  vault: string,
  tokens: readonly (string | undefined)[],
  named: { pool: string; kind: Kind; fee: number; hooks: string },
): boolean => {
  for (const { pool, first, second } of pairs(named.pool, tokens)) {
    const [token0, token1] = [tokens[first], tokens[second]]
    if (token0 === undefined || token1 === undefined) return false
    announce(at, position, vault, token0, token1, { ...named, pool })
  }
  return true
}

/** `TokensRegistered` of the V2 vault. The event has no fee, so rows have 0. */
export const readTokensRegistered: LogReader = (at, { topics, data, address }, position) => {
  if (!isVault(at, address, 'balancer-v2')) return true
  const pool = poolOf('balancer-v2', topics[1])
  const items = itemsOf(data, 0)
  if (pool === undefined || items === undefined) return false
  const tokens = items.map((item) => addressAt(data, item))
  return register(at, position, address, tokens, { pool, kind: 'balancer-v2', fee: 0, hooks: '' })
}

/** `PoolRegistered` of the V3 vault, with fee and hook. */
export const readV3PoolRegistered: LogReader = (at, { topics, data, address }, position) => {
  if (!isVault(at, address, 'balancer-v3')) return true
  const pool = poolOf('balancer-v3', topics[1])
  const items = itemsOf(data, 0, TOKEN_WORDS)
  const hooks = addressAt(data, word(HOOK_WORD))
  if (pool === undefined || items === undefined || hooks === undefined || data.length < 2 + V3_HEAD_WORDS * WORD)
    return false
  const tokens = items.map((item) => addressAt(data, item))
  const fee = Number(BigInt(uintAt(data, word(1))) / FEE_UNIT)
  if (!(fee <= 0xffffff)) return false
  const hook = hooks === ZERO_ADDRESS ? '' : hooks
  return register(at, position, address, tokens, { pool, kind: 'balancer-v3', fee, hooks: hook })
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
    return sold < bought
      ? swap(at, position, pool, '', '', paid, out, { factory: address, token0: sold, token1: bought })
      : swap(at, position, pool, '', '', out, paid, { factory: address, token0: bought, token1: sold })
  }

/** `Swap` of the V2 vault. It names neither caller nor receiver: both are empty, and the initiator is the transaction's sender. */
export const readSwap = swapReader('balancer-v2', 2)
/** `Swap` of the V3 vault, with fees after the amounts. Caller and receiver are empty as in V2. */
export const readV3Swap = swapReader('balancer-v3', 4)

/** Joins, exits and actions of the asset manager; positive amounts came in. */
export const readPoolBalanceChanged: LogReader = (at, { topics, data, address }, position) => {
  if (!isVault(at, address, 'balancer-v2')) return true
  const pool = poolOf('balancer-v2', topics[1])
  const owner = addressOfTopic(topics[2])
  const items = itemsOf(data, 1)
  const tokens = itemsOf(data, 0)?.map((item) => addressAt(data, item))
  if (pool === undefined || owner === undefined || items === undefined || tokens?.length !== items.length) return false
  const amounts = items.map((item) => intAt(data, item))
  const event = amounts.some((amount) => amount > 0n) ? 'add' : 'remove'
  const stated = (amount = 0n) => (event === 'add' ? amount : -amount).toString()
  for (const { pool: pair, first, second } of pairs(pool, tokens)) {
    if (!amounts[first] && !amounts[second]) continue
    change(at, position, event, pair, owner, stated(amounts[first]), stated(amounts[second]), '0')
  }
  return true
}

const liquidityReader =
  (event: 'add' | 'remove'): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!isVault(at, address, 'balancer-v3')) return true
    const pool = poolOf('balancer-v3', topics[1])
    const owner = addressOfTopic(topics[2])
    const items = itemsOf(data, 1)
    if (pool === undefined || owner === undefined || items === undefined) return false
    if (!items.every((item) => fitsSigned(data, item))) return false
    const amounts = items.map((item) => uintAt(data, item))
    const unnamed = items.map(() => undefined)
    for (const { pool: pair, first, second } of pairs(pool, unnamed)) {
      change(at, position, event, pair, owner, amounts[first] ?? '0', amounts[second] ?? '0', '0')
    }
    return true
  }

/** `LiquidityAdded` of the V3 vault. Tokens are identified by position: a row per pair, in the order of the announcement. */
export const readV3LiquidityAdded = liquidityReader('add')
/** `LiquidityRemoved` of the V3 vault; amounts are positive as in an addition. */
export const readV3LiquidityRemoved = liquidityReader('remove')
