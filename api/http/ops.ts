/** Health, readiness and metrics. They answer over plain HTTP too; metrics to private addresses only. */
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../platform/metrics.ts'
import { isPrivate } from './transport.ts'

/** Whether verdicts can be served, and what stands in the way. */
export type Readiness = { ready: boolean; reasons: string[] }

export const OPS_PATHS = new Set(['/health', '/ready', '/metrics'])

export const installOps = (
  app: FastifyInstance,
  { registry }: Metrics,
  readiness: () => Readiness | Promise<Readiness>,
): void => {
  app.get('/health', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/ready', async (_, reply) => {
    const { ready, reasons } = await readiness()
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, reasons })
  })
  app.get('/metrics', async (request, reply) => {
    if (!isPrivate(request)) return reply.callNotFound()
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}
