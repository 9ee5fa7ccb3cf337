/** The first day of a token's pool from the tables, for the market model. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Market } from '../market/market.ts'
import type { MarketFacts } from './stakeholders.ts'

const TRADES = readSql(import.meta.url, './sql/early-trades.sql')
const TOKENS = readSql(import.meta.url, './sql/tokens-made.sql')

const DAY = 86_400

/** The pool and its stakeholders. Without tables, a market or a creator the first day is unknown. */
export type EarlyInput = {
  store: Store | undefined
  network: Network
  token: string
  market: Market | undefined
  /** Unix seconds. */
  now: number
  creator: string
  /** Holders of the liquidity that is neither locked nor burned, with their share (0..1) of it. */
  providers: readonly { address: string; share: number }[]
  lockedShare: number | undefined
  /** The creator's share of the supply, 0..1. */
  creatorSupply: number
}

/**
 * Facts of a V2 pool in its first day whose creation is in the tables. `undefined` for others: events before the index
 * are unknown, and after the first day the model does no better than chance (docs/verdicts/evaluation.md).
 */
export const readEarlyMarket = async (input: EarlyInput): Promise<MarketFacts | undefined> => {
  const { store, network, token, market, now, creator, providers, lockedShare, creatorSupply } = input
  if (!store || !market || creator === '' || (market.kind !== 'v2' && market.kind !== 'solidly')) return undefined
  const base_first = token < market.base.address ? 0 : 1
  const [trades, made] = await Promise.all([
    store.query<{ made: number; buys: number; sells: number }>(
      TRADES,
      { network, pool: market.id, base_first },
      { route: 'contract_early_trades' },
    ),
    store.query<{ tokens: number }>(TOKENS, { network, creator }, { route: 'contract_tokens_made' }),
  ])
  const [first] = trades
  if (!first || Number(first.made) < now - DAY) return undefined
  const own = providers.find(({ address }) => address === creator)?.share ?? 0
  return {
    buys: Number(first.buys),
    sells: Number(first.sells),
    creatorLiquidity: own * (1 - (lockedShare ?? 0)),
    creatorSupply,
    tokensMade: Math.max(1, Number(made[0]?.tokens ?? 1)),
  }
}
