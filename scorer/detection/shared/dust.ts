/** Dust: amounts that anybody sends to anybody, so that to have received them means nothing. */
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { ASSETS } from '../../../schema/registry/contracts.ts'

/** Dust of a dollar coin, whole coins (risk science B5: below $10). */
const DUST_USD = 10
/** Part of a whole coin that is dust where no price is known, as ten to the minus this: cents of the dearest. */
const DUST_PLACES = 6

/** The largest amounts that are dust, base units, by asset: the native coin (empty), its wrapped form, and the coins of the registry. */
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

/** Some assets and what is dust of each, as parameters of a statement: two lists in one order. */
export const dustLimits = (network: Network, assets: readonly string[]): { assets: string[]; dust: string[] } => {
  const dust = dustOf(network)
  return { assets: [...assets], dust: assets.map((asset) => String(dust.get(asset) ?? 0n)) }
}
