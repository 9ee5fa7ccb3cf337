/** Dust: amounts too small to mean anything, since anybody can send them to anybody. */
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { ASSETS } from '../../../schema/registry/contracts.ts'

/** Dust of a dollar coin in whole coins (risk science B5: below $10). */
const DUST_USD = 10
/** Dust of coins without a known price is 10^-6 of a whole coin: cents of the most expensive one. */
const DUST_PLACES = 6

/** Largest dust amounts in base units, by asset: the native coin (empty key), its wrapped form, and the coins of the registry. */
export const dustOf = (network: Network): ReadonlyMap<string, bigint> => {
  const { poisoningDust } = networkInfo(network).nativeCoin
  const dust = new Map([['', poisoningDust]])
  for (const { address, decimals, flags } of ASSETS[network].values()) {
    const least = 10n ** BigInt(Math.max(0, decimals - DUST_PLACES))
    const priced = flags.includes('wrapped') ? poisoningDust : least
    dust.set(address, flags.includes('stable') ? BigInt(DUST_USD) * 10n ** BigInt(decimals) : priced)
  }
  return dust
}

/** Assets and their dust as query parameters: two lists in the same order. */
export const dustLimits = (network: Network, assets: readonly string[]): { assets: string[]; dust: string[] } => {
  const dust = dustOf(network)
  return { assets: [...assets], dust: assets.map((asset) => String(dust.get(asset) ?? 0n)) }
}
