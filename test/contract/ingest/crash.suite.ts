import { expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/story/random.ts'
import { setUpIngest } from './kit.ts'

/** Lives of a scorer that end at random steps. A store is emptied between seeds; files with seeds of their own run side by side. */
export const describeCrashes = (seeds: readonly number[]): void => {
  const { createTopics, publishHistory, liveThrough, expectFreshIndex } = setUpIngest()

  test.each(seeds)(
    'a history with reorgs gives the tables of a fresh index when the scorer dies anywhere (seed %i)',
    async (seed) => {
      await createTopics('ETH')
      const random = createRandom(seed)
      const { chain, first, final } = await publishHistory('ETH', random)
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
}
