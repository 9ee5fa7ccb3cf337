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
const chainOf = (count: number, size: number, code = '') => {
  let read = 0
  const chain = {
    code: async (address: string) => {
      if (address === diamond) return '0xf4'
      read++
      // A unique constant, then the shared code.
      return code ? `0x63${address.slice(-8)}50${code}` : `0x${address.slice(-8)}${'00'.repeat(size - 4)}`
    },
    slot: async () => `0x${word(0)}`,
    call: async ({ data }: { data: string }) => (data === '0x7a0ed627' ? facetsAnswer(count) : undefined),
  }
  return { chain: chain as unknown as ChainReader, read: () => read }
}

test('facets are read up to a limit of bytes, and unread facets leave the facts incomplete', async () => {
  const small = chainOf(20, 1_000)
  const whole = await readSubject(small.chain, registry, codes, diamond)
  expect(whole?.runningCode).toHaveLength(20)
  expect(whole?.facts.complete).toBe(true)

  const large = chainOf(60, 24_576)
  const cut = await readSubject(large.chain, registry, codes, diamond)
  expect(cut?.runningCode.length).toBeLessThanOrEqual(24)
  expect(large.read()).toBeLessThanOrEqual(32)
  expect(cut?.facts.complete).toBe(false)
})

/** Clones of clones, EIP-1167: each of `count` hands its calls to the next, and the last has code of its own. */
const cloned = (count: number) => {
  const name = (i: number) => `0x${(0xc10ea + i).toString(16).padStart(40, '0')}`
  const places = Array.from({ length: count }, (_, i) => name(i))
  const chain = {
    code: async (address: string) => {
      const i = places.indexOf(address)
      return i < 0 ? '0x00' : `0x363d3d373d3d3d363d73${name(i + 1).slice(2)}5af43d82803e903d91602b57fd5bf3`
    },
    slot: async () => `0x${word(0)}`,
    call: async () => undefined,
  }
  return { chain: chain as unknown as ChainReader, first: name(0) }
}

test('clones of clones are followed four times, and more clones leave the facts incomplete', async () => {
  const four = cloned(4)
  const whole = await readSubject(four.chain, registry, codes, four.first)
  expect(whole?.proxy.hops).toHaveLength(4)
  expect(whole?.facts.complete).toBe(true)
  const five = cloned(5)
  const cut = await readSubject(five.chain, registry, codes, five.first)
  expect(cut?.proxy.hops).toHaveLength(4)
  expect(cut?.facts.complete).toBe(false)
})

test('a diamond with more facets than are followed is incomplete', async () => {
  const found = await readSubject(chainOf(65, 100).chain, registry, codes, diamond)
  expect(found?.runningCode).toHaveLength(64)
  expect(found?.facts.complete).toBe(false)
})

test('facets with thousands of functions are read up to a limit of functions', async () => {
  const entry = (i: number) => `8063${(i + 2 ** 28).toString(16)}1461000057`
  const functions = Array.from({ length: 400 }, (_, i) => entry(i)).join('')
  const found = await readSubject(chainOf(64, 0, `60003560e01c${functions}00`).chain, registry, codes, diamond)
  expect(found?.functions.length).toBeLessThan(2_500)
  expect(found?.runningCode.length).toBeLessThan(10)
  expect(found?.facts.complete).toBe(false)
})
