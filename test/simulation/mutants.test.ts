import { expect, test } from 'vitest'
import { THOROUGH } from '../kit/thorough.ts'
import { MUTANTS } from './mutants/list.ts'
import { playMutant } from './mutants/mutants.ts'

const PLAYED = MUTANTS.filter(({ nightly }) => THOROUGH || !nightly)

test.each(PLAYED)('within 200 seeds, at night 400, the simulation notices that $name', async (mutant) => {
  const { found, output } = await playMutant(mutant, ['--seeds', mutant.nightly ? '400' : '200', '--first'])
  expect(found, output).toBe(true)
})
