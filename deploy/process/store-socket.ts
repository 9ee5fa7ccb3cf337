/**
 * The embedded store serves one process. While `npm start` runs, tools (`assay keys`, `assay sql`) reach its store
 * through a socket in the data folder, which only the owner of the folder can open.
 */
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join, relative } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { isErrorCode } from '../../platform/error-codes/table.ts'
import { errorOfCode, isAssayError, messageOf, OperatorError } from '../../platform/errors.ts'
import type { Analyst, ResultFormat } from '../../platform/store/analyst/analyst.ts'
import type { QueryParams, Store } from '../../platform/store/store.ts'
import { openDatabase, openSharedStore } from '../roles/shared-store.ts'

/** Tools count and copy whole networks. In ms. */
const TOOL_DEADLINES = { query: 1_800_000, command: 3_600_000, insert: 300_000 }

/** Longest path of a socket (sun_path of unix(7), with its end). */
const LONGEST = 107

type Call =
  | ({ /** Another database than the one in use. */ database?: string } & (
      | { do: 'query'; sql: string; params?: QueryParams; route: string }
      | { do: 'command'; sql: string; params?: QueryParams; token?: string }
      | { do: 'insert'; table: string; rows: string; token?: string }
    ))
  | { do: 'ask'; statement: string; format: ResultFormat }

/** The shorter spelling of the socket's path; undefined where both are too long for the system. */
const pathOf = (dataDir: string): string | undefined => {
  const path = join(dataDir, 'store.sock')
  return [path, relative(process.cwd(), path)].find((spelling) => Buffer.byteLength(spelling) <= LONGEST)
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** A connection for analysts to the folder of a store that is open in this process. */
const openAnalystOf = async (config: Config): Promise<Analyst> => {
  const { openAnalyst } = await import('../../platform/store/analyst/analyst.ts')
  return openAnalyst(join(config.ASSAY_DATA, 'store'))
}

const serve = async (store: Store, call: Exclude<Call, { do: 'ask' }>): Promise<unknown> => {
  const token = 'token' in call && call.token !== undefined ? { token: call.token } : {}
  if (call.do === 'query') return store.query(call.sql, call.params, { route: call.route })
  if (call.do === 'command') await store.command(call.sql, call.params, token)
  else await store.insert(call.table, call.rows, token)
  return null
}

const answer = (response: ServerResponse, status: number, value: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

type Opened<T> = {
  get: () => Promise<T>
  /** What is open; `undefined` where nothing is. Never rejects. */
  current: () => Promise<T | undefined>
}

/** Opens what is asked for, once. A failure is not kept: the next call opens it again. */
const openOnce = <T>(open: () => Promise<T>): Opened<T> => {
  let opened: Promise<T> | undefined
  return {
    get: () => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined
        throw error
      })
      return opened
    },
    current: async () => opened?.catch(() => undefined),
  }
}

/** What the process that owns the store does for its tools. Each may be left out. */
export type StoreServing = {
  /** Called after a tool has put rows into a table, before the tool hears of it. */
  written?: (table: string) => Promise<void>
  /** How the store and the connection for analysts are opened. */
  openStore?: () => Promise<Store>
  openOther?: (database: string) => Promise<Store>
  openAnalyst?: () => Promise<Analyst>
}

/** Serves the store of this process to tools, from the first time one asks. */
export const serveStore = async (
  context: Context,
  config: Config,
  {
    written = async () => undefined,
    openStore = () => openSharedStore(context, config, { deadlines: TOOL_DEADLINES }),
    openOther = (database) => openDatabase(context, config, { deadlines: TOOL_DEADLINES, database }),
    openAnalyst = () => openAnalystOf(config),
  }: StoreServing = {},
): Promise<void> => {
  const path = config.CLICKHOUSE_URL ? undefined : pathOf(config.ASSAY_DATA)
  if (path === undefined) return
  const opened = openOnce(openStore)
  const analyst = openOnce(openAnalyst)
  const others = new Map<string, Opened<Store>>()
  const other = (database: string): Promise<Store> => {
    const known = others.get(database) ?? openOnce(() => openOther(database))
    others.set(database, known)
    return known.get()
  }
  const server = createServer((message, response) => {
    void (async () => {
      try {
        const call = JSON.parse((await bodyOf(message)).toString()) as Call
        const store = await ('database' in call && call.database !== undefined ? other(call.database) : opened.get())
        if (call.do === 'ask') {
          const bytes = await (await analyst.get()).ask(call.statement, call.format)
          response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
          return
        }
        const served = await serve(store, call)
        if (call.do === 'insert' && call.database === undefined) await written(call.table)
        answer(response, 200, served)
      } catch (error) {
        answer(response, 500, { ...(isAssayError(error) && { code: error.code }), message: messageOf(error) })
      }
    })()
  })
  // A process that was killed leaves its socket behind; the store's own lock keeps two from running.
  rmSync(path, { force: true })
  const umask = process.umask(0o177)
  const listening = new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  process.umask(umask)
  await listening
  context.lifecycle.onClose('store socket', async () => {
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await (await analyst.current())?.close()
  })
}

const bytesFrom = (path: string, call: Call): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const asked = request({ socketPath: path, method: 'POST', agent: false }, (response) => {
      bodyOf(response)
        .then((bytes) => {
          if (response.statusCode === 200) return resolve(bytes)
          const { code, message } = JSON.parse(bytes.toString()) as { code?: string; message: string }
          reject(isErrorCode(code) ? errorOfCode(code, message) : new Error(message))
        })
        .catch(reject)
    })
    asked.once('error', reject).end(JSON.stringify(call))
  })

const ask = async (path: string, call: Call): Promise<unknown> => JSON.parse((await bytesFrom(path, call)).toString())

/** @param database another one than that in use */
const remoteStore = (path: string, database?: string): Store => ({
  embedded: false,
  query: async <Row>(sql: string, params?: QueryParams, { route = 'tool' }: { route?: string } = {}) =>
    (await ask(path, { do: 'query', sql, ...(params && { params }), route, ...(database && { database }) })) as Row[],
  command: async (sql, params, options = {}) => {
    await ask(path, { do: 'command', sql, ...(params && { params }), ...options, ...(database && { database }) })
  },
  insert: async (table, rows, options = {}) => {
    await ask(path, { do: 'insert', table, rows: rows.toString(), ...options, ...(database && { database }) })
  },
  healthy: () =>
    ask(path, { do: 'query', sql: 'SELECT 1', route: 'healthy' }).then(
      () => true,
      () => false,
    ),
  close: async () => {},
})

/**
 * The store, for a tool: that of the running `npm start` where one runs on the data folder, else the folder or server itself.
 */
export const openToolStore = async (context: Context, config: Config): Promise<Store> => {
  const path = config.CLICKHOUSE_URL ? undefined : pathOf(config.ASSAY_DATA)
  const open = () => openSharedStore(context, config, { deadlines: TOOL_DEADLINES })
  if (path === undefined) return open()
  const remote = remoteStore(path)
  return (await remote.healthy()) ? remote : open()
}

/**
 * Another database of the store, for a tool. It has to exist. Its schema may be older: a running process that knew another
 * database of this name does not look again.
 */
export const openToolDatabase = async (context: Context, config: Config, database: string): Promise<Store> => {
  const path = config.CLICKHOUSE_URL ? undefined : pathOf(config.ASSAY_DATA)
  if (path !== undefined && (await remoteStore(path).healthy())) return remoteStore(path, database)
  return openDatabase(context, config, { deadlines: TOOL_DEADLINES, database })
}

/**
 * The embedded store for analysts: over the running `npm start` where one runs on the data folder, else the folder itself.
 * @throws OperatorError ASSAY_SQL_SERVER when a server is configured; ASSAY_STORE_IN_USE when another process has the folder
 */
export const openToolAnalyst = async (context: Context, config: Config): Promise<Pick<Analyst, 'ask'>> => {
  if (config.CLICKHOUSE_URL) {
    throw new OperatorError(
      'ASSAY_SQL_SERVER',
      'CLICKHOUSE_URL names a server, and assay sql asks the embedded store. Nothing was run. Use clickhouse-client as a user that may only read, or unset CLICKHOUSE_URL.',
    )
  }
  const path = pathOf(config.ASSAY_DATA)
  if (path !== undefined && (await remoteStore(path).healthy())) {
    return { ask: (statement, format) => bytesFrom(path, { do: 'ask', statement, format }) }
  }
  await openSharedStore(context, config)
  const analyst = await openAnalystOf(config)
  context.lifecycle.onClose('analyst', () => analyst.close())
  return analyst
}
