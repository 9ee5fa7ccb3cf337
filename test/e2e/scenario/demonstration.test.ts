/** The chains of the demonstration end with it, however it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { startDemonstration } from '../../../deploy/demo/demonstration.ts'
import { startPaymentChain } from '../../../deploy/demo/payments/chain.ts'
import { testContext } from '../../kit/context.ts'
import { chainsWith } from '../../kit/processes/chains.ts'
import { until } from '../../kit/until.ts'

const folders: string[] = []
let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assay-demonstration-'))
  folders.push(dataDir)
  // What this process starts inherits it.
  process.env.ASSAY_TEST_FOLDER = dataDir
})
afterEach(() => {
  for (const pid of chainsWith(dataDir)) process.kill(pid, 'SIGKILL')
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
const noneIsLeft = () => until('no chain is left', () => chainsWith(dataDir).length === 0)

test('if one chain cannot start, the other is stopped', async () => {
  mkdirSync(join(dataDir, 'devnet'))
  writeFileSync(join(dataDir, 'devnet/state.json'), '{}')
  const context = testContext()
  await expect(startDemonstration(context, dataDir, () => {})).rejects.toMatchObject({ code: 'ASSAY_DEMO_STATE_OLD' })
  await context.lifecycle.close()
  // A chain that began to start before this one is up by now.
  await (await startPaymentChain()).stop()
  await noneIsLeft()
})

test('Ctrl-C while the chains start ends both', async () => {
  const context = testContext()
  const starting = startDemonstration(context, dataDir, () => {}).then(
    ({ played }) => played.catch(() => undefined),
    () => undefined,
  )
  await until('a chain starts', () => chainsWith(dataDir).length > 0)
  await context.lifecycle.close()
  await starting
  await noneIsLeft()
})

test('a start after a kill ends the chains left behind', async () => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'demonstration.child.ts'), dataDir],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const left = chainsWith(dataDir)
  expect(left).toHaveLength(2)
  const context = testContext()
  const { played } = await startDemonstration(context, dataDir, () => {})
  played.catch(() => undefined)
  await until('those of before are gone', () => !chainsWith(dataDir).some((pid) => left.includes(pid)))
  await context.lifecycle.close()
  await noneIsLeft()
})
