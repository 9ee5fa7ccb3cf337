/** What a coin of a base asset is worth in US dollars, read from its own pools. */
import { LRUCache } from 'lru-cache'
import type { ChainReader } from '../chain/chain.ts'
import { ZERO } from '../chain/simulator/script.ts'
import type { BaseAsset, ContractRegistry } from '../subject/registry.ts'
import { coins, findMarkets, priceOf } from './market.ts'

/** Exchanges asked for the price of the native coin; the registry names the largest first. */
const PRICE_EXCHANGES = 3
/** Dollars of the other side that a pool has to hold before its price is believed. */
const PRICE_DEPTH_USD = 10_000
/** Blocks whose prices are remembered. */
const BLOCKS = 4

/** Dollars for one coin at what its deepest pool against the given assets trades at; `undefined` without such a pool. */
const priced = async (
  chain: ChainReader,
  registry: ContractRegistry,
  asset: BaseAsset,
  against: readonly { base: BaseAsset; usd: number }[],
  exchanges: number,
): Promise<number | undefined> => {
  const usdOf = new Map(against.map(({ base, usd }) => [base.address, usd]))
  const asked = {
    ...registry,
    bases: against.map(({ base }) => base),
    exchanges: registry.exchanges.filter(({ kind }) => kind !== 'v4').slice(0, exchanges),
  }
  const markets = (await findMarkets(chain, asked, asset.address)).map((market) => {
    const usd = usdOf.get(market.base.address) ?? 0
    return { market, usd, depth: coins(market.baseReserve, market.base.decimals) * usd }
  })
  const [best] = markets
    .filter(({ market, depth }) => market.price > 0 && depth > PRICE_DEPTH_USD)
    .sort((a, b) => b.depth - a.depth)
  return best && priceOf(best.market, asset.decimals) * best.usd
}

/**
 * Dollars for one coin of a base asset at a block: 1 for stables; `undefined` for a native coin that no pool prices; 0
 * for another asset that none does, so that nothing is concluded from pools against it.
 */
export type Prices = (chain: ChainReader, base: BaseAsset) => Promise<number | undefined>

/** Prices are the same for everything analysed at one block, so each is read once. */
export const createPrices = (registry: ContractRegistry): Prices => {
  const blocks = new LRUCache<string, Map<string, Promise<number | undefined>>>({ max: BLOCKS })
  const [native] = registry.bases
  const stables = registry.bases.filter(({ stable }) => stable).map((base) => ({ base, usd: 1 }))
  const isNative = ({ address }: BaseAsset) => address === native?.address || address === ZERO

  const read = async (chain: ChainReader, base: BaseAsset): Promise<number | undefined> => {
    if (native && isNative(base)) return priced(chain, registry, native, stables, PRICE_EXCHANGES)
    const usd = native && (await usdOf(chain, native))
    const against = native && usd !== undefined ? [...stables, { base: native, usd }] : stables
    return (await priced(chain, registry, base, against, registry.exchanges.length)) ?? 0
  }

  const usdOf: Prices = async (chain, base) => {
    if (base.stable) return 1
    const known = blocks.get(chain.hash) ?? new Map<string, Promise<number | undefined>>()
    blocks.set(chain.hash, known)
    const key = isNative(base) ? '' : base.address
    const answer = known.get(key) ?? read(chain, base)
    known.set(key, answer)
    answer.catch(() => known.delete(key))
    return answer
  }
  return usdOf
}
