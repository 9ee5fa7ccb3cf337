/** Lives of a scorer that end at random steps; `crash-steps` lets it die at each kind of step. */
import { expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { sized } from '../../kit/thorough.ts'
import { setUpIngest } from './kit.ts'

const { createTopics, publishHistory, liveThrough, expectFreshIndex } = setUpIngest()

/** More seeds where asked for: ASSAY_TEST_CRASH_SEEDS=2,3,5 npx vitest run --project contract test/contract/ingest/crash.test.ts */
const more = (process.env.ASSAY_TEST_CRASH_SEEDS ?? '').split(',').filter(Boolean).map(Number)

test.each([1, ...more])(
  'a history with reorgs results in the tables of a fresh index after crashes anywhere (seed %i)',
  async (seed) => {
    await createTopics('ETH')
    const random = createRandom(seed)
    const { chain, first, final } = await publishHistory('ETH', random, { rounds: sized(10, 25) })
    let next = 0
    const crashes = await liveThrough('ETH', final, (_step, life, count) => {
      if (count === 1) next = 2 + random.below(60)
      return life < 15 && count >= next
    })
    expect(crashes).toBeGreaterThan(3)
    await expectFreshIndex(chain, first, final)
  },
  240_000,
)
