/** Encodes and decodes many one-word reads in one `eth_call` for `Reader.sol`. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A call whose answer is one word; both fields are hex with `0x`. */
export type WordCall = { to: string; data: string }

/** Maximum number of calls in one request: the answer stays far below the size limit of created contracts. */
export const MAX_WORDS = 120

const READER = z
  .object({ reader: z.string() })
  .parse(JSON.parse(readFileSync(new URL('./artifact.json', import.meta.url), 'utf8'))).reader

const word = (value: number) => value.toString(16).padStart(64, '0')

/** Creation code that makes the calls: the data of an `eth_call` without `to`. */
export const encodeWords = (calls: readonly WordCall[]): string => {
  const encoded = calls
    .map(({ to, data }) => `${to.slice(2)}${((data.length - 2) / 2).toString(16).padStart(4, '0')}${data.slice(2)}`)
    .join('')
  const size = encoded.length / 2
  return `${READER}${word(32)}${word(size)}${encoded.padEnd(Math.ceil(size / 32) * 64, '0')}`
}

/**
 * First words in the order of the calls, `undefined` for failed calls; `undefined` when the answer is not from
 * `Reader.sol`.
 */
export const decodeWords = (count: number, answer: unknown): (bigint | undefined)[] | undefined => {
  if (typeof answer !== 'string' || answer.length !== 2 + 64 * (count + 2)) return undefined
  const at = (index: number) => BigInt(`0x${answer.slice(2 + index * 64, 66 + index * 64)}`)
  if (at(0) !== 0n) return undefined
  const answered = at(1)
  return Array.from({ length: count }, (_, i) => ((answered >> BigInt(i)) & 1n ? at(2 + i) : undefined))
}
