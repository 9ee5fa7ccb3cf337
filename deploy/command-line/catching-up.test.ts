import { expect, test } from 'vitest'
import type { NetworkStatus } from '../../api/http/ops.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { historyBlocksOf } from '../../platform/config/history.ts'
import { historyLines, progressLine, showCatchingUp } from './catching-up.ts'

const START = { block: 1_000, time: '2026-07-14T09:00:00.000Z' }
const status = (over: Partial<NetworkStatus>): NetworkStatus => ({
  network: 'ETH',
  ready: false,
  state: 'running',
  reasons: ['ETH has no blocks yet'],
  parts: [],
  ...over,
})
const behind = status({
  head: 3_000,
  stored: 1_500,
  indexedSince: START,
  catchingUp: {
    reason: 'is 1500 blocks behind its nodes',
    retryAfterSeconds: 3,
    blocksPerSecond: 500.4,
    secondsLeft: 2.998,
  },
  authorities: { complete: 1, logs: 4, part: 0.456, leftSeconds: 240, missing: {} },
})

test.each<[string, NetworkStatus, string]>([
  ['nothing', status({}), 'ETH  has no blocks yet'],
  [
    'blocks and logs',
    behind,
    'ETH  blocks 500 of 2,000 (25 %), 500 blocks/s, 3 s left; logs of authorities 1 of 4 (45 %), 4 min left',
  ],
  [
    'a node that went away',
    status({ error: { code: 'ASSAY_RPC_UNAVAILABLE', message: 'm', since: START.time } }),
    'ETH  waits: ASSAY_RPC_UNAVAILABLE',
  ],
  [
    'a head that is the first block',
    status({ head: 1_000, stored: 1_000, indexedSince: START }),
    'ETH  has no blocks yet',
  ],
  [
    'more stored than the head that was reported',
    status({ head: 1_100, stored: 1_200, indexedSince: START }),
    'ETH  blocks 100 of 100 (100 %)',
  ],
])('progress with %s is one line', (_, given, line) => {
  expect(progressLine(given)).toBe(line)
})

test('states the default start block and how to change it', () => {
  expect(
    historyLines(
      loadConfig({ ETH_RPC_URL: 'http://a.example', BNB_RPC_URL: 'http://b.example', BNB_START_BLOCK: '7' }),
    ),
  ).toEqual([
    expect.stringMatching(
      /^ETH {2}indexes from 900 blocks \(3\.0 h\) behind the head.*ETH_START_BLOCK or ASSAY_HISTORY_HOURS/,
    ),
    expect.stringMatching(/^BNB {2}indexes from block 7,/),
    expect.stringContaining('from their first block'),
  ])
})

test('history is equally long on every network unless it is set in blocks', () => {
  const of = (settings: Record<string, string>) => {
    const config = loadConfig({ ETH_RPC_URL: 'http://a.example', BASE_RPC_URL: 'http://b.example', ...settings })
    return [
      ...config.networks.map(({ network }) => historyBlocksOf(config, network)),
      ...historyLines(config).map((line) => /\((.+?)\)/.exec(line)?.[1]),
    ]
  }
  expect(of({})).toEqual([900, 5_400, '3.0 h', '3.0 h', undefined])
  expect(of({ ASSAY_HISTORY_HOURS: '24', ASSAY_AUTHORITY_LOGS: 'off' })).toEqual([7_200, 43_200, '24.0 h', '24.0 h'])
  expect(of({ ASSAY_HISTORY_BLOCKS: '50', ASSAY_AUTHORITY_LOGS: 'off' })).toEqual([50, 50, '10 min', '100 s'])
  expect(of({ ASSAY_HISTORY_HOURS: '0', ASSAY_AUTHORITY_LOGS: 'off' }).slice(0, 2)).toEqual([0, 0])
})

test('shows networks until each has caught up once, and skips failed status reads', async () => {
  const done = status({ ready: true, reasons: [], stored: 3_000, indexedSince: START })
  const base = { ...behind, network: 'BASE' }
  const looks: (() => NetworkStatus[])[] = [
    () => [behind, base],
    () => {
      throw new Error('the store does not answer')
    },
    () => [done, base],
    // ETH falls behind again, which is reported elsewhere.
    () => [behind, { ...done, network: 'BASE' }],
  ]
  let now = 0
  let text = ''
  await showCatchingUp({
    status: async () => looks.shift()!(),
    clock: {
      now: () => now,
      sleep: async () => {
        now += 11_000
      },
    },
    signal: new AbortController().signal,
    out: {
      write: (part) => {
        text += part
      },
    },
  })
  expect(text.trim().split('\n')).toEqual([
    progressLine(behind),
    progressLine(base),
    'ETH  caught up at block 3000 after 22 s. Indexed since block 1000 (2026-07-14).',
    progressLine(base),
    'BASE  caught up at block 3000 after 33 s. Indexed since block 1000 (2026-07-14).',
  ])
})
