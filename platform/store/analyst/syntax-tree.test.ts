import { expect, test } from 'vitest'
import { parseSyntaxTree } from './syntax-tree.ts'

test('a name made of spaces and a line break takes no time to be refused', () => {
  const begun = performance.now()
  expect(parseSyntaxTree([`Identifier ${' '.repeat(900_000)}\r`])).toBeUndefined()
  expect(performance.now() - begun).toBeLessThan(1_000)
})
