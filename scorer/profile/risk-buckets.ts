/**
 * Risk buckets of canonical assets: bands of their rank by market capitalisation. A wrapped or staked form has the bucket of its coin.
 * Ranks change; these are coarse bands of 2025.
 */
import type { CanonicalAsset } from '../../schema/registry/index.ts'
import type { RiskBucket } from './scores.ts'

const BANDS: Partial<Record<RiskBucket, readonly string[]>> = {
  'Stable Coin': ['EURC'],
  '1to10': [
    'ETH',
    'WETH',
    'stETH',
    'wstETH',
    'rETH',
    'cbETH',
    'weETH',
    'WBTC',
    'BTCB',
    'cbBTC',
    'BNB',
    'WBNB',
    'XRP',
    'ADA',
  ],
  '10to20': ['LINK', 'LEO', 'WSOL'],
  '20to30': ['UNI', 'DOT', 'LTC', 'CRO', 'sUSDe'],
  '30to50': ['AAVE', 'ONDO', 'POL', 'WPOL', 'MATIC', 'stMATIC'],
  '50to100': ['ARB', 'QNT', 'ENS', 'LDO', 'CRV', 'PAXG', 'XAUT', 'CAKE', 'MKR', 'VIRTUAL'],
  '100to200': ['GRT', 'SAND', 'MANA', 'AXS', 'COMP', 'BAT', 'AERO', 'APE', '1INCH'],
  '200to300': ['RPL', 'SNX', 'YFI', 'SUSHI', 'QUICK'],
}

const BY_SYMBOL = new Map(
  Object.entries(BANDS).flatMap(([bucket, symbols]) =>
    symbols.map((symbol) => [symbol, bucket as RiskBucket] as const),
  ),
)

/** Stablecoins and memecoins have their own buckets. Assets in no band are beyond rank 300. */
export const bucketOf = ({ symbol, flags }: Pick<CanonicalAsset, 'symbol' | 'flags'>): RiskBucket => {
  if (flags.includes('stable')) return 'Stable Coin'
  if (flags.includes('meme')) return 'Meme Token'
  return BY_SYMBOL.get(symbol) ?? '300+'
}
