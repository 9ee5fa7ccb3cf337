import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'

test('a sleep longer than the maximum timer does not spin, and ends at once with its signal', async () => {
  for (const ms of [2 ** 31, 1e12, Number.POSITIVE_INFINITY]) {
    const stop = new AbortController()
    let ended = false
    const sleeping = systemClock.sleep(ms, stop.signal).then(
      () => {
        ended = true
      },
      () => undefined,
    )
    await systemClock.sleep(20)
    expect(ended, String(ms)).toBe(false)
    stop.abort()
    await sleeping
  }
})
