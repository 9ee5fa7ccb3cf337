import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { checkRestored, RESTORING } from '../../preflight/folder.ts'
import { backup, MANIFEST } from './backup.ts'
import { copyOut, type Entry } from './copy.ts'
import { restore } from './restore.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-backup-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (...path: string[]) => join(root, ...path)

/** Writes the list of a backup, with changes of an adversary. */
const list = (entries: readonly (Entry | Record<string, unknown>)[]) =>
  writeFileSync(
    at('backup', MANIFEST),
    JSON.stringify({ format: 1, version: '1', takenAt: '2026-11-22T00:00:00Z', networks: [], entries }),
  )

/** A small data folder with everything a copy could get wrong, and its backup. */
const backedUp = async (): Promise<Entry[]> => {
  mkdirSync(at('data', 'store', 'abc', 'detached'), { recursive: true })
  mkdirSync(at('data', 'bus'))
  mkdirSync(at('backup'))
  writeFileSync(at('data', 'store', 'abc', 'rows.bin'), 'rows of a table')
  writeFileSync(at('data', 'store', 'status'), 'PID: 1')
  writeFileSync(at('data', 'bus', 'lock.mdb'), 'readers')
  writeFileSync(at('data', 'bus', 'data.mdb'), '')
  writeFileSync(at('data', 'keys.json'), 'secret')
  chmodSync(at('data', 'keys.json'), 0o600)
  symlinkSync('./abc', at('data', 'store', 'default'))
  const socket = createServer().listen(at('data', 'store.sock'))
  const entries = await copyOut(at('data'), at('backup'), () => undefined)
  await new Promise((resolve) => socket.close(resolve))
  list(entries)
  return entries
}

const restored = () => restore({ data: at('new'), from: at('backup') })

test('copies everything except runtime files, with links, empty folders and modes', async () => {
  const entries = await backedUp()
  expect(entries.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
    'file bus/data.mdb',
    'file keys.json',
    'file store/abc/rows.bin',
    'folder bus',
    'folder store',
    'folder store/abc',
    'folder store/abc/detached',
    'link store/default',
  ])
  // Storage that keeps neither links nor empty folders.
  rmSync(at('backup', 'store', 'default'))
  rmSync(at('backup', 'store', 'abc', 'detached'), { recursive: true })
  expect(await restored()).toMatchObject({ files: 3, bytes: 21 })
  expect(readFileSync(at('new', 'store', 'default', 'rows.bin'), 'utf8')).toBe('rows of a table')
  expect(statSync(at('new', 'store', 'abc', 'detached')).isDirectory()).toBe(true)
  expect(statSync(at('new', 'keys.json')).mode & 0o777).toBe(0o600)
})

test.each([
  ['a file is missing', () => rmSync(at('backup', 'store', 'abc', 'rows.bin'))],
  ['one byte differs', () => writeFileSync(at('backup', 'store', 'abc', 'rows.bin'), 'rows of a tabla')],
  ['a file is shorter', () => writeFileSync(at('backup', 'store', 'abc', 'rows.bin'), 'rows')],
  ['the list is missing', () => rmSync(at('backup', MANIFEST))],
  ['the list is cut off', () => writeFileSync(at('backup', MANIFEST), '{"format":1,')],
])('nothing is restored when %s', async (_, damage) => {
  await backedUp()
  damage()
  await expect(restored()).rejects.toMatchObject({ code: 'ASSAY_BACKUP_DAMAGED' })
  expect(() => checkRestored(at('new'))).not.toThrow()
})

test.each([
  { kind: 'file', path: '../outside', bytes: 1, sha256: 'a'.repeat(64) },
  { kind: 'folder', path: '/tmp/outside' },
  { kind: 'link', path: 'store/default', target: '../../outside' },
  { kind: 'link', path: 'store/default', target: '/etc' },
])('refuses a manifest with a path outside the data folder: %j', async (entry) => {
  const entries = await backedUp()
  list([...entries, entry])
  await expect(restored()).rejects.toMatchObject({ code: 'ASSAY_BACKUP_DAMAGED' })
})

test.each([
  ['data', 'is inside the data folder'],
  ['data/copy', 'is inside the data folder'],
  ['data/..copy', 'is inside the data folder'],
  ['backup', 'already exists'],
])('no backup goes to %s', async (to, why) => {
  await backedUp()
  const tools = { log: createLog('silent'), metrics: createMetrics() }
  await expect(backup({ data: at('data'), to: at(to), version: '1' }, tools)).rejects.toMatchObject({
    code: 'ASSAY_BACKUP_FOLDER',
    message: expect.stringContaining(why),
  })
})

test('never overwrites files of the target folder', async () => {
  await backedUp()
  mkdirSync(at('new'))
  writeFileSync(at('new', 'keys.json'), 'those of another service')
  await expect(restored()).rejects.toMatchObject({ code: 'ASSAY_RESTORE_OCCUPIED' })
  expect(readFileSync(at('new', 'keys.json'), 'utf8')).toBe('those of another service')
})

test('an interrupted restore blocks the folder until the same restore is complete', async () => {
  await backedUp()
  // Killed after the first rename.
  mkdirSync(at('new', RESTORING, 'store'), { recursive: true })
  writeFileSync(at('new', 'keys.json'), 'secret')
  expect(() => checkRestored(at('new'))).toThrow(expect.objectContaining({ code: 'ASSAY_RESTORE_UNFINISHED' }))
  await restored()
  expect(() => checkRestored(at('new'))).not.toThrow()
  expect(readFileSync(at('new', 'store', 'abc', 'rows.bin'), 'utf8')).toBe('rows of a table')
})
