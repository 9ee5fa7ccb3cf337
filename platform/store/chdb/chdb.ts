import { fileURLToPath } from 'node:url'
import { createClient } from '@clickhouse/client'
import { Session } from 'chdb'
import { type ChdbConnection, createChdbConnection } from 'chdb/connection'
import { OperatorError } from '../../errors.ts'
import type { Engine } from '../engine.ts'
import { tableName } from '../http.ts'
import { PINNED_SETTINGS, READ_SETTINGS } from '../settings.ts'
import { asked } from './asked.ts'
import { inlineParams } from './literals.ts'

/** What the engine does when nothing happens. The first connection of the process decides it. */
const CONFIGURATION = fileURLToPath(new URL('./chdb.xml', import.meta.url))
/** Roles, and the tables analysts may read. */
const USERS = fileURLToPath(new URL('./chdb-users.xml', import.meta.url))
const ARGUMENTS = [`--config-file=${CONFIGURATION}`, `--users_config=${USERS}`]

const connect = <T>(path: string, open: () => T): T => {
  try {
    return open()
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_STORE_IN_USE',
      `The store in ${path} cannot be opened: another process keeps it, or the folder is not ours to write. Nothing was changed. Stop the other process, or set ASSAY_DATA to another folder.`,
      { cause },
    )
  }
}

const open = (path: string) => {
  const connection = connect(path, () => createChdbConnection({ path }))
  // chdb types its connection against another copy of the same declarations than the client carries.
  const pluggable = connection as unknown as NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>
  return { connection, client: createClient({ connection: pluggable }) }
}
type Opened = ReturnType<typeof open>

// Settings stay with a chDB connection, so that the constant ones are set once instead of with every statement.
const pin = async ({ client }: Opened, settings: Readonly<Record<string, string | number>>) => {
  const assignments = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`)
  await client.command({ query: `SET ${assignments.join(', ')}` })
}

/** Lends readers to one caller at a time, because one connection serves one statement at a time. */
const createPool = <T>(items: T[]) => {
  const idle = [...items]
  const waiting: ((item: T) => void)[] = []
  return async <R>(use: (item: T) => Promise<R>): Promise<R> => {
    const item = idle.pop() ?? (await new Promise<T>((resolve) => waiting.push(resolve)))
    try {
      return await use(item)
    } finally {
      const next = waiting.shift()
      if (next) next(item)
      else idle.push(item)
    }
  }
}

/** Rows of JSON lines: a line break never stands inside a value. */
const parseLines = <Row>(text: string): Row[] => JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`)

const rawInsert = (
  connection: ChdbConnection,
  table: string,
  values: Buffer,
  settings: Record<string, string | number>,
) => connection.chdb.rawInsert({ table, values, format: 'JSONEachRow', settings })

/**
 * ClickHouse inside this process. One data path per process and one process per path. Statements are not interrupted:
 * a deadline gives up waiting while the engine works on, and what follows on the connection waits for it.
 * @param readers connections for reads, which run side by side (`literals.ts`).
 * @param database the one that names without a database are of. @default that of the folder
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
    query: <Row>(query: string, params: Parameters<Engine['query']>[1], { signal }: { signal: AbortSignal }) =>
      read(async ({ connection }) => {
        signal.throwIfAborted()
        // The client would make a stream of the bytes, and split that into lines again.
        const result = await asked(connection, inlineParams(query, params), { format: 'JSONEachRow', signal })
        return parseLines<Row>(result.text())
      }),
    command: (query, params, settings, { signal }) =>
      write(async ({ client }) => {
        await client.command({
          query: inlineParams(query, params),
          clickhouse_settings: settings,
          abort_signal: signal,
        })
      }),
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
