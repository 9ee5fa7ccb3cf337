import { expect, test } from 'vitest'
import { freshFor } from './simulation-setup.ts'

test('the same block gives a token the same accounts, and another block or token others', () => {
  const roles = (seed: string, token: string) => ['person', 'victim', 'refuser'].map(freshFor({ seed }, token))
  expect(roles('0x1', '0xa')).toEqual(roles('0x1', '0xa'))
  const all = [roles('0x1', '0xa'), roles('0x2', '0xa'), roles('0x1', '0xb')].flat()
  expect(new Set(all).size).toBe(9)
})
