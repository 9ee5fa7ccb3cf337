/** A few seeds on the real engine: what the model of the store may have forgotten. Virtual time stands still while it works. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { THOROUGH } from '../../kit/thorough.ts'
import { simulate } from '../simulate.ts'

/** A statement of the engine takes as long as hundreds of the model. */
const FAULTS_MS = 6_000

let kit: TestStore

beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

test.each(THOROUGH ? [2, 3, 5] : [3])(
  'ends with the tables of a fresh index with the real engine (seed %i)',
  async (seed) => {
    await kit.truncate()
    const { failure, notes } = await simulate(seed, { realStore: kit.store, faultsMs: FAULTS_MS })
    expect(failure, `${notes.slice(-80).join('\n')}\n${failure}`).toBeUndefined()
  },
)
