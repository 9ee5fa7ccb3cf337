/** Decodes addresses from storage words. */
import { addressOf } from '../../code/abstract/facts.ts'

/** The address in a storage word (hex), starting at bit `shift`; `undefined` for numbers too small to be an address. */
export const storedAddress = (word: string, shift: number): string | undefined => {
  const value = (BigInt(word) >> BigInt(shift)) & ((1n << 160n) - 1n)
  return value > 0xffffn ? addressOf(value) : undefined
}
