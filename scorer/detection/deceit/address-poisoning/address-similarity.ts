/**
 * When one address can be mistaken for another. Wallets and explorers show the first and the last characters; poisoners generate keys until
 * those match.
 */
import { familyOf, type Network } from '../../../../schema/networks.ts'

/** A run of one character this long at an end is vanity or zeros of an old compiler, and no sign of imitation. */
const VANITY_RUN = 4

/** Number of equal characters from one end: the start (`step` 1) or the end (-1). Vanity runs do not count. */
const agreeing = (a: string, b: string, step: 1 | -1): number => {
  const at = (text: string, index: number) => text[step === 1 ? index : text.length - 1 - index]
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && at(a, length) === at(b, length)) length++
  let run = 0
  while (run < length && at(a, run) === at(a, 0)) run++
  return run >= VANITY_RUN ? length - run : length
}

/** Number of shared leading and trailing characters of two canonical addresses, without the prefix of the family. */
export const sharedEnds = (network: Network, a: string, b: string): number => {
  const prefix = familyOf(network).similarity?.prefix ?? 0
  const [one, other] = [a.slice(prefix), b.slice(prefix)]
  return agreeing(one, other, 1) + agreeing(one, other, -1)
}

/** Whether one address can be mistaken for the other. False for equal addresses and for families without a rule. */
export const looksLike = (network: Network, a: string, b: string): boolean => {
  const rule = familyOf(network).similarity
  return rule !== null && a !== b && a.length === b.length && sharedEnds(network, a, b) >= rule.least
}

/** Ends for pre-selection by the store: two look-alikes share the first or the last `length` characters. */
export const endsOf = (
  network: Network,
  addresses: readonly string[],
): { start: number; length: number; heads: string[]; tails: string[] } | undefined => {
  const rule = familyOf(network).similarity
  if (!rule) return undefined
  const { prefix, least } = rule
  const length = Math.ceil(least / 2)
  return {
    start: prefix + 1,
    length,
    heads: [...new Set(addresses.map((address) => address.slice(prefix, prefix + length)))],
    tails: [...new Set(addresses.map((address) => address.slice(-length)))],
  }
}
