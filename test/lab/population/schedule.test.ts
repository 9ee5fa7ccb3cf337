import { expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { createSchedule, type Story } from './schedule.ts'

test('stories continue in order of time, and those due together in order of their start', () => {
  const { start, next } = createSchedule()
  const random = createRandom(3)
  const steps: [number, number][] = []
  let now = 0
  function* tell(name: number): Story {
    for (let rest = random.below(5); rest > 0; rest--) {
      steps.push([now, name])
      yield now + random.below(3)
    }
    steps.push([now, name])
  }
  for (let name = 0; name < 200; name++) start(random.below(20), tell(name))
  for (let due = next(); due; due = next()) {
    expect(due.at).toBeGreaterThanOrEqual(now)
    now = due.at
    const { value, done } = due.story.next()
    if (!done) start(value, due.story)
  }
  expect(new Set(steps.map(([, name]) => name)).size).toBe(200)

  const together: string[] = []
  function* once(name: string): Story {
    together.push(name)
    yield Number.POSITIVE_INFINITY
  }
  for (const name of ['a', 'b', 'c', 'd']) start(7, once(name))
  for (let due = next(); due; due = next()) due.story.next()
  expect(together).toEqual(['a', 'b', 'c', 'd'])
})
