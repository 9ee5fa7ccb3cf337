import { expect, test } from 'vitest'
import { parseSyntaxTree } from './syntax-tree.ts'

test('refuses a name of spaces and a line break quickly', () => {
  const begun = performance.now()
  expect(parseSyntaxTree([`Identifier ${' '.repeat(900_000)}\r`])).toBeUndefined()
  expect(performance.now() - begun).toBeLessThan(1_000)
})
