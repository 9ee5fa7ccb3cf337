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

test.each([
  ['blocks stand still', true, ['TON stands still', `indexing of TON waits: ${trouble.code}. ${trouble.message}`]],
  ['blocks still come', false, []],
])('while %s, /ready and /status give why a network waits and what to do', async (_, stalled, reasons) => {
  const height = { height: 7, time: Math.floor(Date.now() / 1_000), since: 0, stalled, first: undefined }
  const overview = createOverview(testContext(), {
    board: {
      read: async () => [{ ...part, role: 'indexer', instance: 'one', reportedAt: 6, silent: false }],
      lastIndexing: () => undefined,
    },
    heights: {
      read: async () => ({ storeAnswers: true, heights: new Map([['TON', height]]) }),
      glance: async () => ({ storeAnswers: true, heights: new Map([['TON', height]]) }),
    },
    authorities: { read: async () => new Map() },
    verdicts: { missing: async () => undefined },
    networks: ['TON'],
  })
  expect((await overview.readiness()).reasons).toEqual(reasons)
  const [status] = await overview.status()
  expect(status?.error).toMatchObject({ code: trouble.code, message: trouble.message })
})

test('what the endpoints of a network cannot prove is in /status, once, and makes it no less ready', async () => {
  const height = { height: 7, time: Math.floor(Date.now() / 1_000), since: 0, stalled: false, first: undefined }
  const read = async () => ({ storeAnswers: true, heights: new Map([['TON', height] as const]) })
  const told = { ...part, state: 'running' as const, trouble: undefined, progress: { unproved: ['less is bound'] } }
  const reported = { role: 'indexer', reportedAt: 6, silent: false }
  const overview = createOverview(testContext(), {
    board: {
      read: async () => [
        { ...told, ...reported, instance: 'one' },
        { ...told, ...reported, instance: 'two' },
      ],
      lastIndexing: () => undefined,
    },
    heights: { read, glance: read },
    authorities: { read: async () => new Map() },
    verdicts: { missing: async () => undefined },
    networks: ['TON'],
  })
  const [status] = await overview.status()
  expect(status).toMatchObject({ unproved: ['less is bound'], reasons: [] })
})

test.each([
  ['a report that is older than the look at the tables', { head: 90, published: 88 }, { head: 100, published: 100 }],
  ['a node that lags behind what it once showed', { head: 90, published: 99 }, { head: 90, published: 99 }],
  ['a report that is as new', { head: 104, published: 101 }, { head: 104, published: 101 }],
  ['no report', {}, { head: undefined, published: undefined }],
])('with block 100 stored and %s, /status shows where the chain ends', async (_, progress, shown) => {
  const height = { height: 100, time: Math.floor(Date.now() / 1_000), since: 0, stalled: false, first: undefined }
  const read = async () => ({ storeAnswers: true, heights: new Map([['TON', height] as const]) })
  const told = { ...part, state: 'running' as const, trouble: undefined, progress }
  const overview = createOverview(testContext(), {
    board: {
      read: async () => [{ ...told, role: 'indexer', instance: 'one', reportedAt: 6, silent: false }],
      lastIndexing: () => undefined,
    },
    heights: { read, glance: read },
    authorities: { read: async () => new Map() },
    verdicts: { missing: async () => undefined },
    networks: ['TON'],
  })
  const [status] = await overview.status()
  expect({ head: status?.head, published: status?.published, stored: status?.stored }).toEqual({
    ...shown,
    stored: 100,
  })
})
