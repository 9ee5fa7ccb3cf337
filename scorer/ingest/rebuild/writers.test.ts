import { expect, test } from 'vitest'
import type { Store } from '../../../platform/store/store.ts'
import { createWriter } from './writers.ts'

/** Tables of one network, and the log of reads and writes, in order. */
const setUp = () => {
  const told: string[] = []
  let rebuild: { state: string; age: string }[] = []
  let now = 1_000_000
  const store = {
    query: async () => {
      told.push('look')
      const found = rebuild.map((row) => ({ version: '1', ...row }))
      await new Promise<void>((resolve) => setImmediate(resolve))
      return found
    },
    insert: async (_: string, row: string) => void told.push((JSON.parse(row) as { state: string }).state),
  } as unknown as Store
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      await new Promise<void>((resolve) => setImmediate(resolve))
      now += ms
    },
  } as Parameters<typeof createWriter>[2]
  let rebuilt = false
  let resumes = 0
  const writer = createWriter(store, 'ETH', clock, async () => {
    resumes += 1
    if (rebuilt) throw new Error('rebuilt')
  })
  const { signal } = new AbortController()
  const unit = () => writer.work(async () => void told.push('unit'), signal)
  return {
    writer,
    unit,
    told: () => told.splice(0),
    pass: (ms: number) => {
      now += ms
    },
    rebuilding: (state: string | undefined) => {
      rebuild = state === undefined ? [] : [{ state, age: '0' }]
    },
    resumed: () => resumes,
    rebuild: () => {
      rebuilt = true
    },
  }
}

test('a writer checks after it announced work, and not again for each unit that follows at once', async () => {
  const { unit, told, pass } = setUp()
  for (let count = 0; count < 3; count++) await unit()
  expect(told()).toEqual(['working', 'look', 'unit', 'unit', 'unit'])
  pass(2_000)
  await unit()
  expect(told()).toEqual(['look', 'unit'])
})

test('units that begin together share one announcement, one check and one resume', async () => {
  const { unit, told, pass, resumed } = setUp()
  await Promise.all([unit(), unit(), unit(), unit(), unit()])
  expect(told()).toEqual(['working', 'look', ...Array(5).fill('unit')])
  expect(resumed()).toBe(1)
  pass(2_000)
  await Promise.all([unit(), unit()])
  expect(told()).toEqual(['look', 'unit', 'unit'])
  expect(resumed()).toBe(1)
})

test('units that begin together during a rebuild all wait, and continue together after one new resume', async () => {
  const { unit, told, rebuilding, resumed } = setUp()
  rebuilding('building')
  const working = Promise.all([unit(), unit(), unit()])
  const seen: string[] = []
  await expect.poll(() => seen.push(...told()) > 6).toBe(true)
  expect(seen.slice(0, 3)).toEqual(['working', 'look', 'waiting'])
  expect([seen.includes('unit'), resumed()]).toEqual([false, 0])
  rebuilding(undefined)
  await working
  const end = told()
  expect(end.slice(-3)).toEqual(['unit', 'unit', 'unit'])
  const back = end.lastIndexOf('working')
  expect(end.slice(back + 1, -3)).toContain('look')
  expect(resumed()).toBe(1)
})

test('a writer notices a rebuild within two seconds, and waits until a check finds it gone', async () => {
  const { unit, told, pass, rebuilding } = setUp()
  await unit()
  told()
  rebuilding('building')
  pass(2_000)
  let worked = false
  const working = unit().then(() => {
    worked = true
  })
  const seen: string[] = []
  await expect.poll(() => seen.push(...told()) > 3).toBe(true)
  expect(seen.slice(0, 4)).toEqual(['look', 'waiting', 'look', 'look'])
  expect(worked).toBe(false)
  rebuilding(undefined)
  await working
  // A writer announces its work before it checks that it may work.
  expect(told().slice(-4)).toEqual(['look', 'working', 'look', 'unit'])
})

test('after a clock change no announcement or check counts as recent; after the end nothing is cached', async () => {
  const { writer, unit, told, pass } = setUp()
  await unit()
  told()
  pass(-3_600_000)
  await unit()
  expect(told()).toEqual(['working', 'look', 'unit'])
  await writer.end()
  await unit()
  expect(told()).toEqual(['ended', 'working', 'look', 'unit'])
})

test('after a wait, and after a silence in which it was considered dead, no unit begins on rebuilt tables without a check', async () => {
  const waiting = setUp()
  await waiting.unit()
  waiting.rebuilding('exchanging')
  waiting.pass(2_000)
  const working = waiting.unit()
  const refused = expect(working).rejects.toThrow('rebuilt')
  await expect.poll(() => waiting.told().includes('waiting')).toBe(true)
  waiting.rebuild()
  waiting.rebuilding(undefined)
  await refused

  const suspended = setUp()
  await suspended.unit()
  suspended.told()
  suspended.pass(400_000)
  suspended.rebuild()
  await expect(suspended.unit()).rejects.toThrow('rebuilt')
  await expect(suspended.unit()).rejects.toThrow('rebuilt')
  expect(suspended.told()).not.toContain('unit')
})
