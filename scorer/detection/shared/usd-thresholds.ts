/**
 * Least amounts that rules state in US dollars. Dollar coins count as dollars; native coins by fixed, low prices of 2024 to
 * 2026: such floors only keep trifles out, and a fixed price gives the same verdict to whoever recounts it.
 */
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { ASSETS } from '../../../schema/registry/assets.ts'

/** Native coins that were worth a thousand dollars at the least. */
const COINS_OF_1000_USD: Record<Network, number> = {
  ETH: 0.5,
  BNB: 2,
  POLYGON: 2_000,
  BASE: 0.5,
  HAQQ: 20_000,
  SOLANA: 8,
  TRON: 5_000,
  TON: 300,
}

/** Base units worth so many dollars, by asset: the native coin (empty), its wrapped form, and dollar coins. */
export const floorsOf = (network: Network, usd: number): Map<string, number> => {
  const coins = (COINS_OF_1000_USD[network] * usd) / 1_000
  const native = coins * 10 ** networkInfo(network).nativeCoin.decimals
  const floors = new Map([['', native]])
  for (const { address, decimals, flags } of ASSETS[network].values()) {
    if (flags.includes('wrapped')) floors.set(address, native)
    if (flags.includes('stable')) floors.set(address, usd * 10 ** decimals)
  }
  return floors
}
