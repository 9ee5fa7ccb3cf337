import { expect, test } from 'vitest'
import { startOpsServer } from './ops-server.ts'
import { createContext } from './process.ts'

const start = async (privately: boolean) => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
  const readiness = () => ({ ready: false, reasons: ['no block yet'] })
  const status = async () => [{ network: 'ETH', ready: false, state: 'running', reasons: [], parts: [] }]
  context.metrics.gauge('assay_of_test', 'A gauge').set(1)
  const port = await startOpsServer(context, { host: '127.0.0.1', port: 0, readiness, status, privately })
  const ask = async (path: string, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return [response.status, await response.text()] as const
  }
  return { ask, close: () => context.lifecycle.close() }
}

test('serves health, readiness and metrics of a process on its own port', async () => {
  const { ask, close } = await start(false)
  expect(await ask('/health')).toEqual([200, '{"status":"ok"}'])
  expect(await ask('/ready')).toEqual([503, '{"ready":false,"reasons":["no block yet"]}'])
  expect((await ask('/metrics'))[1]).toContain('assay_of_test{')
  expect(JSON.parse((await ask('/status'))[1])).toMatchObject({ networks: [{ network: 'ETH' }] })
  expect((await ask('/fraud/check'))[0]).toBe(404)
  await close()
})

test('on the port of a public API, refuses forwarded requests', async () => {
  const { ask, close } = await start(true)
  expect((await ask('/metrics'))[0]).toBe(200)
  for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded']) {
    expect((await ask('/metrics', { [header]: 'for=10.0.0.1' }))[0]).toBe(404)
    expect((await ask('/status', { [header]: '10.0.0.1' }))[0]).toBe(404)
  }
  expect((await ask('/health', { 'x-forwarded-for': '203.0.113.9' }))[0]).toBe(200)
  await close()
})
