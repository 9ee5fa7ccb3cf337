import { expect, test } from 'vitest'
import { MUTANTS } from './mutants/list.ts'
import { playMutant } from './mutants/mutants.ts'

test.each(MUTANTS)('within 200 seeds the simulation notices that $name', async (mutant) => {
  const { found, output } = await playMutant(mutant, ['--seeds', '200', '--first'])
  expect(found, output).toBe(true)
})
