import { expect, test } from 'vitest'
import { decodeTouched, encodeTouched } from './topics.ts'

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

test('touched addresses come back in order out of messages of bounded size, as few as will do', () => {
  const addresses = Array.from({ length: 10_000 }, (_, index) => address(index))
  const values = encodeTouched(addresses)
  expect(values.flatMap(decodeTouched)).toEqual(addresses)
  expect(values.length).toBe(3)
  for (const value of values) expect(value.length).toBeLessThanOrEqual(200_000)
  expect(encodeTouched([])).toEqual([])
})

test.each(['', '{}', '[1]', '[""]'])('%j is no value of a touched message', (text) => {
  expect(() => decodeTouched(Buffer.from(text))).toThrow()
})
