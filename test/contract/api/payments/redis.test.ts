import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentRoutes } from '../../../../api/a2a/routes.ts'
import { createSharedWindows } from '../../../../api/limits/redis.ts'
import { createRedisReservations } from '../../../../api/x402/reservations.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { freePort } from '../../../kit/free-port.ts'
import { until } from '../../../kit/until.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY, startApi, testContext } from '../kit.ts'

const present = spawnSync('redis-server', ['--version']).status === 0
const BODY = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }
const BUSINESS = { 'x-api-key': BUSINESS_KEY }
const rateLimits = [{ tier: 'business', limit: 10, windowMs: 3_600_000 }] as const

let redis: ChildProcess
let port = 0

beforeAll(async () => {
  if (!present) return
  port = await freePort()
  redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'])
  for await (const chunk of redis.stdout ?? []) if (String(chunk).includes('Ready to accept')) break
})
afterAll(() => {
  redis?.kill()
})

test.skipIf(!present)(
  'one of several racing replicas reserves a payment, until it is released or expires (needs redis-server)',
  async () => {
    const replicas = Array.from({ length: 4 }, () =>
      createRedisReservations(testContext(), `redis://127.0.0.1:${port}`, 2_000),
    )
    const race = async (key: string, seconds = 60) => {
      const won = await Promise.all([...replicas, ...replicas].map((replica) => replica.reserve(key, seconds)))
      return won.filter(Boolean).length
    }
    const refusal = { code: 'ASSAY_PAYMENT_RESERVATION' }
    const deadline = Date.now() + 5_000
    // Not connected yet is refused, as Redis down is.
    for (const [index, replica] of replicas.entries()) {
      for (let done = false; !done; ) {
        done = await replica.reserve(`warm ${index} ${Math.random()}`, 1).catch((error) => {
          expect(error).toMatchObject(refusal)
          if (Date.now() > deadline) throw error
          return setImmediate(false)
        })
      }
    }
    expect(await race('one')).toBe(1)
    expect(await race('one')).toBe(0)
    await replicas[3]!.release('one')
    expect(await race('one')).toBe(1)
    expect(await race('short', 1)).toBe(1)
    while ((await race('short', 1)) === 0) if (Date.now() > deadline + 5_000) throw new Error('never over')
    for (const replica of replicas) replica.close()
    await expect(replicas[0]!.reserve('late', 1)).rejects.toMatchObject(refusal)
  },
)

test.skipIf(!present)(
  'a caller reads, continues and cancels a task on any replica, or only on its own without Redis (needs redis-server)',
  async () => {
    const extensions = [agentRoutes({ redisUrl: `redis://127.0.0.1:${port}` })]
    const [one, two] = await Promise.all([startApi({ extensions }), startApi({ extensions })])
    const call = async (api: typeof one, method: string, params: object, key = BUSINESS_KEY) =>
      (await api.ask('/api/a2a', { jsonrpc: '2.0', id: 1, method, params }, { 'x-api-key': key })).body
    const send = async (api: typeof one, data: object, more: object = {}) => {
      const parts = [{ kind: 'data', data }]
      const message = { kind: 'message', role: 'user', messageId: 'm', parts, ...more }
      return (await call(api, 'message/send', { message })).result
    }
    const found = (api: typeof one, id: string) => call(api, 'tasks/get', { id })
    const question = await until('both replicas have reached Redis', async () => {
      const [asked, other] = [await send(one, { nothing: 1 }), await send(two, { nothing: 1 })]
      const seen = [await found(two, asked.id), await found(one, other.id)]
      return seen.every(({ result }) => result) && asked
    })
    expect(question.status.state).toBe('input-required')
    const done = await send(two, { skill: 'fraud_check', ...BODY }, { taskId: question.id })
    expect(done).toMatchObject({ id: question.id, status: { state: 'completed' } })
    await until(
      'the first replica knows',
      async () => (await found(one, question.id)).result.status.state === 'completed',
    )
    expect(await call(one, 'tasks/cancel', { id: question.id })).toMatchObject({ error: { code: -32002 } })
    expect(await call(one, 'tasks/get', { id: question.id }, ENTERPRISE_KEY)).toMatchObject({ error: { code: -32001 } })
    redis.kill('SIGSTOP')
    const alone = await send(one, { skill: 'fraud_check', ...BODY })
    expect((await found(one, alone.id)).result).toEqual(alone)
    expect(await found(two, alone.id)).toMatchObject({ error: { code: -32001 } })
    redis.kill('SIGCONT')
    await Promise.all([one.close(), two.close()])
  },
)

test.skipIf(!present)('replaces a connection that no longer answers (needs redis-server)', async () => {
  const open = new Set<Socket>()
  const forward = createServer((inside) => {
    const outside = connect(port, '127.0.0.1')
    for (const socket of [inside, outside]) open.add(socket.on('error', () => undefined))
    inside.pipe(outside).pipe(inside)
  })
  await new Promise<void>((resolve) => forward.listen(0, '127.0.0.1', resolve))
  const { port: forwarded } = forward.address() as AddressInfo
  const reservations = createRedisReservations(testContext(), `redis://127.0.0.1:${forwarded}`)
  const reserve = () => reservations.reserve(randomUUID(), 60).catch(() => undefined)
  await until('a reservation', reserve)
  for (const socket of open) socket.unpipe()
  expect(await reserve()).toBe(undefined)
  await until('a reservation over another connection', reserve, 20_000)
  reservations.close()
  for (const socket of open) socket.destroy()
  forward.close()
})

test.skipIf(!present)(
  'reports a Redis that refuses writes, and reconnects by host name (needs redis-server)',
  async () => {
    const context = testContext()
    const url = `redis://127.0.0.1:${port}`
    const windows = createSharedWindows(context, url, 2_000)
    const admin = new Redis(url)
    const up = async () => /assay_redis_up (\d)/.exec(await context.metrics.text())?.[1]
    const take = () => windows.take('refused', { limit: 10, windowMs: 60_000 }, Date.now(), 1)
    const connections = async () => Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1])
    await until('a connection', async () => (await up()) === '1')
    for (const [refuse, allow] of [
      ['CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
      [`REPLICAOF 127.0.0.1 ${port}`, 'REPLICAOF NO ONE'],
    ] as const) {
      const before = await connections()
      await admin.call(...(refuse.split(' ') as [string]))
      expect(await take()).toMatchObject({ taken: true })
      expect(await up()).toBe('0')
      if (refuse.startsWith('REPLICAOF')) await until('it connects again', async () => (await connections()) > before)
      expect(await up()).toBe('0')
      await admin.call(...(allow.split(' ') as [string]))
      await until('limits are shared again', async () => (await take()) && (await up()) === '1')
    }
    windows.close()
    admin.disconnect()
  },
)

test.skipIf(!present)(
  'replicas share limits through Redis, and count separately without it (needs redis-server)',
  async () => {
    const redisUrl = `redis://127.0.0.1:${port}`
    // The product waits 20 ms; a loaded test machine may need more, and this test is about sharing.
    const options = { redisUrl, rateLimits, tuning: { redisTimeoutMs: 30_000 } }
    const [one, two] = await Promise.all([startApi(options), startApi(options)])
    const remaining = async (api: typeof one) => {
      const { status, headers } = await api.ask('/fraud/check', BODY, BUSINESS)
      return [status, headers['ratelimit-remaining']]
    }
    // Until both are connected each counts for itself, which is what the fallback is for.
    const connected = async (api: typeof one) => {
      const deadline = Date.now() + 5_000
      while ((await api.app.inject('/metrics')).body.includes('assay_redis_up 1') === false) {
        if (Date.now() > deadline) throw new Error('no connection to Redis')
        await setImmediate()
      }
    }
    await Promise.all([one, two].map(connected))
    expect(await remaining(one)).toEqual([200, '9'])
    expect(await remaining(two)).toEqual([200, '8'])
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) statuses.push((await (n % 2 ? one : two).ask('/fraud/check', BODY, BUSINESS)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(8)

    // Refused calls are not counted, and the window slides.
    let ahead = 3_590_000
    const clock = { ...systemClock, now: () => Date.now() + ahead }
    const late = await startApi(options, { ...testContext(), clock })
    await connected(late)
    expect((await remaining(late))[0]).toBe(429)
    ahead = 3_600_000
    expect(await remaining(late)).toEqual([200, '9'])
    // A clock that is set back by more keeps nobody out until it has caught up: what was counted counts as of now.
    for (let n = 0; n < 9; n++) await remaining(late)
    ahead = -7_200_000
    expect((await remaining(late))[0]).toBe(429)
    ahead = -3_590_000
    expect((await remaining(late))[0]).toBe(200)
    await late.close()

    redis.kill('SIGKILL')
    await once(redis, 'exit')
    const began = performance.now()
    const [status] = await remaining(one)
    expect(status).toBe(200)
    // It does not wait for a server that is gone.
    expect(performance.now() - began).toBeLessThan(15_000)
    const after: number[] = []
    for (let n = 0; n < 10; n++) after.push((await one.ask('/fraud/check', BODY, BUSINESS)).status)
    expect(after).toContain(429)
    await Promise.all([one.close(), two.close()])
  },
)
