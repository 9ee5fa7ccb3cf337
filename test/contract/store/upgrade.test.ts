/** A data folder that version 0.2.0 wrote is opened, read, continued, lost and restored. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backup } from '../../../deploy/commands/backup/backup.ts'
import { restore } from '../../../deploy/commands/backup/restore.ts'
import { openWork } from '../../../deploy/commands/backup/run.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { readMigrations } from '../../../platform/store/migrate/migrate.ts'
import { TABLES } from '../../../schema/block.ts'
import type { WalletRecord } from '../../../schema/records/stored.ts'
import { decodeRescore, topics } from '../../../schema/topics.ts'
import { lookupRecords } from '../../../scorer/ledger/records.ts'
import {
  chainTo,
  type DataFolder,
  KILLED,
  openDataFolder,
  PACKED,
  PACKED_FINAL,
  PACKED_HEAD,
} from '../../fixtures/data-folder.ts'
import { runAssay } from '../../kit/processes/command-line.ts'
import { canonicalLine, rowsOf } from '../ingest/chain.ts'
import { reindexFromBus } from '../ingest/reindex.kit.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-upgrade-'))
const aside = mkdtempSync(join(tmpdir(), 'assay-aside-'))
let data: DataFolder
beforeAll(async () => {
  execFileSync('tar', ['-xzf', fileURLToPath(PACKED), '-C', folder])
  data = await openDataFolder(folder)
})
afterAll(async () => {
  await data.close()
  for (const one of [folder, aside]) rmSync(one, { recursive: true, force: true })
})

const stored = async (name: string, network = 'ETH') =>
  (
    await data.store.query<object>(
      `SELECT * REPLACE (toUnixTimestamp(block_time) AS block_time) FROM ${name} WHERE network = {network:String}`,
      { network },
    )
  )
    .map(canonicalLine)
    .sort()
const everything = async (network = 'ETH') =>
  Object.fromEntries(await Promise.all(TABLES.map(async (t) => [t, await stored(`${t}_all`, network)])))
/** What the aggregates count: transactions sent, and movements by asset. */
const counted = async (network = 'ETH') => {
  const [features] = await data.store.query<{ sent: string }>(
    'SELECT sum(sent) AS sent FROM wallet_features_all WHERE network = {network:String}',
    { network },
  )
  const [assets] = await data.store.query<{ moved: string }>(
    'SELECT sum(count_in + count_out) AS moved FROM wallet_assets_all WHERE network = {network:String}',
    { network },
  )
  return { sent: Number(features?.sent), moved: Number(assets?.moved) }
}

test('applies only migrations after the baseline', () => {
  const [, ...later] = readMigrations().map(({ name }) => name)
  expect(data.migrated).toEqual(later)
})

test('keeps ingested chain rows in both tiers', async () => {
  expect(await everything()).toEqual(rowsOf(chainTo(PACKED_HEAD)))
  expect(await stored('ledger')).toEqual(rowsOf(chainTo(PACKED_FINAL)).ledger)
})

test('records are read byte for byte', async () => {
  const records: WalletRecord[] = JSON.parse(readFileSync(join(folder, 'records.json'), 'utf8'))
  expect(records.length).toBe(1)
  const asked = records.map(({ network, address }) => ({ network, address }))
  expect(await lookupRecords(data.store, asked)).toEqual(records)
})

test('refuses a server backup while a killed scorer has unfinished work', async () => {
  expect((await openWork(data.store)).sort()).toEqual([
    expect.stringContaining('blocks of BNB claimed by'),
    expect.stringContaining('blocks of POLYGON claimed by'),
    'chunk of history.BNB',
  ])
})

test('reads queued wallets from the topic of the old version', async () => {
  const queued = new Set<string>()
  for (const { partition } of await data.bus.offsets(topics.rescore('ETH'))) {
    for await (const { value } of data.bus.read(topics.rescore('ETH'), partition, 0n)) {
      for (const address of decodeRescore(value)) queued.add(address)
    }
  }
  const senders = rowsOf(chainTo(PACKED_HEAD)).transactions.map(
    (line) => (JSON.parse(line) as { sender: string }).sender,
  )
  expect([...queued]).toEqual(expect.arrayContaining(senders))
})

test('ingest continues where it was and counts nothing twice', async () => {
  const chain = chainTo(PACKED_HEAD + 10)
  await data.publish(chain, PACKED_HEAD + 1, PACKED_HEAD + 4)
  await data.ingest(PACKED_HEAD + 4)
  expect(await everything()).toEqual(rowsOf(chain))
  expect(await stored('ledger')).toEqual(rowsOf(chain.slice(0, PACKED_HEAD + 4)).ledger)
  const rows = rowsOf(chain)
  expect(await counted()).toEqual({ sent: rows.transactions.length, moved: rows.ledger.length })
})

test.each(Object.entries(KILLED) as [keyof typeof KILLED, string][])(
  'finishes work that ingest of %s left undone when it was killed at "%s", exactly once',
  async (network) => {
    const rows = rowsOf(chainTo(PACKED_HEAD, network))
    expect((await stored('blocks', network)).length).toBeLessThan(PACKED_FINAL)
    await data.ingest(PACKED_FINAL, network)
    expect(await everything(network)).toEqual(rows)
    expect(await stored('ledger', network)).toEqual(rowsOf(chainTo(PACKED_FINAL, network)).ledger)
    expect(await counted(network)).toEqual({ sent: rows.transactions.length, moved: rows.ledger.length })
  },
)

test('tables that its migrations created accept the same as a fresh database from its topics', async () => {
  const before = await everything()
  const totals = await counted()
  await data.store.command("ALTER TABLE transactions DROP PARTITION tuple('ETH')")
  expect(await everything()).not.toEqual(before)
  expect(await reindexFromBus({ ...data, path: join(folder, 'store') }, 'ETH')).toMatchObject({ kind: 'done' })
  expect(await everything()).toEqual(before)
  expect(await counted()).toEqual(totals)
})

const [LATER, LATEST] = [PACKED_HEAD + 20, PACKED_HEAD + 30]
/** Everything of ETH is there once, up to a height and its final block. */
const expectChainTo = async (height: number, final: number) => {
  const chain = chainTo(height)
  const rows = rowsOf(chain)
  expect(await everything()).toEqual(rows)
  expect(await stored('ledger')).toEqual(rowsOf(chain.slice(0, final)).ledger)
  expect(await counted()).toEqual({ sent: rows.transactions.length, moved: rows.ledger.length })
}

test('a folder that a process uses is not copied', async () => {
  const { code, err } = await runAssay(folder, ['backup', '--to', `${folder}-copy`])
  expect([code, err]).toEqual([1, expect.stringContaining('ASSAY_BACKUP_IN_USE')])
  expect([existsSync(`${folder}-copy`), existsSync(`${folder}-copy.part`)]).toEqual([false, false])
})

test('a restored folder has the content of the backup, and continues', async () => {
  await data.close()
  const tools = { log: createLog('silent'), metrics: createMetrics() }
  const report = await backup({ data: folder, to: join(aside, 'backup'), version: 'test' }, tools)
  expect(report.networks).toContainEqual({ network: 'ETH', first_block: 1, last_block: PACKED_HEAD + 4 })
  const restored = join(aside, 'restored')
  expect(await restore({ data: restored, from: join(aside, 'backup') })).toMatchObject({ files: report.files })
  data = await openDataFolder(restored)
  await data.publish(chainTo(LATER), PACKED_HEAD + 11, LATER - 6)
  await data.ingest(LATER - 6)
  await expectChainTo(LATER, LATER - 6)
})

test('tables restored with BACKUP and RESTORE of the engine catch up from a bus that continued', async () => {
  expect(await openWork(data.store)).toEqual([])
  await data.store.command("BACKUP DATABASE default TO Memory('drill')")
  await data.publish(chainTo(LATEST), LATER + 1, LATEST - 6)
  await data.ingest(LATEST - 6)
  await data.store.command('DROP DATABASE default SYNC')
  await data.store.command("RESTORE DATABASE default FROM Memory('drill') SETTINGS allow_different_database_def = true")
  expect((await stored('blocks')).length).toBeLessThan(LATEST - 6)
  await data.ingest(LATEST - 6)
  await expectChainTo(LATEST, LATEST - 6)
})
