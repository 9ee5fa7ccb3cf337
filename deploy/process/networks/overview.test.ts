import { expect, test } from 'vitest'
import type { PartReport } from '../../../schema/records/service/status.ts'
import { testContext } from '../../../test/kit/context.ts'
import { createOverview } from './overview.ts'

const trouble = {
  code: 'ASSAY_SOURCE_FINALITY_UNCONFIRMED',
  message: 'Of the 2 hosts of TON only a.example gives its final block. Set ASSAY_LONE_FINALITY_SECONDS.',
  since: 5,
}
const part: PartReport = { network: 'TON', part: 'indexing', state: 'waiting', since: 5, trouble, progress: {} }

/** Of TON, whose roles report so, with a block stored. */
const overviewOf = (reports: readonly Partial<PartReport>[], stored: { height: number; stalled?: boolean }) => {
  const height = { time: Math.floor(Date.now() / 1_000), since: 0, stalled: false, first: undefined, ...stored }
  const read = async () => ({ storeAnswers: true, heights: new Map([['TON', height] as const]) })
  const reported = { role: 'indexer', reportedAt: 6, silent: false }
  return createOverview(testContext(), {
    board: {
      read: async () => reports.map((one, nth) => ({ ...part, ...one, ...reported, instance: `${nth}` })),
      lastIndexing: () => undefined,
    },
    heights: { read, glance: read },
    authorities: { read: async () => new Map() },
    verdicts: { missing: async () => undefined },
    networks: ['TON'],
  })
}

test.each([
  ['blocks stand still', true, ['TON stands still', `indexing of TON waits: ${trouble.code}. ${trouble.message}`]],
  ['blocks still come', false, []],
])('while %s, /ready and /status give the reason and the remedy', async (_, stalled, reasons) => {
  const overview = overviewOf([{}], { height: 7, stalled })
  expect((await overview.readiness()).reasons).toEqual(reasons)
  const [status] = await overview.status()
  expect(status?.error).toMatchObject({ code: trouble.code, message: trouble.message })
})

test('/status lists missing proofs of endpoints once, and the network stays ready', async () => {
  const part = { state: 'running' as const, trouble: undefined, progress: { unproved: ['less is bound'] } }
  const [status] = await overviewOf([part, part], { height: 7 }).status()
  expect(status).toMatchObject({ unproved: ['less is bound'], reasons: [] })
})

test.each([
  ['a report that is older than the look at the tables', { head: 90, published: 88 }, { head: 100, published: 100 }],
  ['a node that lags behind what it once showed', { head: 90, published: 99 }, { head: 90, published: 99 }],
  ['a report that is as new', { head: 104, published: 101 }, { head: 104, published: 101 }],
  ['no report', {}, { head: undefined, published: undefined }],
])('with block 100 stored and %s, /status shows the head', async (_, progress, shown) => {
  const [status] = await overviewOf([{ state: 'running', trouble: undefined, progress }], { height: 100 }).status()
  expect({ head: status?.head, published: status?.published, stored: status?.stored }).toEqual({
    ...shown,
    stored: 100,
  })
})

test('answers without delay from the last known state while store and bus are silent', async () => {
  const height = { height: 7, time: Math.floor(Date.now() / 1_000), since: 0, stalled: false, first: undefined }
  let answers = true
  const read = async () => ({ storeAnswers: answers, heights: new Map([['TON', height] as const]) })
  const never = new Promise<never>(() => undefined)
  const running = { ...part, state: 'running' as const, trouble: undefined, role: 'indexer', reportedAt: 6 }
  const overview = createOverview(
    testContext(),
    {
      board: {
        read: async () => (answers ? [{ ...running, instance: '1', silent: false }] : never),
        lastIndexing: () => undefined,
      },
      heights: { read, glance: read },
      authorities: { read: async () => (answers ? new Map() : never) },
      verdicts: { missing: async () => (answers ? undefined : never) },
      networks: ['TON'],
    },
    50,
  )
  expect(await overview.readiness()).toMatchObject({ ready: true, reasons: [] })
  answers = false
  const { ready, reasons } = await overview.readiness()
  expect([ready, reasons[0]]).toEqual([false, 'the store does not answer'])
  expect((await overview.status())[0]?.state).toBe('running')
  expect(overview.catchingUp('TON')).toBeUndefined()
  answers = true
  expect(await overview.readiness()).toMatchObject({ ready: true, reasons: [] })
})
