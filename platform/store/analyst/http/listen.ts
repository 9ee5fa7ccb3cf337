/**
 * ClickHouse's HTTP interface for drivers and tools on this machine: loopback only, behind a password, read-only by the same
 * guard and role as `assay sql`. Settings that a client sends are ignored.
 *
 * Results are bounded rather than streamed: a result has at most `MAX_BYTES`, and at most `MAX_OPEN` requests are waiting,
 * running or being sent at a time.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Secret } from '../../../config/values.ts'
import type { Logger } from '../../../context/log.ts'
import { messageOf } from '../../../errors.ts'
import type { Analyst } from '../analyst.ts'
import { exceptionText, WireException, wireException } from './exception.ts'
import { MEDIA_TYPES } from './formats.ts'
import { forProtocol } from './native.ts'
import { passwordOf, readRequest } from './request.ts'

const HOST = '127.0.0.1'
/** Maximum number of requests that are waiting, running or being sent. */
const MAX_OPEN = 8
/** Maximum size of a result, for the analyst connection. */
export const MAX_BYTES = 64_000_000
/** Idle connections are closed after this time, ms. Longer than a statement may run. */
const IDLE = 90_000

/** The open port. `close` ends connections at once, including responses under way. */
export type AnalystListener = {
  port: number
  close: () => Promise<void>
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Allowed `Host` headers. They keep out web pages of other origins whose name resolves to this machine (DNS rebinding). */
const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

const authorize = (message: IncomingMessage, query: URLSearchParams, expected: Buffer): void => {
  if (!LOCAL.test(message.headers.host ?? '')) {
    throw new WireException(403, 497, 'ACCESS_DENIED', 'Connect to this server as 127.0.0.1 or localhost.')
  }
  const password = passwordOf(message, query)
  if (password === undefined || !timingSafeEqual(digest(password), expected)) {
    throw new WireException(
      401,
      516,
      'AUTHENTICATION_FAILED',
      'Authentication failed: use the password in ASSAY_SQL_PASSWORD.',
    )
  }
}

const sendException = (response: ServerResponse, error: unknown): void => {
  const exception = wireException(error)
  response
    .writeHead(exception.status, {
      'content-type': 'text/plain; charset=UTF-8',
      'x-clickhouse-exception-code': String(exception.code),
      // The rest of a refused body stays unread.
      connection: 'close',
    })
    .end(exceptionText(exception))
}

/**
 * Starts to listen.
 * @param analyst called at the first request; the caller closes the connection.
 * @throws the system's error when the port is taken
 */
export const listenForAnalysts = async ({
  analyst,
  port,
  password,
  log,
}: {
  analyst: () => Promise<Analyst>
  port: number
  password: Secret
  log: Logger
}): Promise<AnalystListener> => {
  const expected = digest(password.reveal())
  let open = 0
  let timezone: string | undefined

  const respond = async (
    message: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
    signal: AbortSignal,
  ) => {
    const { statement, format, protocol } = await readRequest(message, query)
    const connection = await analyst()
    timezone ??= (await connection.answer('SELECT timezone()', 'TSVRaw', signal)).bytes.toString().trim()
    const { bytes: result, rowsRead } = await connection.answer(statement, format, signal)
    const bytes = format === 'Native' ? forProtocol(result, protocol) : result
    response
      .writeHead(200, {
        'content-type': MEDIA_TYPES.get(format),
        'content-length': bytes.length,
        'x-clickhouse-query-id':
          query
            .get('query_id')
            ?.replace(/[^\w.:-]/g, '')
            .slice(0, 100) || randomUUID(),
        'x-clickhouse-format': format,
        'x-clickhouse-timezone': timezone,
        // The engine does not count result rows. Drivers only ask whether there are any.
        'x-clickhouse-summary': JSON.stringify({
          read_rows: String(rowsRead),
          result_rows: bytes.length > 0 ? '1' : '0',
          result_bytes: String(bytes.length),
        }),
      })
      .end(bytes)
  }

  const server = createServer((message, response) => {
    const [path = '', search = ''] = (message.url ?? '/').split(/\?(.*)/s)
    const query = new URLSearchParams(search)
    const isRead = message.method === 'GET' || message.method === 'HEAD'
    const isPing = isRead && (path === '/ping' || (path === '/' && !query.has('query')))
    if (isPing) return void response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' }).end('Ok.\n')
    const disconnected = new AbortController()
    response.once('close', () => disconnected.abort())
    void (async () => {
      try {
        if (path !== '/' || !['GET', 'POST'].includes(message.method ?? '')) {
          throw new WireException(404, 48, 'NOT_IMPLEMENTED', 'Send statements to / with GET or POST.')
        }
        authorize(message, query, expected)
        if (open >= MAX_OPEN) {
          throw new WireException(
            503,
            202,
            'TOO_MANY_SIMULTANEOUS_QUERIES',
            `${MAX_OPEN} statements are already running. Try again later.`,
          )
        }
        open += 1
        response.once('close', () => {
          open -= 1
        })
        await respond(message, response, query, disconnected.signal)
      } catch (error) {
        if (disconnected.signal.aborted) return
        if (!(error instanceof WireException))
          log.debug({ error: messageOf(error) }, 'a statement of an analyst failed')
        sendException(response, error)
      }
    })()
  })
  server.requestTimeout = 30_000
  server.headersTimeout = 10_000
  server.maxConnections = 64
  server.setTimeout(IDLE)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
