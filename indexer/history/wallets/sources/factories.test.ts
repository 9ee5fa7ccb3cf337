import { expect, test } from 'vitest'
import { EVENTS, type EventName } from '../../../../schema/registry/index.ts'
import { OF_DATA, OF_IDS, OF_PAIRS } from './factories.ts'

test('requests every event with which an exchange announces a pool', () => {
  const announces = (name: string) =>
    /Pool(Created|Deployed|Registered)|PairCreated|TokensRegistered|Initialize/i.test(name)
  const known = (Object.keys(EVENTS) as EventName[]).filter(announces).map((name) => EVENTS[name].topic)
  expect([...OF_PAIRS, ...OF_IDS, ...OF_DATA].toSorted()).toEqual(known.toSorted())
})
