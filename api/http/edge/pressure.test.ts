import { expect, test, vi } from 'vitest'
import { createLifecycle } from '../../../platform/context/lifecycle.ts'
import { createLag, watchEventLoop } from './pressure.ts'

test('one long pause is not overload, and one good sample ends an overload', () => {
  const lag = createLag(250)
  const after = (...delays: number[]) =>
    delays.map((delay) => {
      lag.sample(delay)
      return lag.isHigh()
    })
  expect(after(5, 700, 5, 700, 251, 300, 250, 700)).toEqual([false, false, false, false, true, true, false, false])
})

test('an event loop that is repeatedly late is overloaded until it keeps up', async () => {
  const lifecycle = createLifecycle()
  const isOverloaded = watchEventLoop(lifecycle, 60)
  const becomes = async (expected: boolean, between: () => void) => {
    const deadline = Date.now() + 10_000
    while (isOverloaded() !== expected) {
      if (Date.now() > deadline) throw new Error(`still ${!expected}`)
      between()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  expect(isOverloaded()).toBe(false)
  await becomes(true, () => {
    const end = performance.now() + 200
    while (performance.now() < end);
  })
  await becomes(false, () => {})
  await lifecycle.close()
})

test('stops sampling when nobody asks, until the next question or the end of the lifecycle', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const lifecycle = createLifecycle()
    const isOverloaded = watchEventLoop(lifecycle, 60)
    expect(vi.getTimerCount()).toBe(0)
    for (let second = 0; second < 20; second++) {
      isOverloaded()
      vi.advanceTimersByTime(1_000)
    }
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(10_000)
    expect(vi.getTimerCount()).toBe(0)
    isOverloaded()
    expect(vi.getTimerCount()).toBe(1)
    await lifecycle.close()
    isOverloaded()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
