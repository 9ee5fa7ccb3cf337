import { expect, test } from 'vitest'
import type { Context } from '../../platform/context/context.ts'
import type { Mismatch } from './check.ts'
import { askPatiently, refusalIn } from './patience.ts'

const wrong: Mismatch = { name: 'a', address: '0x1', path: 'status', expected: 'Fraud', got: 'Not Fraud' }
const refused: Mismatch = {
  name: 'b',
  address: '0x2',
  path: '',
  expected: 200,
  got: '503 {}',
  refusal: 'ETH is scoring what it has read. Try again later.',
}

/** A clock whose seconds pass while somebody sleeps. */
const clockOf = () => {
  let second = 0
  return {
    second: () => second,
    now: () => second * 1_000,
    sleep: async (ms: number) => {
      second += ms / 1_000
    },
  }
}

/** Second at which it was asked last when all answers were what `at` says of a second. */
const askedUntil = async (at: (second: number) => Mismatch[], controller = new AbortController()) => {
  const clock = clockOf()
  const context = { clock, lifecycle: { signal: controller.signal } as Context['lifecycle'] }
  await askPatiently(context, 1_000, async () => ({ mismatches: at(clock.second()) }))
  return clock.second()
}

test('what is as expected is not asked again', async () => {
  expect(await askedUntil((second) => (second < 20 ? [wrong] : []))).toBe(20)
})

test('an answer that stays wrong is given up on after a minute and a half', async () => {
  expect(await askedUntil(() => [wrong])).toBe(90)
})

test('a network that still scores is waited for, and its answers then have their own time', async () => {
  expect(await askedUntil((second) => (second < 400 ? [wrong, refused] : []))).toBe(400)
  expect(await askedUntil((second) => (second < 400 ? [refused] : [wrong]))).toBe(490)
})

test('a network that falls behind again is waited for again', async () => {
  expect(await askedUntil((second) => (second > 10 && second < 300 ? [refused] : second < 350 ? [wrong] : []))).toBe(
    350,
  )
})

test('a network that never answers is given up on after a quarter of an hour', async () => {
  expect(await askedUntil(() => [refused])).toBe(900)
})

test('who stops it while it waits is shown no mismatches', async () => {
  const controller = new AbortController()
  const stopping = (second: number) => {
    if (second === 3) controller.abort(new Error('stopped'))
    return [refused]
  }
  await expect(askedUntil(stopping, controller)).rejects.toThrow('stopped')
})

test('the first sentence of a refusal is what is shown', () => {
  expect(refusalIn([wrong, refused])).toBe('ETH is scoring what it has read')
  expect(refusalIn([wrong])).toBeUndefined()
})
