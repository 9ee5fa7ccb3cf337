import { expect, test } from 'vitest'
import type { Mismatch } from './check.ts'
import { createPatience, refusalIn } from './patience.ts'

const wrong: Mismatch = { name: 'a', address: '0x1', path: 'status', expected: 'Fraud', got: 'Not Fraud' }
const refused: Mismatch = {
  name: 'b',
  address: '0x2',
  path: '',
  expected: 200,
  got: '503 {}',
  refusal: 'ETH is scoring what it has read. Try again later.',
}

/** Seconds at which it was asked when all answers were what `at` says of a second. */
const askedUntil = (at: (second: number) => Mismatch[]) => {
  let second = 0
  const again = createPatience(() => second * 1_000)
  while (again(at(second))) second += 1
  return second
}

test('what is as expected is not asked again', () => {
  expect(askedUntil((second) => (second < 20 ? [wrong] : []))).toBe(20)
})

test('an answer that stays wrong is given up on after a minute and a half', () => {
  expect(askedUntil(() => [wrong])).toBe(90)
})

test('a network that still scores is waited for, and its answers then have their own time', () => {
  expect(askedUntil((second) => (second < 400 ? [wrong, refused] : []))).toBe(400)
  expect(askedUntil((second) => (second < 400 ? [refused] : [wrong]))).toBe(490)
})

test('a network that falls behind again is waited for again', () => {
  expect(askedUntil((second) => (second > 10 && second < 300 ? [refused] : second < 350 ? [wrong] : []))).toBe(350)
})

test('a network that never answers is given up on after a quarter of an hour', () => {
  expect(askedUntil(() => [refused])).toBe(900)
})

test('the first sentence of a refusal is what is shown', () => {
  expect(refusalIn([wrong, refused])).toBe('ETH is scoring what it has read')
  expect(refusalIn([wrong])).toBeUndefined()
})
