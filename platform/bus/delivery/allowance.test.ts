import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAllowance } from './allowance.ts'

const never = new AbortController().signal
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('admits in order of arrival, whatever the size', async () => {
  const allowance = createAllowance(10)
  const admitted: string[] = []
  const ask = (name: string, bytes: number) => allowance.take(bytes, never).then(() => admitted.push(name))
  void ask('a', 6)
  void ask('b', 6)
  void ask('c', 1)
  await turn()
  expect(admitted).toEqual(['a'])
  allowance.give(6)
  await turn()
  expect(admitted).toEqual(['a', 'b', 'c'])
})

test('a caller that leaves the queue takes nothing and lets the next one pass', async () => {
  const allowance = createAllowance(10)
  await allowance.take(6, never)
  const leaves = new AbortController()
  const large = allowance.take(6, leaves.signal)
  const small = allowance.take(4, never)
  leaves.abort()
  expect(await Promise.all([large, small])).toEqual([false, true])
  expect(await allowance.take(1, AbortSignal.abort())).toBe(false)
  allowance.give(10)
  expect(await allowance.take(10, never)).toBe(true)
})

test('never exceeds the allowance, and serves every caller', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 }), async (sizes) => {
      const allowance = createAllowance(20)
      let held = 0
      let turns = 0
      const work = async (size: number) => {
        await allowance.take(size, never)
        const bytes = Math.min(size, 20)
        held += bytes
        expect(held).toBeLessThanOrEqual(20)
        await turn()
        held -= bytes
        turns += 1
        allowance.give(bytes)
      }
      await Promise.all(sizes.map(work))
      expect(turns).toBe(sizes.length)
    }),
    { numRuns: 30 },
  )
})
