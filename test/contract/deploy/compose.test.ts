/** The accounts of the composition: Redis is started with its users, and the engine reads the grants of ClickHouse. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRedisReservations } from '../../../api/x402/reservations.ts'
import { testContext } from '../../kit/context.ts'
import { freePort } from '../../kit/free-port.ts'
import { openTestStore } from '../../kit/store/store.ts'
import { until } from '../../kit/until.ts'

const COMPOSE = join(import.meta.dirname, '../../../deploy/compose')
const present = spawnSync('redis-server', ['--version']).status === 0

let folder = ''
let server: ChildProcess | undefined
let url = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-accounts-'))
  cpSync(join(COMPOSE, 'make-secrets.sh'), join(folder, 'make-secrets.sh'))
  spawnSync(join(folder, 'make-secrets.sh'))
  if (!present) return
  const port = await freePort()
  const users = join(folder, 'secrets/redis_users')
  server = spawn('redis-server', ['--aclfile', users, '--port', String(port), '--bind', '127.0.0.1', '--save', ''])
  for await (const chunk of server.stdout ?? []) if (String(chunk).includes('Ready to accept')) break
  url = readFileSync(join(folder, 'secrets/redis_url'), 'utf8').replace('redis:6379', `127.0.0.1:${port}`)
})
afterAll(() => {
  server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!present)(
  'the Redis user has exactly the permissions that the API needs (needs redis-server)',
  async () => {
    const reservations = createRedisReservations(testContext(), url, 2_000)
    const reserve = () => reservations.reserve('trial', 60).catch(() => undefined)
    await until('Redis is reached', async () => (await reserve()) !== undefined)
    expect(await reserve()).toBe(false)
    await reservations.release('trial')
    expect(await reserve()).toBe(true)
    reservations.close()

    const redis = new Redis(url)
    expect(await redis.eval("return redis.call('INCR', KEYS[1])", 1, 'assay:limit:trial')).toBe(1)
    const refused = [
      redis.set('other', '1'),
      redis.config('GET', '*'),
      redis.flushall(),
      redis.keys('*'),
      redis.eval("return redis.call('GET', KEYS[1])", 1, 'other'),
    ]
    for (const answer of refused) await expect(answer).rejects.toThrow(/NOPERM|permission/i)
    redis.disconnect()
    const nobody = new Redis(url.replace(/assay:[^@]*@/, ''))
    nobody.on('error', () => undefined)
    await expect(nobody.get('assay:limit:trial')).rejects.toThrow('NOAUTH')
    nobody.disconnect()
  },
)

test('the engine accepts the ClickHouse grants, and they name no other database', async () => {
  const text = readFileSync(join(COMPOSE, 'clickhouse/grants.xml'), 'utf8')
  const grants = [...text.matchAll(/<query>([^<]+)<\/query>/g)].map(([, grant = '']) => grant)
  const { store, close } = await openTestStore({ migrated: false })
  const read = async (grant: string) => {
    const rows = await store.query<{ text: string }>('SELECT formatQuerySingleLine({grant:String}) AS text', {
      grant: `${grant} TO assay`,
    })
    return rows[0]?.text
  }
  const understood = await Promise.all(grants.map(read))
  expect(understood.map((one) => / ON (\S+) TO assay$/.exec(one ?? '')?.[1])).toEqual(['assay*.*', 'system.*', '*.*'])
  expect(understood.filter((one) => one?.includes('*.* TO') && !one.includes('assay*'))).toEqual([
    'GRANT CLUSTER ON *.* TO assay',
  ])
  await expect(read('GRANT NOTHING ON assay.*')).rejects.toThrow()
  await close()
})
