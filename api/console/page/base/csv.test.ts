import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellOf as serverCellOf } from '../../../screen/cells.ts'
import { cellOf, csvOf, linesOf } from './csv.js'

test('writes cells like the API, with an apostrophe before formulas', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n,;"a1 \u0000\uff1d\uff20') }),
        fc.integer(),
        fc.constant(null),
      ),
      (value) => {
        expect(cellOf(value)).toBe(serverCellOf(value))
      },
    ),
  )
  expect(['=1+1', '+1', '-1', '@a', '\t=1', '\uff1d1', 'a=1', -1].map((value) => cellOf(value))).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@a",
    '"\'\t=1"',
    "'\uff1d1",
    'a=1',
    '-1',
  ])
})

test('writes a table as lines with quoted separators', () => {
  expect(csvOf(['a', 'b'], [['x,"y"', null]])).toBe('a,b\r\n"x,""y""",\r\n')
  expect(linesOf(['a', 'b'], [['x', 1]])).toBe('{"a":"x","b":1}\n')
})
