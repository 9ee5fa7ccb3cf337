import { expect, test } from 'vitest'
import { Busy, createCompute, Late } from './compute.ts'

const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('concurrent requests for one key share a computation; a later request starts a new one', async () => {
  const compute = createCompute({ concurrency: 1, maxWaiting: 0, deadlineMs: 1_000 })
  let runs = 0
  const ask = () => compute('a', async () => ++runs)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  expect(await ask()).toBe(2)
})

test('limits running and waiting computations, and refuses the rest at once', async () => {
  const compute = createCompute({ concurrency: 2, maxWaiting: 1, deadlineMs: 1_000 })
  const { open, opened } = gate()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await opened
    running--
  }
  const started = ['a', 'b', 'c'].map((key) => compute(key, work))
  await expect(compute('d', work)).rejects.toThrow(Busy)
  open()
  await Promise.all(started)
  expect(most).toBe(2)
  await expect(compute('d', work)).resolves.toBeUndefined()
})

test('a late computation frees its slot, even if it never ends', async () => {
  const compute = createCompute({ concurrency: 1, maxWaiting: 0, deadlineMs: 10 })
  let aborted = false
  const stuck = compute('a', (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true
    })
    return new Promise<never>(() => {})
  })
  await expect(stuck).rejects.toThrow(Late)
  expect(aborted).toBe(true)
  await expect(compute('b', async () => 1)).resolves.toBe(1)
})
