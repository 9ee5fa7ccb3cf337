import { expect, test } from 'vitest'
import { freshFor } from './simulation-setup.ts'

test('accounts are the same for a token at one block, and differ for another block or token', () => {
  const roles = (seed: string, token: string) => ['person', 'victim', 'refuser'].map(freshFor({ seed }, token))
  expect(roles('0x1', '0xa')).toEqual(roles('0x1', '0xa'))
  const all = [roles('0x1', '0xa'), roles('0x2', '0xa'), roles('0x1', '0xb')].flat()
  expect(new Set(all).size).toBe(9)
})
