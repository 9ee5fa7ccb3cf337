import { expect, test } from 'vitest'
import { textOf } from './return-data.ts'

test('a name cut in the middle of a character ends before it', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const name = Buffer.from(`${'a'.repeat(99)}\u{1f600}`)
  expect(textOf(`0x${word(32)}${word(name.length)}${name.toString('hex').padEnd(256, '0')}`)).toBe('a'.repeat(99))
})
