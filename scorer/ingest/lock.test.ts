import { expect, test } from 'vitest'
import { createSharedRead } from './lock.ts'

test('concurrent callers share one read that begins after all of them asked; later callers get the next', async () => {
  let written = 0
  const begun: (() => void)[] = []
  const read = createSharedRead(async () => {
    const found = written
    await new Promise<void>((resolve) => begun.push(resolve))
    return found
  })
  const together = [read()]
  written = 1
  together.push(read())
  await Promise.resolve()
  await Promise.resolve()
  // The read is under way: it cannot have seen what is written from here on.
  written = 2
  const later = read()
  await expect.poll(() => begun.length).toBe(2)
  for (const end of begun) end()
  expect([await Promise.all(together), await later]).toEqual([[1, 1], 2])
})

test('a failed read fails its callers, but not the next', async () => {
  let fails = true
  const read = createSharedRead(async () => {
    if (fails) throw new Error('no answer')
    return 'found'
  })
  const outcomes = await Promise.allSettled([read(), read()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await read()).toBe('found')
})
