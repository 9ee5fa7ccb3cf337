/**
 * The embedded store serves one process. While `npm start` runs, tools (`assay keys`, `assay labels`) reach its store
 * through a socket in the data folder, which only the owner of the folder can open.
 */
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join, relative } from 'node:path'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { isErrorCode } from '../../platform/error-codes/table.ts'
import { errorOfCode, isAssayError, messageOf } from '../../platform/errors.ts'
import type { QueryParams, Store } from '../../platform/store/store.ts'
import { openSharedStore } from '../roles/parts.ts'

/** Longest path of a socket (sun_path of unix(7), with its end). */
const LONGEST = 107

type Call =
  | { do: 'query'; sql: string; params?: QueryParams; route: string }
  | { do: 'command'; sql: string; params?: QueryParams; token?: string }
  | { do: 'insert'; table: string; rows: string; token?: string }

/** The shorter spelling of the socket's path; undefined where both are too long for the system. */
const pathOf = (dataDir: string): string | undefined => {
  const path = join(dataDir, 'store.sock')
  return [path, relative(process.cwd(), path)].find((spelling) => Buffer.byteLength(spelling) <= LONGEST)
}

const bodyOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

const serve = async (store: Store, call: Call): Promise<unknown> => {
  const token = 'token' in call && call.token !== undefined ? { token: call.token } : {}
  if (call.do === 'query') return store.query(call.sql, call.params, { route: call.route })
  if (call.do === 'command') await store.command(call.sql, call.params, token)
  else await store.insert(call.table, call.rows, token)
  return null
}

const answer = (response: ServerResponse, status: number, value: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/**
 * Serves the store of this process to tools, from the first time one asks.
 * @param written called after a tool has put rows into a table, before the tool hears of it.
 */
export const serveStore = async (
  context: Context,
  config: Config,
  written: (table: string) => Promise<void> = async () => undefined,
): Promise<void> => {
  const path = config.CLICKHOUSE_URL ? undefined : pathOf(config.ASSAY_DATA)
  if (path === undefined) return
  let opened: Promise<Store> | undefined
  const server = createServer((message, response) => {
    void (async () => {
      try {
        opened ??= openSharedStore(context, config)
        const call = JSON.parse(await bodyOf(message)) as Call
        const served = await serve(await opened, call)
        if (call.do === 'insert') await written(call.table)
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
  context.lifecycle.onClose('store socket', () => new Promise<void>((resolve) => server.close(() => resolve())))
}

const ask = (path: string, call: Call): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const asked = request({ socketPath: path, method: 'POST', agent: false }, (response) => {
      bodyOf(response)
        .then((text) => {
          const value: unknown = JSON.parse(text)
          if (response.statusCode === 200) return resolve(value)
          const { code, message } = value as { code?: string; message: string }
          reject(isErrorCode(code) ? errorOfCode(code, message) : new Error(message))
        })
        .catch(reject)
    })
    asked.once('error', reject).end(JSON.stringify(call))
  })

const remoteStore = (path: string): Store => ({
  embedded: false,
  query: async <Row>(sql: string, params?: QueryParams, { route = 'tool' }: { route?: string } = {}) =>
    (await ask(path, { do: 'query', sql, ...(params && { params }), route })) as Row[],
  command: async (sql, params, options = {}) => {
    await ask(path, { do: 'command', sql, ...(params && { params }), ...options })
  },
  insert: async (table, rows, options = {}) => {
    await ask(path, { do: 'insert', table, rows: rows.toString(), ...options })
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
  if (path === undefined) return openSharedStore(context, config)
  const remote = remoteStore(path)
  return (await remote.healthy()) ? remote : openSharedStore(context, config)
}
