import { expect, test } from 'vitest'
import type { Store } from '../../../platform/store/store.ts'
import { authorityLogsOf } from '../../../schema/registry/authorities.ts'
import { topics } from '../../../schema/topics.ts'
import { createMemoryBus } from '../../../test/kit/bus/memory-bus.ts'
import { testContext } from '../../../test/kit/context.ts'
import { type AuthorityState, createAuthorityLogs } from './authorities.ts'
import { createBoard, FORGET_MS, type ReportedPart } from './board.ts'
import { type CatchUpFacts, createCatchUp } from './catching-up.ts'

const part = (progress: ReportedPart['progress'], silent = false): ReportedPart => ({
  network: 'ETH',
  part: 'indexing',
  role: 'indexer',
  instance: 'a',
  state: 'running',
  since: 0,
  reportedAt: 0,
  silent,
  progress,
})
const at = (height: number) => ({ height, time: 0, since: 0, first: { block: 1, time: 0 }, stalled: false })
const logs = (reasons: string[], leftSeconds = 0): AuthorityState => ({
  complete: 0,
  logs: 1,
  part: 0.5,
  leftSeconds,
  stuck: false,
  missing: {},
  reasons,
})
const facts = (over: Partial<CatchUpFacts> = {}): CatchUpFacts => ({
  parts: [part({ phase: 'head' })],
  head: 1_000,
  last: { phase: 'head', head: 1_000 },
  height: at(1_000),
  authorities: logs([]),
  ...over,
})

test.each<[string, Partial<CatchUpFacts>, string | undefined]>([
  ['everything is there', {}, undefined],
  ['a few blocks are on their way', { head: 1_010 }, undefined],
  ['nobody reports, and the blocks stand still', { parts: [], head: undefined }, undefined],
  ['nobody ever reported', { parts: [], head: undefined, last: undefined }, undefined],
  ['the indexer died at the head', { parts: [part({ phase: 'head' }, true)] }, undefined],
  [
    'the indexer died while it read history, long ago',
    { parts: [], head: undefined, last: { phase: 'history', head: 1_000 } },
    'is reading its history',
  ],
  [
    'the indexer died far behind the head, long ago',
    { parts: [], head: undefined, last: { phase: 'history', head: 5_000 } },
    'is 4000 blocks behind its nodes',
  ],
  [
    'the indexer starts again in the middle of history',
    { parts: [part({ phase: 'starting' })], last: { phase: 'history', head: 1_000 } },
    'is reading its history',
  ],
  [
    'the indexer starts again, and was at the head',
    { parts: [part({ phase: 'starting' })], head: undefined },
    undefined,
  ],
  [
    'another indexer follows the head now',
    { parts: [part({ phase: 'head' }), part({ phase: 'history' }, true)], last: { phase: 'history', head: 1_000 } },
    undefined,
  ],
  ['there are no blocks', { height: undefined }, 'has no blocks yet'],
  ['more blocks are missing than a minute brings', { head: 1_011 }, 'is 11 blocks behind its nodes'],
  ['history is read', { parts: [part({ phase: 'history' })] }, 'is reading its history'],
  [
    'the indexer begins for the first time',
    { parts: [part({ phase: 'starting' })], head: undefined, last: { phase: 'starting', head: undefined } },
    'is starting',
  ],
  [
    'a part of history is not stored yet',
    { parts: [part({ phase: 'head' }), { ...part({ waitsFor: 'history of blocks 5 to 9' }), part: 'ingest' }] },
    'waits for history of blocks 5 to 9',
  ],
  ['logs are required and missing', { authorities: logs(['why'], 42) }, 'does not know all logs of its authorities'],
])('a network catches up or not when %s', (_, over, reason) => {
  expect(createCatchUp(() => 0).of('ETH', facts(over))?.reason).toBe(reason)
})

const HOUR_MS = 3_600_000

test.each<[string, Partial<CatchUpFacts>, string | undefined]>([
  ['nobody has reported yet', { parts: [], head: undefined, last: undefined }, 'is starting'],
  [
    'the last that was heard of an indexer is from before',
    { parts: [part({ phase: 'head', head: 1_000 }, true)] },
    'is starting',
  ],
  ['the indexer starts again after an hour', { parts: [part({ phase: 'starting' })], head: undefined }, 'is starting'],
  ['the indexer follows a head that stands still', {}, undefined],
])('after a start with blocks an hour old, decides whether a network is catching up when %s', (_, over, reason) => {
  expect(createCatchUp(() => HOUR_MS).of('ETH', facts(over))?.reason).toBe(reason)
})

test('an API without reports of an indexer answers after a while, or at once with new blocks', () => {
  let now = HOUR_MS
  const { of } = createCatchUp(() => now)
  const alone = { parts: [], head: undefined, last: undefined }
  const recent = { ...at(1_000), time: now / 1_000 - 60 }
  expect(of('ETH', facts({ ...alone, height: recent }))).toBeUndefined()
  expect(of('ETH', facts(alone))?.reason).toBe('is starting')
  now += 30_000
  expect(of('ETH', facts(alone))).toBeUndefined()
})

test('estimates the remaining time from the past rate, within bounds', () => {
  let now = 0
  const { of } = createCatchUp(() => now)
  const retry = (head: number, height: number) => of('ETH', facts({ head, height: at(height) }))?.retryAfterSeconds
  expect(retry(2_000, 1_000)).toBe(5)
  now = 10_000
  expect(retry(2_000, 1_500)).toBe(10)
  now = 20_000
  expect(retry(1_000_000, 1_510)).toBe(300)
  expect(retry(1_520, 1_515)).toBe(undefined)
  expect(retry(3_000, 1_516)).toBe(5)
  expect(of('ETH', facts({ authorities: logs(['why'], 42) }))?.retryAfterSeconds).toBe(42)
})

test('keeps the last report of an indexer that stops, is lost or restarts, until one follows the head', async () => {
  const bus = createMemoryBus()
  await bus.createTopics([{ topic: topics.status, partitions: 1 }])
  const producer = await bus.producer()
  let now = 0
  const board = createBoard(bus, { now: () => now })
  const reported = async (progress: ReportedPart['progress'] | undefined, instance = 'a') => {
    const { silent: _, reportedAt: __, role, instance: ___, ...one } = part(progress ?? {})
    const report = { role, instance, at: now, parts: progress ? [one] : [] }
    await producer.send([{ topic: topics.status, messages: [{ value: Buffer.from(JSON.stringify(report)) }] }])
    await board.read()
    return board.lastIndexing('ETH')
  }
  expect(await reported({ phase: 'starting' })).toEqual({ phase: 'starting', head: undefined })
  expect(await reported({ phase: 'history', head: 5_000 })).toEqual({ phase: 'history', head: 5_000 })
  expect(await reported(undefined)).toEqual({ phase: 'history', head: 5_000 })
  now += 2 * FORGET_MS
  expect(await board.read()).toEqual([])
  expect(board.lastIndexing('ETH')).toEqual({ phase: 'history', head: 5_000 })
  expect(await reported({ phase: 'starting' }, 'b')).toEqual({ phase: 'history', head: 5_000 })
  expect(await reported({ phase: 'head' }, 'b')).toEqual({ phase: 'head', head: 5_000 })
  expect(await reported({ phase: 'head', head: 4_990 }, 'b')).toEqual({ phase: 'head', head: 4_990 })
  expect(await reported({ phase: 'starting' }, 'c')).toEqual({ phase: 'head', head: 4_990 })
  expect(board.lastIndexing('BASE')).toBeUndefined()
})

test.each([
  ['no endpoint has logs of blocks below 900', /Add an endpoint .* or set ASSAY_AUTHORITY_LOGS=optional/],
  ['', /^((?!ASSAY_AUTHORITY_LOGS).)*$/],
])(
  'waits for logs that are being read, and names remedies for logs that no endpoint has (%s)',
  async (reason, text) => {
    const row = { network: 'ETH', since: 0, from_block: 900, to_block: 950, target: 950, left: 0, first: 0, reason }
    const rows = [
      ...authorityLogsOf('ETH').map(({ authority }) => ({ ...row, authority })),
      { ...row, authority: '', reason: '', first: 951 },
    ]
    const store = { query: async () => rows } as unknown as Store
    const read = async (required: boolean) =>
      (await createAuthorityLogs(testContext(), store, ['ETH'], required).read()).get('ETH')?.reasons
    expect(await read(true)).toEqual([expect.stringMatching(text)])
    expect(await read(false)).toEqual([])
  },
)
