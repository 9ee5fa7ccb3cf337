/** Which contracts are queued for another analysis when the verdict on their creator changes. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../../platform/context/clock.ts'
import { createRequeueByCreator } from '../../../scorer/contracts/records/creator-verdicts.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

const HOUR = 3_600_000
const now = Date.now()
const clock: Clock = { now: () => now, sleep: async () => {} }

let opened: TestStore
beforeAll(async () => {
  opened = await openTestStore()
})
beforeEach(() => opened.truncate())
afterAll(() => opened.close())

const insert = (table: string, row: object) => opened.store.insert(table, `${JSON.stringify(row)}\n`)

test('of the contracts of a creator no more than a limit are queued at once, those analysed last first', async () => {
  const creator = `0x${'1c'.repeat(20)}`
  for (let n = 1; n <= 5; n++) {
    await insert('contract_records', { network: 'ETH', address: `0x0${n}`, version: n, creator, watched: [creator] })
  }
  const turned = [{ address: creator, status: 'Fraud' as const, changed: true }]
  expect(await createRequeueByCreator({ store: opened.store, clock }, 3)('ETH', turned)).toBe(3)
  const rows = await opened.store.query<{ address: string }>('SELECT address FROM contract_retries ORDER BY address')
  expect(rows.map(({ address }) => address)).toEqual(['0x03', '0x04', '0x05'])
})

test('a verdict said again neither restarts an analysis that failed nor puts a waiting one behind others', async () => {
  const creator = `0x${'1d'.repeat(20)}`
  const retry = (n: number, attempts: number, due: number, reason: string) =>
    insert('contract_retries', {
      ...{ network: 'ETH', address: `0x0${n}`, version: 1, due_at: (due / 1_000).toFixed(3), attempts, reason },
    })
  for (let n = 1; n <= 4; n++) {
    await insert('contract_records', { network: 'ETH', address: `0x0${n}`, version: n, creator, watched: [creator] })
  }
  await retry(4, 3, now + HOUR, 'begun')
  await retry(3, 2, now - 1_000, 'ASSAY_CONTRACT_NODE')
  await retry(2, 0, now - HOUR, 'refresh')
  const turned = [{ address: creator, status: 'Fraud' as const, changed: false }]
  // Of two at a time one waits already.
  expect(await createRequeueByCreator({ store: opened.store, clock }, 2)('ETH', turned)).toBe(1)
  const rows = await opened.store.query(
    'SELECT address, attempts, toUnixTimestamp64Milli(due_at) < {now:Int64} AS waits FROM contract_retries FINAL ORDER BY address',
    { now },
  )
  expect(rows).toEqual([
    { address: '0x01', attempts: 0, waits: 0 },
    { address: '0x02', attempts: 0, waits: 1 },
    { address: '0x03', attempts: 2, waits: 1 },
    { address: '0x04', attempts: 3, waits: 0 },
  ])
})
