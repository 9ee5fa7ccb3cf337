import { expect, test } from 'vitest'
import { z } from 'zod'
import { atMost } from './raw.ts'

test('refuses a list that is too long before reading it', () => {
  const read: unknown[] = []
  const item = z.int().transform((value) => {
    read.push(value)
    return value
  })
  expect(atMost(2, item).safeParse(new Array(1_000).fill(1)).error?.issues).toMatchObject([{ code: 'too_big' }])
  expect(read).toEqual([])
  expect(atMost(2, item).parse([1, 2])).toEqual([1, 2])
  expect(atMost(2, item).safeParse([1, 'two']).error?.issues).toMatchObject([{ path: [1] }])
})
