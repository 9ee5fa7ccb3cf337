import { expect, test } from 'vitest'
import { decodeRun, encodeRun, reasonText, type Setup, type Step, ZERO } from './script.ts'

const setup: Setup = {
  token: ZERO,
  base: ZERO,
  pool: ZERO,
  kind: 'none',
  fee: 0,
  router: ZERO,
  hooks: ZERO,
  small: 1n,
  large: 1n,
  victim: ZERO,
  bystander: ZERO,
  receiver: ZERO,
  buyer: ZERO,
}

test('results are decoded in the order of the script', () => {
  const steps: Step[] = [
    { op: 'read', target: ZERO, data: '0x18160ddd' },
    { op: 'branch', steps: [{ op: 'buy', actor: ZERO, amount: 5n }] },
  ]
  const words = [1n, 7n, 0n, 100n, 7n, 1n, 2n, 0n, 0n, 0n, 0n]
  const data = `0x${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`
  expect(decodeRun(steps, data)).toEqual([
    { ok: true, a: 7n, b: 0n, gas: 100n, word: 7n },
    { ok: true, a: 0n, b: 0n, gas: 0n, word: 0n, steps: [{ ok: undefined, a: 0n, b: 0n, gas: 0n, word: 0n }] },
  ])
})

test('data of another length is not a result', () => {
  expect(decodeRun([{ op: 'read', target: ZERO, data: '0x' }], '0x')).toBeUndefined()
  expect(decodeRun([{ op: 'read', target: ZERO, data: '0x' }], undefined)).toBeUndefined()
})

test('a script is padded to whole words', () => {
  expect((encodeRun(setup, [{ op: 'read', target: ZERO, data: '0x18160ddd' }]).length - 10) % 64).toBe(0)
})

test('reasons are shown as text, or as a selector', () => {
  const word = (text: string) => BigInt(`0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`)
  expect(reasonText(word('UniswapV2: K'))).toBe('UniswapV2: K')
  expect(reasonText(word(String.fromCharCode(0x82, 0xb4, 0x29, 0x00)))).toMatch(/^0x/)
  expect(reasonText(0n)).toBe('')
})
