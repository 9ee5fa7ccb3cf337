import { expect, test } from 'vitest'
import type { Context } from '../../platform/context/context.ts'
import type { Mismatch } from './check.ts'
import { pollUntilExpected, refusalIn } from './polling.ts'

const wrong: Mismatch = { name: 'a', address: '0x1', path: 'status', expected: 'Fraud', got: 'Not Fraud' }
const refused: Mismatch = {
  name: 'b',
  address: '0x2',
  path: '',
  expected: 200,
  got: '503 {}',
  refusal: 'ETH is scoring what it has read. Try again later.',
}

/** A clock that advances only during `sleep`. */
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

/** Second of the last request, when `at` returns the mismatches at each second. */
const askedUntil = async (at: (second: number) => Mismatch[], controller = new AbortController()) => {
  const clock = clockOf()
  const context = { clock, lifecycle: { signal: controller.signal } as Context['lifecycle'] }
  await pollUntilExpected(context, 1_000, async () => ({ mismatches: at(clock.second()) }))
  return clock.second()
}

test('stops when all answers are as expected', async () => {
  expect(await askedUntil((second) => (second < 20 ? [wrong] : []))).toBe(20)
})

test('gives up on a wrong answer after 90 seconds', async () => {
  expect(await askedUntil(() => [wrong])).toBe(90)
})

test('waits for a network that is still scoring, then gives its answers another 90 seconds', async () => {
  expect(await askedUntil((second) => (second < 400 ? [wrong, refused] : []))).toBe(400)
  expect(await askedUntil((second) => (second < 400 ? [refused] : [wrong]))).toBe(490)
})

test('waits again for a network that falls behind again', async () => {
  expect(await askedUntil((second) => (second > 10 && second < 300 ? [refused] : second < 350 ? [wrong] : []))).toBe(
    350,
  )
})

test('gives up on a network that never answers after 15 minutes', async () => {
  expect(await askedUntil(() => [refused])).toBe(900)
})

test('reports no mismatches when the process is stopped while it waits', async () => {
  const controller = new AbortController()
  const stopping = (second: number) => {
    if (second === 3) controller.abort(new Error('stopped'))
    return [refused]
  }
  await expect(askedUntil(stopping, controller)).rejects.toThrow('stopped')
})

test('shows the first sentence of a refusal', () => {
  expect(refusalIn([wrong, refused])).toBe('ETH is scoring what it has read')
  expect(refusalIn([wrong])).toBeUndefined()
})
