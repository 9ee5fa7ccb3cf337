/**
 * Amounts in explanations: exact decimal text with a unit, and US dollars if a fixed price is known. Amounts stay integers from the
 * tables to the text, because a JavaScript number has 53 bits and an amount up to 256.
 */
import { type Network, networkInfo } from '../../../schema/networks.ts'
import type { Amount } from '../../../schema/records/explained/explanations.ts'
import { ASSETS } from '../../../schema/registry/contracts.ts'

/** Maximum number of decimal places of prices in network entries. */
const PRICE_PLACES = 6

/** Unit of amounts of NFTs. */
export const NFT = 'NFT'
/** Unit of tokens outside the registry, whose symbol and decimals are only claims of their maker. */
export const BASE_UNITS = 'base units'

/** Exact decimal text of an amount in base units, without trailing zeros. */
export const decimalText = (amount: bigint, decimals: number): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return `${amount < 0n ? '-' : ''}${decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`}`
}

/** Rounded quotient of integers, halves away from zero. */
const rounded = (of: bigint, by: bigint): bigint =>
  ((of < 0n ? -1n : 1n) * ((of < 0n ? -of : of) * 2n + by)) / (by * 2n)

/** US dollars with cents: `28760.00`. */
const centsText = (cents: bigint): string => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Cents of an amount of the native coin at the fixed price of the network entry (`per1000Usd`). */
const coinCents = (network: Network, raw: bigint): bigint => {
  const { decimals, per1000Usd } = networkInfo(network).nativeCoin
  const price = BigInt(Math.round(per1000Usd * 10 ** PRICE_PLACES))
  return rounded(raw * 100_000n * 10n ** BigInt(PRICE_PLACES), price * 10n ** BigInt(decimals))
}

/**
 * Converts base units of an asset. The empty asset is the native coin.
 * @param raw base units
 */
export const amountOf = (network: Network, asset: string, raw: bigint): Amount => {
  const { symbol, decimals } = networkInfo(network).nativeCoin
  if (asset === '') return { amount: decimalText(raw, decimals), unit: symbol, usd: centsText(coinCents(network, raw)) }
  const known = ASSETS[network].get(asset)
  if (known === undefined) return { amount: raw.toString(), unit: BASE_UNITS, usd: null }
  const cents = known.flags.includes('wrapped')
    ? coinCents(network, raw)
    : known.flags.includes('stable')
      ? rounded(raw * 100n, 10n ** BigInt(known.decimals))
      : null
  const usd = cents === null ? null : centsText(cents)
  return { amount: decimalText(raw, known.decimals), unit: known.symbol, usd }
}

/** An amount of NFTs. */
export const nftsOf = (count: bigint): Amount => ({ amount: count.toString(), unit: NFT, usd: null })

/** A value in US dollars, summed over several assets. */
export const dollarsOf = (usd: number): Amount => ({ amount: usd.toFixed(2), unit: 'USD', usd: usd.toFixed(2) })
