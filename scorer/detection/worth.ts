/**
 * Least amounts that rules state in US dollars. Dollar coins count as dollars; native coins by fixed, low prices of 2024 to
 * 2026: such floors only keep trifles out, and a fixed price gives the same verdict to whoever recounts it.
 */
import { type Network, networkInfo } from '../../schema/networks.ts'
import { ASSETS } from '../../schema/registry/assets.ts'

/** Base units worth so many dollars, by asset: the native coin (empty), its wrapped form, and dollar coins. */
export const floorsOf = (network: Network, usd: number): Map<string, number> => {
  const { decimals: coinDecimals, per1000Usd } = networkInfo(network).nativeCoin
  const native = ((per1000Usd * usd) / 1_000) * 10 ** coinDecimals
  const floors = new Map([['', native]])
  for (const { address, decimals, flags } of ASSETS[network].values()) {
    if (flags.includes('wrapped')) floors.set(address, native)
    if (flags.includes('stable')) floors.set(address, usd * 10 ** decimals)
  }
  return floors
}
