/**
 * Minimum amounts in US dollars. Dollar coins count as dollars; native coins count at the fixed low prices of the network
 * entries. The thresholds only exclude trifles, and fixed prices keep verdicts reproducible.
 */
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { ASSETS } from '../../../schema/registry/contracts.ts'

/** Base units worth a dollar amount, by asset: the native coin (empty key), its wrapped form, and dollar coins. */
export const usdThresholds = (network: Network, usd: number): Map<string, number> => {
  const { decimals: coinDecimals, per1000Usd } = networkInfo(network).nativeCoin
  const native = ((per1000Usd * usd) / 1_000) * 10 ** coinDecimals
  const thresholds = new Map([['', native]])
  for (const { address, decimals, flags } of ASSETS[network].values()) {
    if (flags.includes('wrapped')) thresholds.set(address, native)
    if (flags.includes('stable')) thresholds.set(address, usd * 10 ** decimals)
  }
  return thresholds
}
