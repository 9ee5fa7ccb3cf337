/** Server for health, readiness and metrics: of processes without an API, and of APIs with TLS. */
import { createServer, type IncomingMessage } from 'node:http'
import { isPrivateAddress } from '../../api/http/edge/transport.ts'
import type { NetworkStatus, Readiness } from '../../api/http/ops.ts'
import type { Context } from '../../platform/context/context.ts'
import { METRICS_TYPE } from '../../platform/context/metrics.ts'

/** Options of the server. */
export type OpsServerOptions = {
  host: string
  port: number
  readiness: () => Readiness | Promise<Readiness>
  /** State of the networks; without it there is no `/status`. */
  status?: () => Promise<readonly NetworkStatus[]>
  /** Whether to serve only private addresses and no forwarded requests. `/health` is always served. @default false */
  privately?: boolean
}

const isFromOutside = ({ headers, socket }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-')) ||
  !isPrivateAddress(socket.remoteAddress ?? '')

const NOT_FOUND = '{"message":"Not found","error":"NOT_FOUND","details":[]}'

/** Listens until the lifecycle closes. Resolves to the port in use. */
export const startOpsServer = async (
  context: Context,
  { host, port, readiness, status, privately = false }: OpsServerOptions,
): Promise<number> => {
  const server = createServer(async (request, response) => {
    const reply = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    const path = request.url?.split('?')[0]
    if (path === '/health') return reply(200, 'application/json', '{"status":"ok"}')
    if (privately && isFromOutside(request)) return reply(404, 'application/json', NOT_FOUND)
    if (path === '/ready') {
      const answer = await readiness()
      return reply(answer.ready ? 200 : 503, 'application/json', JSON.stringify(answer))
    }
    if (path === '/metrics') {
      return reply(200, METRICS_TYPE, await context.metrics.text())
    }
    if (path === '/status' && status) {
      return reply(200, 'application/json', JSON.stringify({ networks: await status() }))
    }
    return reply(404, 'application/json', NOT_FOUND)
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  context.lifecycle.onClose('ops server', () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}
