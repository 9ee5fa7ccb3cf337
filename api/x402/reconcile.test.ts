import { expect, test } from 'vitest'
import { createLog } from '../../platform/context/log.ts'
import { createMetrics } from '../../platform/context/metrics.ts'
import type { Ledger } from './ledger.ts'
import { createReconcile } from './reconcile.ts'

test('a pass without open payments runs one statement, and resets the figures of the last pass', async () => {
  const asked: unknown[] = []
  let answers: Awaited<ReturnType<Ledger['inState']>>[] = [[]]
  const metrics = createMetrics()
  const reconcile = createReconcile({
    context: { log: createLog('silent'), clock: { now: () => 1_000_000_000, sleep: async () => undefined }, metrics },
    ledger: {
      inState: async (states) => {
        asked.push(states)
        return answers.shift() ?? []
      },
    },
    settlement: {
      rewrite: async () => undefined,
      record: async () => undefined,
      conclude: async () => ({ outcome: 'pending' }),
      confirm: async () => undefined,
    } as unknown as Parameters<typeof createReconcile>[0]['settlement'],
  })
  const payment = { key: 'a', payer: '0xa', request_id: 'r' } as unknown as Awaited<
    ReturnType<Ledger['inState']>
  >[number]
  answers = [[payment], [], [payment], [payment]]
  expect(await reconcile()).toEqual({ decided: 0, open: 1, unanswered: 1, unconfirmed: 0, disputed: 0 })
  asked.splice(0)
  answers = []
  expect(await reconcile()).toEqual({ decided: 0, open: 0, unanswered: 0, unconfirmed: 0, disputed: 0 })
  expect(asked).toEqual([['reserved', 'settling', 'pending', 'settled', 'confirmed', 'answered', 'disputed']])
  expect(await metrics.text()).toMatch(/assay_payments_open 0\n[\s\S]*assay_payments_unanswered 0\n/)
})
