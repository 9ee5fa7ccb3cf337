import { sized } from '../kit/thorough.ts'

/** Seeds of a run. `mutants.test.ts` checks that this many detect each daytime mutant; at night there are more. */
export const SEEDS = sized(20, 200)
