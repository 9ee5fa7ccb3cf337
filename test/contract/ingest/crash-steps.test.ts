import { expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { TABLES } from '../../../schema/block.ts'
import { setUpIngest } from './kit.ts'

const { createTopics, publishHistory, liveThrough, expectFreshIndex, touchedOf } = setUpIngest()

test('a history with reorgs results in the tables of a fresh index after a crash at every kind of step', async () => {
  await createTopics('ETH')
  const { chain, first, final } = await publishHistory('ETH', createRandom(7), { first: 230, rounds: 12 })
  const died = new Set<string>()
  await liveThrough('ETH', final, (step) => !died.has(step) && Boolean(died.add(step)))
  await expectFreshIndex(chain, first, final)
  const perTable = ['inserted', 'added', 'undone', 'moved'].flatMap((verb) => TABLES.map((table) => `${verb} ${table}`))
  const others = [
    'inserted facts',
    'moved facts',
    'announced',
    'claimed',
    'covered',
    'applied',
    'published',
    'closed',
    'before commit',
    'committed',
    'undoing',
    'undone',
    'undone facts',
    'moving',
    'settled',
    'dropped',
  ]
  expect([...died].sort()).toEqual([...perTable, ...others].sort())
  expect([...(await touchedOf('ETH'))].length).toBeGreaterThan(0)
})
