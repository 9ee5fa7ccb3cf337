import { expect, test } from 'vitest'
import { decodeRescore, encodeRescore } from './topics.ts'

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

test('touched addresses come back in order out of messages of bounded size, as few as will do', () => {
  const addresses = Array.from({ length: 10_000 }, (_, index) => address(index))
  const values = encodeRescore(addresses)
  expect(values.flatMap(decodeRescore)).toEqual(addresses)
  expect(values.length).toBe(3)
  for (const value of values) expect(value.length).toBeLessThanOrEqual(200_000)
  expect(encodeRescore([])).toEqual([])
})

test.each(['', '{}', '[1]', '[""]'])('%j is no value of a touched message', (text) => {
  expect(() => decodeRescore(Buffer.from(text))).toThrow()
})
