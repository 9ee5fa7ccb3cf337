import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { THOROUGH } from '../../kit/thorough.ts'
import { SEEDS } from '../seeds.ts'
import { MUTANTS } from './list.ts'
import { playMutant } from './mutants.ts'

const PLAYED = MUTANTS.filter(({ nightly }) => THOROUGH || !nightly)

test.each(PLAYED)(
  'within the seeds of a run, at night within 400, the simulation detects that $name',
  async (mutant) => {
    const { found, output } = await playMutant(mutant, ['--seeds', String(mutant.nightly ? 400 : SEEDS), '--first'])
    expect(found, output).toBe(true)
  },
)

test.each(MUTANTS)('the code that $name changes exists in the product', ({ edits }) => {
  for (const { file, find } of edits) {
    const text = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')
    expect([file, find, text.split(find).length - 1]).toEqual([file, find, 1])
  }
})
