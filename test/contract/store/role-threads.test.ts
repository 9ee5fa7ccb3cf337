/** The store of a process whose roles run on threads, as `npm start` has it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startRoleThread } from '../../../deploy/process/thread.ts'
import { openStore } from '../../../platform/store/open.ts'
import { testContext } from '../../kit/context.ts'
import { copyTemplate, storeTemplate } from '../../kit/store/store-template.ts'

test('a role that ended on its thread leaves the store usable for the process', async () => {
  const data = mkdtempSync(join(tmpdir(), 'assay-threads-'))
  const path = join(data, 'store')
  copyTemplate(await storeTemplate(), path)
  const context = testContext()
  const store = await openStore({ path, readers: 1, metrics: context.metrics, log: context.log })
  const settings = { ASSAY_DATA: data, ETH_RPC_URL: 'http://127.0.0.1:9', ASSAY_LOG_LEVEL: 'silent' }
  await startRoleThread(context, 'scorer', settings)
  expect(await context.lifecycle.close()).toEqual({ failed: [], late: [] })
  await store.insert('usage', `${JSON.stringify({ day: '2026-11-22', key: 'k', operation: 'fraud_check' })}\n`)
  expect(await store.query('SELECT key FROM usage')).toEqual([{ key: 'k' }])
  await store.close()
  rmSync(data, { recursive: true })
})
