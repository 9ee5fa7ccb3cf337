/** USD prices of base assets, read from their own pools. */
import { LRUCache } from 'lru-cache'
import type { ChainReader } from '../chain/chain.ts'
import { ZERO } from '../chain/simulator/script.ts'
import type { BaseAsset, ContractRegistry } from '../subject/registry.ts'
import { coins, findMarkets, priceOf } from './market.ts'

/** Exchanges used for the price of the native coin; the registry lists the largest first. */
const PRICE_EXCHANGES = 3
/** USD value of the other asset that a pool must hold before its price is trusted. */
const PRICE_DEPTH_USD = 10_000
/** Blocks whose prices are cached. */
const BLOCKS = 4

/** USD price of one coin in its deepest pool against the given assets; `undefined` without such a pool. */
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
 * USD price of one coin of a base asset at a block: 1 for stablecoins; `undefined` for a native coin that no pool
 * prices; 0 for another asset that no pool prices, so that its pools count nothing.
 */
export type Prices = (chain: ChainReader, base: BaseAsset) => Promise<number | undefined>

/** Reads each price once per block. */
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
