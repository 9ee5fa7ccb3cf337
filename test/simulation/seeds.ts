import { sized } from '../kit/thorough.ts'

/** Seeds that a run plays. `mutants.test.ts` holds that so many notice each mistake that is made by day; at night there are more. */
export const SEEDS = sized(20, 200)
