import { afterEach, expect, test } from 'vitest'
import { until } from '../../test/kit/until.ts'
import { createThreads, type Threads } from './threads.ts'

type To = { job: number; code: string }
type From = { job: number; reading: { code: string } }

let threads: Threads<To, From>
const open = (most = 2, idleMs?: number) => {
  const module = new URL('../../test/kit/contracts/hostile/hostile.worker.ts', import.meta.url)
  threads = createThreads({ name: 'the test', module, memoryMb: 32, maxThreads: most, ...(idleMs && { idleMs }) })
}
afterEach(() => threads.close())

const run = (code: string, group: object = {}, limits: { runMs?: number; withinMs?: number } = { runMs: 10_000 }) =>
  threads.run<string>({
    group,
    ...limits,
    start: (job) => ({ job, code }),
    onMessage: ({ reading }) => reading.code,
  })
const LATE = { failure: 'the test was not done within the deadline' }

test('a job that hangs fails only its own group', async () => {
  open()
  const group = {}
  const hanging = [run('hang', group, { runMs: 500 }), run('same group', group)]
  expect(await run('other')).toEqual({ result: 'other' })
  expect(await Promise.all(hanging)).toEqual([LATE, LATE])
  expect(await run('again')).toEqual({ result: 'again' })
})

test('a job that exhausts its heap fails alone, and the next one gets a fresh thread', async () => {
  open()
  const [eating, other] = await Promise.all([run('eat'), run('other')])
  expect(eating).toEqual({ failure: expect.stringMatching(/^the test failed: .*memory/) })
  expect(other).toEqual({ result: 'other' })
  expect(await run('again')).toEqual({ result: 'again' })
})

test('the deadline of a job starts with its thread, not while it waits', async () => {
  open(1)
  const hanging = run('hang', {}, { runMs: 500 })
  const waiting = run('patient', {}, { runMs: 400 })
  const hurried = run('hurried', {}, { withinMs: 1 })
  expect(await hurried).toEqual({ failure: 'the test had no thread free within the deadline' })
  expect(await hanging).toEqual(LATE)
  expect(await waiting).toEqual({ result: 'patient' })
})

test('closing ends running and waiting jobs', async () => {
  open(1)
  const all = [run('hang'), run('waits')]
  await threads.close()
  expect(await Promise.all(all)).toEqual([{ failure: 'the test: closing' }, { failure: 'the test: closing' }])
})

test('an idle thread ends after a while, and the next job starts another one', async () => {
  open(1, 5)
  const first = await run('which')
  expect(first).toEqual({ result: expect.stringMatching(/^thread \d+$/) })
  const next = await until(
    'another thread answers',
    async () => {
      const found = await run('which')
      return JSON.stringify(found) !== JSON.stringify(first) && found
    },
    60_000,
  )
  expect(next).toEqual({ result: expect.stringMatching(/^thread \d+$/) })
}, 90_000)
