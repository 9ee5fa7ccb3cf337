import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import type { Analyst } from '../../platform/store/analyst/analyst.ts'
import type { Store } from '../../platform/store/store.ts'
import { createContext } from './process.ts'
import { openToolAnalyst, openToolDatabase, openToolStore, serveStore } from './store-socket.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const configured = () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-socket-'))
  folders.push(folder)
  return loadConfig({ ASSAY_DATA: folder })
}

const store = { query: async () => [] } as unknown as Store

/** Fails so many times, then works. */
const failing = <T>(times: number, value: T) => {
  let calls = 0
  return async (): Promise<T> => {
    calls += 1
    if (calls <= times) throw new Error('the folder is busy')
    return value
  }
}

test('reopens a failed connection at the next call', async () => {
  const config = configured()
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
  let closed = 0
  const analyst: Analyst = {
    ask: async () => Buffer.from('1'),
    answer: async () => ({ bytes: Buffer.from('1'), rowsRead: 1 }),
    close: async () => {
      closed += 1
    },
  }
  await serveStore(context, config, { openStore: async () => store, openAnalyst: failing(1, analyst) })
  const tool = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'tool')
  const { ask } = await openToolAnalyst(tool, config)
  await expect(ask('SELECT 1', 'csv')).rejects.toThrow('the folder is busy')
  expect((await ask('SELECT 1', 'csv')).toString()).toBe('1')
  await tool.lifecycle.close()
  expect(await context.lifecycle.close()).toEqual({ failed: [], late: [] })
  expect(closed).toBe(1)
})

test('closing succeeds after a failed connection', async () => {
  const config = configured()
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
  await serveStore(context, config, { openStore: async () => store, openAnalyst: failing(9, undefined as never) })
  const tool = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'tool')
  const { ask } = await openToolAnalyst(tool, config)
  await expect(ask('SELECT 1', 'csv')).rejects.toThrow('the folder is busy')
  expect(await context.lifecycle.close()).toEqual({ failed: [], late: [] })
})

test('a tool can use another database of the store next to the current one', async () => {
  const config = configured()
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
  const asked: string[] = []
  const named = (name: string) =>
    ({
      query: async (sql: string) => {
        asked.push(`${name}: ${sql.trim()}`)
        return []
      },
      insert: async (table: string) => void asked.push(`${name}: into ${table}`),
    }) as unknown as Store
  const calls: string[] = []
  await serveStore(context, config, {
    openStore: async () => named('in use'),
    openOther: async (database) => named(database),
    written: async (table) => void calls.push(table),
  })
  const tool = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'tool')
  const used = await openToolStore(tool, config)
  const other = await openToolDatabase(tool, config, 'draft')
  await other.query('SELECT 1')
  await other.insert('blocks', '{}')
  await used.query('SELECT 2')
  await used.insert('tokens', '{}')
  expect(asked.filter((one) => one !== 'in use: SELECT 1')).toEqual([
    'draft: SELECT 1',
    'draft: into blocks',
    'in use: SELECT 2',
    'in use: into tokens',
  ])
  // What nobody reads yet is nobody's news.
  expect(calls).toEqual(['tokens'])
  await tool.lifecycle.close()
  await context.lifecycle.close()
})
