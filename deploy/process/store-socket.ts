/**
 * Only one process can open the embedded store. While `npm start` runs, tools (`assay keys`, `assay sql`) use its store through
 * a socket in the data folder, which only the owner of the folder can open.
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

/** Deadlines of tools, which may count and copy whole networks, ms. */
const TOOL_DEADLINES = { query: 1_800_000, command: 3_600_000, insert: 300_000 }

/** Maximum length of a socket path, bytes: sun_path of unix(7) without the final NUL. */
const MAX_PATH = 107

type Call =
  | ({ /** Another database than the one in use. */ database?: string } & (
      | { do: 'query'; sql: string; params?: QueryParams; route: string }
      | { do: 'command'; sql: string; params?: QueryParams; token?: string }
      | { do: 'insert'; table: string; rows: string; token?: string }
    ))
  | { do: 'ask'; statement: string; format: ResultFormat }

/** Absolute or relative path of the socket; undefined if both are too long for the system. */
const pathOf = (dataDir: string): string | undefined => {
  const path = join(dataDir, 'store.sock')
  return [path, relative(process.cwd(), path)].find((spelling) => Buffer.byteLength(spelling) <= MAX_PATH)
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Opens an analyst connection to a store that is open in this process. */
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
  /** The opened resource; `undefined` if there is none. Never rejects. */
  current: () => Promise<T | undefined>
}

/** Opens a resource on first use. After a failure the next call tries again. */
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

/** Hooks of the process that owns the store. Without them nothing is called, and the store is opened as configured. */
export type StoreServing = {
  /** Called after a tool has inserted rows into a table, before the tool gets its response. */
  written?: (table: string) => Promise<void>
  /** How to open the store. Without these hooks, as configured. */
  openStore?: () => Promise<Store>
  openOther?: (database: string) => Promise<Store>
  openAnalyst?: () => Promise<Analyst>
}

/** Serves the store of this process to tools. The store is opened on first use. */
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
  // A killed process leaves its socket behind. The lock of the store prevents two processes from running.
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

/** @param database instead of the one in use */
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
 * Opens the store for a tool: through a running `npm start` on the data folder, else the folder or server itself.
 */
export const openToolStore = async (context: Context, config: Config): Promise<Store> => {
  const path = config.CLICKHOUSE_URL ? undefined : pathOf(config.ASSAY_DATA)
  const open = () => openSharedStore(context, config, { deadlines: TOOL_DEADLINES })
  if (path === undefined) return open()
  const remote = remoteStore(path)
  return (await remote.healthy()) ? remote : open()
}

/**
 * Opens another, existing database of the store for a tool. Its schema may be outdated: a running process that opened a database
 * of this name before does not migrate it again.
 */
export const openToolDatabase = async (context: Context, config: Config, database: string): Promise<Store> => {
  const path = config.CLICKHOUSE_URL ? undefined : pathOf(config.ASSAY_DATA)
  if (path !== undefined && (await remoteStore(path).healthy())) return remoteStore(path, database)
  return openDatabase(context, config, { deadlines: TOOL_DEADLINES, database })
}

/**
 * Opens the embedded store for analysts: through a running `npm start` on the data folder, else the folder itself.
 * @throws OperatorError ASSAY_SQL_SERVER if a server is configured; ASSAY_STORE_IN_USE if another process uses the folder
 */
export const openToolAnalyst = async (context: Context, config: Config): Promise<Pick<Analyst, 'ask'>> => {
  if (config.CLICKHOUSE_URL) {
    throw new OperatorError(
      'ASSAY_SQL_SERVER',
      'assay sql queries only the embedded store, but CLICKHOUSE_URL is set. Nothing was run. Use clickhouse-client with a read-only user, or unset CLICKHOUSE_URL.',
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
