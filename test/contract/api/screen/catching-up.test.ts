/** Screening jobs whose network is behind its nodes, and jobs that were put off. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { startApi, testContext } from '../kit.ts'
import { address, call, csv, finished, startScreening } from './screen.kit.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const BEHIND = { reason: 'is 1200 blocks behind its nodes', retryAfterSeconds: 7 }
/** A job whose network catches up, and time that passes when told. */
const whileBehind = async (rows: readonly string[]) => {
  let now = Date.now()
  const behind = new Map<string, typeof BEHIND>([['ETH', BEHIND]])
  const usage = { screening: { store: kit.store }, usage: kit.store, tuning: { screenPauseMs: 5 } }
  const clock = { ...systemClock, now: () => now }
  const started = await startApi(
    { ...usage, catchingUp: (network) => behind.get(network) },
    { ...testContext(), clock },
  )
  const { id } = (await call(started, 'POST', '/screen', { payload: csv(rows) })).json()
  const pass = (ms: number) => {
    now += ms
  }
  return { started, id, behind, pass }
}

test('a job postponed by a fast clock is continued by a replica with a correct one', async () => {
  const { started, id, pass } = await whileBehind([`${address(1)},ETH`])
  pass(3_600_000)
  await started.api.screen()
  await started.close()
  // The next one lives by the time that the first one's clock left.
  const next = await startScreening(kit.store)
  expect(await finished(next, id)).toMatchObject({ state: 'finished', statuses: { 200: 1 } })
  await next.close()
})

test('rows of a network that catches up wait for it, and each row counts as one call', async () => {
  const rows = [`${address(1)},BNB`, `${address(2)},ETH`, `${address(3)},BNB`]
  const { started, id, behind, pass } = await whileBehind(rows)
  for (let round = 0; round < 3; round++) {
    await started.api.screen()
    pass(20_000)
  }
  behind.clear()
  pass(60_000)
  expect(await finished(started, id)).toMatchObject({ state: 'finished', statuses: { 200: 3 } })
  const { usage } = (await call(started, 'GET', '/usage')).json()
  expect(usage).toMatchObject([{ operation: 'fraud_check', status: 200, calls: 3 }])
  await started.close()
})

test('when a network starts to catch up, no row of a running job loses its answer or is computed twice', async () => {
  let asked = 0
  // The row is looked at before it is answered: then nothing is behind.
  const catchingUp = (network: string) => (network === 'ETH' && ++asked === 2 ? BEHIND : undefined)
  const started = await startScreening(kit.store, { usage: kit.store, catchingUp })
  const rows = [`${address(1)},BNB`, `${address(2)},ETH`, `${address(3)},BNB`]
  const { id } = (await call(started, 'POST', '/screen', { payload: csv(rows) })).json()
  expect(await finished(started, id)).toMatchObject({ state: 'finished', statuses: { 200: 3 } })
  const { usage } = (await call(started, 'GET', '/usage')).json()
  expect(usage).toMatchObject([
    { status: 200, calls: 3 },
    { status: 503, calls: 1 },
  ])
  await started.close()
})

test('a job does not wait forever: its rows finally report that their network is catching up', async () => {
  const { started, id, pass } = await whileBehind([`${address(1)},BNB`, `${address(2)},ETH`])
  await started.api.screen()
  pass(2 * 3_600_000)
  expect(await finished(started, id)).toMatchObject({ state: 'finished', statuses: { 200: 1, 503: 1 } })
  const { text } = await call(started, 'GET', `/screen/${id}/result?from=2`)
  expect(JSON.parse(text)).toMatchObject({ row: 2, status: 503, result: { error: 'CATCHING_UP' } })
  await started.close()
})
