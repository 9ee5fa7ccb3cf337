import { afterAll, expect, test } from 'vitest'
import type { ChainReader } from '../chain/chain.ts'
import { createCodeReader } from '../code/reader.ts'
import { contractRegistry } from './registry.ts'
import { readSubject } from './subject.ts'

const codes = createCodeReader()
afterAll(() => codes.close())
const registry = contractRegistry('ETH')
if (!registry) throw new Error('ETH has a registry')

const diamond = `0x${'d'.repeat(40)}`
const word = (value: number | bigint) => value.toString(16).padStart(64, '0')
/** `facets()` of EIP-2535 with facets of no selectors. */
const facetsAnswer = (count: number) => {
  const heads = Array.from({ length: count }, (_, i) => word(32 * count + 96 * i)).join('')
  const tuples = Array.from({ length: count }, (_, i) => word(0xface0000n + BigInt(i)) + word(64) + word(0)).join('')
  return `0x${word(32)}${word(count)}${heads}${tuples}`
}
/** A diamond with facets of `size` bytes, no two alike. */
const chainOf = (count: number, size: number) => {
  let read = 0
  const chain = {
    code: async (address: string) => {
      if (address === diamond) return '0xf4'
      read++
      return `0x${address.slice(-8)}${'00'.repeat(size - 4)}`
    },
    slot: async () => `0x${word(0)}`,
    call: async ({ data }: { data: string }) => (data === '0x7a0ed627' ? facetsAnswer(count) : undefined),
  }
  return { chain: chain as unknown as ChainReader, read: () => read }
}

test('facets are read up to a number of bytes, and what is not read leaves the facts incomplete', async () => {
  const small = chainOf(20, 1_000)
  const whole = await readSubject(small.chain, registry, codes, diamond)
  expect(whole?.runs).toHaveLength(20)
  expect(whole?.facts.complete).toBe(true)

  const large = chainOf(60, 24_576)
  const cut = await readSubject(large.chain, registry, codes, diamond)
  expect(cut?.runs.length).toBeLessThanOrEqual(24)
  expect(large.read()).toBeLessThanOrEqual(32)
  expect(cut?.facts.complete).toBe(false)
})

test('a diamond of more facets than are followed is incomplete', async () => {
  const found = await readSubject(chainOf(65, 100).chain, registry, codes, diamond)
  expect(found?.runs).toHaveLength(64)
  expect(found?.facts.complete).toBe(false)
})
