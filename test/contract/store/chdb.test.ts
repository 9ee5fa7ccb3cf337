import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { openStore } from '../../../platform/store/open.ts'
import { openTestStore } from '../../kit/store/store.ts'
import { until } from '../../kit/until.ts'
import { describeStore } from './suite.ts'

describe('the store in process', () => describeStore(() => openTestStore({ migrated: false })))

test('accepts lists far longer than the default statement size as literals', async () => {
  const kit = await openTestStore({ migrated: false })
  const addresses = Array.from({ length: 50_000 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`)
  const rows = await kit.store.query<{ known: string }>('SELECT length({addresses:Array(String)}) AS known', {
    addresses,
  })
  expect(rows).toEqual([{ known: String(addresses.length) }])
  await kit.close()
})

test('a delete waits for a concurrent merge and no longer', async () => {
  const kit = await openTestStore({ migrated: false })
  await kit.store.command('CREATE TABLE kept (k UInt32) ENGINE = MergeTree ORDER BY k')
  const took: number[] = []
  for (let k = 0; k < 25; k++) {
    await kit.store.insert('kept', `{"k":${k}}\n`)
    const begun = performance.now()
    await kit.store.command('DELETE FROM kept WHERE k = {k:UInt32}', { k })
    took.push(performance.now() - begun)
  }
  // Every fifth meets one, and waited for the next look at the table, six seconds later. A busy machine slows some of them, not all.
  const slowest = took.toSorted((a, b) => b - a).slice(0, 5)
  expect(Math.min(...slowest)).toBeLessThan(3_000)
  await kit.close()
})

test('reads end at their deadline, also while queued behind a stuck one, and rows reach no other reader', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-chdb-'))
  const patience = { retryPausesMs: [], deadlines: { query: 300 } }
  const store = await openStore({ path, readers: 1, metrics: createMetrics(), log: createLog('silent'), ...patience })
  const begun = performance.now()
  const slow = 'SELECT sleepEachRow(1) AS late FROM numbers(3) SETTINGS max_block_size = 1'
  const given = await Promise.allSettled([store.query(slow), store.query(slow)])
  expect(performance.now() - begun).toBeLessThan(2_500)
  expect(given).toMatchObject(Array.from({ length: 2 }, () => ({ reason: { code: 'ASSAY_STORE_UNAVAILABLE' } })))
  const next = await until('the engine is done', () => store.query('SELECT 2 AS a').catch(() => undefined))
  expect(next).toEqual([{ a: 2 }])
  await store.close()
  rmSync(path, { recursive: true })
})
