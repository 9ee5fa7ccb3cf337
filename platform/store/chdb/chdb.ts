import { fileURLToPath } from 'node:url'
import { createClient } from '@clickhouse/client'
import { Session } from 'chdb'
import { type ChdbConnection, createChdbConnection } from 'chdb/connection'
import { OperatorError } from '../../errors.ts'
import { parseLines } from '../answer.ts'
import type { Engine } from '../engine.ts'
import { tableName } from '../http.ts'
import { PINNED_SETTINGS, READ_SETTINGS } from '../settings.ts'
import { inlineParams } from './literals.ts'
import { runStatement } from './run-statement.ts'

/** Background work of the engine. The first connection of the process determines it. */
const CONFIGURATION = fileURLToPath(new URL('./chdb.xml', import.meta.url))
/** Roles, and the tables that analysts may read. */
const USERS = fileURLToPath(new URL('./chdb-users.xml', import.meta.url))
const ARGUMENTS = [`--config-file=${CONFIGURATION}`, `--users_config=${USERS}`]

const connect = <T>(path: string, open: () => T): T => {
  try {
    return open()
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_STORE_IN_USE',
      `The store in ${path} cannot be opened: another process is using it, or the folder is not writable. Nothing was changed. Stop the other process, or set ASSAY_DATA to another folder.`,
      { cause },
    )
  }
}

const open = (path: string) => {
  const connection = connect(path, () => createChdbConnection({ path }))
  // chdb types its connection with another copy of the declarations than the client's.
  const pluggable = connection as unknown as NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>
  return { connection, client: createClient({ connection: pluggable }) }
}
type Opened = ReturnType<typeof open>

// Settings persist on a chDB connection, so the constant ones are set once instead of with every statement.
const pin = async ({ client }: Opened, settings: Readonly<Record<string, string | number>>) => {
  const assignments = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`)
  await client.command({ query: `SET ${assignments.join(', ')}` })
}

/** The result of work, or a rejection with the reason of the signal if it is aborted first. */
const unlessAborted = <R>(work: Promise<R>, signal: AbortSignal): Promise<R> =>
  new Promise<R>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })

/**
 * Lends connections to one caller at a time, because each serves one statement at a time. A caller whose signal is aborted stops
 * waiting, but its connection stays lent until the engine is done.
 */
const createPool = <T>(items: T[]) => {
  const idle = [...items]
  const waiting = new Set<(item: T) => void>()
  const free = (item: T) => {
    const [next] = waiting
    if (!next) idle.push(item)
    else if (waiting.delete(next)) next(item)
  }
  const lend = (signal?: AbortSignal): T | Promise<T> => {
    const item = idle.pop()
    if (item) return item
    return new Promise<T>((resolve, reject) => {
      const take = (item: T) => {
        signal?.removeEventListener('abort', stop)
        resolve(item)
      }
      const stop = () => {
        waiting.delete(take)
        reject(signal?.reason)
      }
      waiting.add(take)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }
  return async <R>(use: (item: T) => Promise<R>, signal?: AbortSignal): Promise<R> => {
    signal?.throwIfAborted()
    const item = await lend(signal)
    const work = use(item)
    work.then(
      () => free(item),
      () => free(item),
    )
    return signal ? unlessAborted(work, signal) : work
  }
}

const rawInsert = (
  connection: ChdbConnection,
  table: string,
  values: Buffer,
  settings: Record<string, string | number>,
) => connection.chdb.rawInsert({ table, values, format: 'JSONEachRow', settings })

/**
 * ClickHouse inside this process. A process has one data path, and a path one process. Statements are not interrupted: a
 * deadline ends the wait while the engine works on, and later statements of the connection wait for it.
 * @param readers connections for concurrent reads (`literals.ts`).
 * @param database of names without a database. @default that of the folder
 */
export const createChdbEngine = async (path: string, readers: number, database?: string): Promise<Engine> => {
  const engine = connect(path, () => new Session(path, { connectionArgs: ARGUMENTS }))
  const writer = open(path)
  const reading = Array.from({ length: Math.max(readers, 1) }, () => open(path))
  await pin(writer, PINNED_SETTINGS)
  for (const reader of reading) await pin(reader, { ...PINNED_SETTINGS, ...READ_SETTINGS })
  if (database !== undefined) {
    for (const { client } of [writer, ...reading]) await client.command({ query: `USE ${tableName(database)}` })
  }
  const write = createPool([writer])
  const read = createPool(reading)
  return {
    kind: 'chdb',
    query: async <Row>(query: string, params: Parameters<Engine['query']>[1], { signal }: { signal: AbortSignal }) => {
      // The client would turn the bytes into a stream, and split that into lines again.
      const result = await read(
        async ({ connection }) => runStatement(connection, inlineParams(query, params), { format: 'JSONEachRow' }),
        signal,
      )
      return parseLines<Row>(result.text())
    },
    command: (query, params, settings, { signal }) =>
      write(async ({ client }) => {
        await client.command({ query: inlineParams(query, params), clickhouse_settings: settings })
      }, signal),
    // Inserts are never abandoned once they have begun: their outcome would be unknown.
    insert: (table, rows, settings, { signal }) =>
      write(async ({ connection }) => {
        signal.throwIfAborted()
        await rawInsert(connection, tableName(table), rows, { ...settings })
      }),
    close: async () => {
      for (const { client } of [writer, ...reading]) await client.close()
      engine.close()
    },
  }
}
