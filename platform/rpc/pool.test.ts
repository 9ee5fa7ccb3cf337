import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../context/clock.ts'
import { createLog } from '../context/log.ts'
import { createMetrics } from '../context/metrics.ts'
import { RpcAbsent, RpcInconsistent, RpcTransportError, rpcError } from './errors.ts'
import { createRpcPool } from './pool.ts'
import type { Post } from './post.ts'
import { createRateLimit } from './rate.ts'
import { createTransport } from './transport.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: (ids: number[]) => unknown; hang?: boolean }

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A node that answers each POST as configured, by its order of arrival. */
const node = async (answer: (post: number) => Answer) => {
  let posts = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { id: number } | { id: number }[]
    const { status = 200, headers = {}, body: make, hang } = answer(posts)
    posts += 1
    if (hang) return
    const ids = Array.isArray(body) ? body.map(({ id }) => id) : [body.id]
    const results = ids.map((id) => ({ jsonrpc: '2.0', id, result: `0x${id}` }))
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(make ? make(ids) : Array.isArray(body) ? results.reverse() : results[0]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://user:hunter2@127.0.0.1:${port}/v3/SECRET`, host: `127.0.0.1:${port}`, posts: () => posts }
}

const poolOf = (urls: string[]) => {
  const metrics = createMetrics()
  const context = { clock: systemClock, log: createLog('silent'), metrics }
  return { pool: createRpcPool({ context, network: 'ETH', urls, random: () => 1 }), metrics }
}

test('matches batch responses to their calls in any order', async () => {
  const { url } = await node(() => ({}))
  const calls = Array.from({ length: 5 }, () => ({ method: 'eth_x', params: [] }))
  const outcomes = await poolOf([url]).pool.attempt((at) => at.batch(calls))
  expect(outcomes).toEqual([0, 1, 2, 3, 4].map((id) => ({ result: `0x${id}` })))
})

test.each([
  ['an HTTP error', { status: 502 }],
  ['text that is no JSON', { body: () => undefined }],
  ['a limit', { status: 429, headers: { 'retry-after': '30' } }],
  ['a limit in JSON', { body: () => ({ error: { code: -32_005, message: 'rate limit exceeded' } }) }],
  ['an internal error', { body: () => ({ error: { code: -32_603, message: 'oops' } }) }],
  ['silence', { hang: true }],
] as [string, Answer][])('after %s the next endpoint is asked', async (_, answer) => {
  const bad = await node(() => answer)
  const good = await node(() => ({}))
  const { pool } = poolOf([bad.url, good.url])
  expect(await pool.request('eth_x', [], { timeoutMs: 2_000 })).toBe('0x0')
  expect([bad.posts(), good.posts()]).toEqual([1, 1])
})

test('pauses an endpoint as long as it asks', async () => {
  const limited = await node((post) => (post === 0 ? { status: 429, headers: { 'retry-after': '1' } } : {}))
  const started = Date.now()
  expect(await poolOf([limited.url]).pool.request('eth_x', [])).toBe('0x0')
  expect(Date.now() - started).toBeGreaterThanOrEqual(990)
})

test('throws a revert at once, because it is the answer', async () => {
  const { url, posts } = await node(() => ({
    body: () => ({ error: { code: 3, message: 'execution reverted', data: '0x08' } }),
  }))
  await expect(poolOf([url]).pool.request('eth_call', [])).rejects.toMatchObject({ kind: 'answer', data: '0x08' })
  expect(posts()).toBe(1)
})

test('counts a result that fails its check, and asks another endpoint', async () => {
  const liar = await node(() => ({ body: ([id]) => ({ id, result: 'lie' }) }))
  const honest = await node(() => ({}))
  const { pool, metrics } = poolOf([liar.url, honest.url])
  const validate = (result: unknown) => {
    if (result === 'lie') throw new RpcInconsistent('taste', 'a lie')
    return result
  }
  expect(await pool.request('eth_x', [], { validate })).toBe('0x0')
  expect(await metrics.registry.getSingleMetricAsString('assay_rpc_inconsistent_total')).toContain(
    `{network="ETH",host="${liar.host}",check="taste"} 1`,
  )
})

test.each([0, 1])(
  'reports an inconsistent answer even if other attempts failed differently (inconsistent: answer %i)',
  async (lying) => {
    const { url } = await node((post) =>
      post === lying ? { body: ([id]) => ({ id, result: 'lie' }) } : { status: 502 },
    )
    const validate = (result: unknown) => {
      if (result === 'lie') throw new RpcInconsistent('taste', 'a lie')
      return result
    }
    await expect(poolOf([url]).pool.request('eth_x', [], { validate, attempts: 2 })).rejects.toMatchObject({
      code: 'ASSAY_RPC_INCONSISTENT',
    })
  },
)

test('reports absent after each endpoint was asked once and none had it', async () => {
  const nodes = [await node(() => ({})), await node(() => ({}))]
  const { pool } = poolOf(nodes.map(({ url }) => url))
  const validate = () => {
    throw new RpcAbsent('block 7')
  }
  await expect(pool.request('eth_x', [], { validate })).rejects.toBeInstanceOf(RpcAbsent)
  expect(nodes.map(({ posts }) => posts())).toEqual([1, 1])
})

test('gives up at the deadline when all endpoints are down, and prints no secret', async () => {
  const { url } = await node(() => ({ hang: true }))
  const started = Date.now()
  const failure: unknown = await poolOf([url])
    .pool.request('eth_x', [], { timeoutMs: 50, deadlineMs: 300 })
    .catch((e) => e)
  expect(failure).toMatchObject({ code: 'ASSAY_RPC_UNAVAILABLE' })
  expect(Date.now() - started).toBeLessThan(10_000)
  expect(JSON.stringify([failure, String(failure), String((failure as Error).cause)])).not.toMatch(/SECRET|hunter2/)
})

test('splits a refused batch into halves', async () => {
  const small = await node(() => ({
    body: (ids) =>
      ids.length > 2 ? { error: { code: -32_600, message: 'batch too large' } } : ids.map((id) => ({ id, result: id })),
  }))
  const calls = Array.from({ length: 8 }, () => ({ method: 'eth_x', params: [] }))
  expect(await poolOf([small.url]).pool.attempt((at) => at.batch(calls))).toHaveLength(8)
})

test('prefers the faster endpoint, until a rotation', async () => {
  const nodes = [await node(() => ({})), await node(() => ({}))]
  const { pool } = poolOf(nodes.map(({ url }) => url))
  const ask = () => pool.attempt((at) => at.request('eth_x', []).then(() => at.host))
  await ask()
  await ask()
  pool.rotate()
  const hosts = new Set([await ask(), await ask(), await ask()])
  expect(hosts.size).toBe(1)
})

test('rotations exclude one endpoint after the other, never all', async () => {
  const nodes = [await node(() => ({})), await node(() => ({}))]
  const { pool } = poolOf(nodes.map(({ url }) => url))
  const ask = () => pool.attempt(async (at) => at.request('eth_x', []).then(() => at.host), { deadlineMs: 2_000 })
  const asked: string[] = []
  for (let time = 0; time < 4; time += 1) {
    pool.rotate()
    asked.push(await ask())
  }
  expect(asked.slice(2)).toEqual(asked.slice(0, 2))
  expect(new Set(asked)).toEqual(new Set(pool.hosts))
  const hosts = (options: { excluded?: boolean }) => pool.everywhere(async (at) => at.host, options)
  expect(await hosts({})).toEqual(asked.slice(-1))
  expect(await hosts({ excluded: true })).toEqual(pool.hosts)
})

test('uses an excluded or failed endpoint again after its time, whatever the clock is set to', async () => {
  let failing = false
  const nodes = [await node(() => (failing ? { status: 502 } : {})), await node(() => ({}))]
  let now = 1_000_000
  const context = { clock: { ...systemClock, now: () => now }, log: createLog('silent'), metrics: createMetrics() }
  const pool = createRpcPool({ context, network: 'ETH', urls: nodes.map(({ url }) => url), random: () => 1 })
  const inUse = async () => (await pool.everywhere(async (at) => at.host)).length
  pool.rotate()
  expect(await inUse()).toBe(1)
  now += 29_000
  expect(await inUse()).toBe(1)
  now += 1_000
  expect(await inUse()).toBe(2)
  pool.rotate()
  now -= 3_600_000
  expect(await inUse()).toBe(1)
  now += 31_000
  expect(await inUse()).toBe(2)
  failing = true
  await pool.everywhere((at) => at.request('eth_x', []))
  expect(pool.hostsThat(({ blockedMs }) => blockedMs() > 0)).toHaveLength(1)
  now -= 3_600_000
  expect(pool.hostsThat(({ blockedMs }) => blockedMs() > 0)).toHaveLength(1)
  now += 10_000
  expect(pool.hostsThat(({ blockedMs }) => blockedMs() > 0)).toEqual([])
})

test('tries an endpoint that times out less and less often while another one answers, and uses it when it recovers', async () => {
  let now = 0
  let silent = true
  const pass = (ms: number) => {
    now += ms
  }
  const clock = { now: () => now, sleep: async (ms: number) => pass(ms) }
  const context = { clock, log: createLog('silent'), metrics: createMetrics() }
  let lostMs = 0
  const post =
    (url: string): Post =>
    async (calls, timeoutMs) => {
      const isQuick = url.includes('quick')
      now += isQuick && silent ? timeoutMs : isQuick ? 10 : 30
      if (!isQuick || !silent) return calls.map(() => ({ result: '0x1' }))
      lostMs += timeoutMs
      throw new RpcTransportError('timeout', 'no answer')
    }
  const urls = ['http://quick.example', 'http://steady.example']
  let seed = 7
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const pool = createRpcPool({ context, network: 'ETH', urls, random, startRate: 1_000, postTo: post })
  const ask = async () => {
    now += 100
    return pool.attempt((at) => at.request('eth_x', []).then(() => at.host))
  }
  while (now < 3_600_000) expect(await ask()).toBe('steady.example')
  expect(lostMs / now).toBeLessThan(0.1)
  silent = false
  const back = now
  while ((await ask()) !== 'quick.example') expect(now - back).toBeLessThan(300_000)
  // The only one is asked at once, whatever it was.
  silent = true
  const lone = createRpcPool({
    context,
    network: 'ETH',
    urls: urls.slice(0, 1),
    random,
    startRate: 1_000,
    postTo: post,
  })
  await expect(lone.request('eth_x', [], { attempts: 1 })).rejects.toMatchObject({ code: 'ASSAY_RPC_UNAVAILABLE' })
  silent = false
  expect(await lone.request('eth_x', [])).toBe('0x1')
})

test('a rotation keeps the only endpoint that answers', async () => {
  const [dead, good] = [await node(() => ({ status: 502 })), await node(() => ({}))]
  const { pool } = poolOf([dead.url, good.url])
  for (let time = 0; time < 3; time += 1) {
    expect(await pool.attempt((at) => at.request('eth_x', []).then(() => at.host), { attempts: 12 })).toBe(good.host)
    pool.rotate()
  }
})

test.each([
  [-32_601, 'the method eth_foo does not exist', 'missing'],
  [-32_000, 'execution reverted: not found', 'answer'],
  [-32_000, 'header not found', 'transient'],
  [-32_000, 'missing trie node abc', 'pruned'],
  [-32_000, 'required historical state unavailable (reexec=128)', 'pruned'],
  [30, 'Request timeout on the free tier, please upgrade your tier to the paid one', 'transient'],
  [-32_000, 'method trace_block is not available on your plan', 'missing'],
  [-32_600, 'trace_block is not available on the Free tier - upgrade to Pay As You Go', 'missing'],
  [-32_000, 'rate limit of the free tier', 'limited'],
  [-32_601, 'the method trace_block does not exist, request timed out', 'missing'],
  [-32_005, 'daily request limit reached', 'limited'],
  [-32_602, 'invalid argument 0', 'answer'],
] as const)('error %i "%s" is %s', (code, message, kind) => {
  expect(rpcError(code, message).kind).toBe(kind)
})

test('never exceeds the rate, whatever the batch sizes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 500 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 40 }),
      async (rate, sizes) => {
        let now = 0
        const clock = {
          now: () => now,
          sleep: async (ms: number) => {
            now += ms
          },
        }
        const limit = createRateLimit(clock, { start: rate })
        let passed = 0
        for (const calls of sizes) {
          await limit.acquire(calls)
          expect(passed).toBeLessThanOrEqual(((now + 100) * rate) / 1_000 + 1e-6)
          passed += calls
        }
      },
    ),
  )
})

test('doubles the rate while calls are held back, and halves it once a second on rate limit responses', async () => {
  let now = 0
  const limit = createRateLimit(
    {
      now: () => now,
      sleep: async (ms) => {
        now += ms
      },
    },
    { start: 10 },
  )
  for (let call = 0; call < 40; call += 1) {
    await limit.acquire(1)
    limit.answered()
  }
  const grown = limit.rate()
  expect(grown).toBeGreaterThan(20)
  limit.limited()
  limit.limited()
  expect(limit.rate()).toBe(grown / 2)
})

const once = new AbortController().signal
/** A server that answers each POST by hand. */
const server = async (answer: (request: IncomingMessage, response: ServerResponse, post: number) => void) => {
  let posts = 0
  const listening = createServer((request, response) => {
    request.resume().once('end', () => answer(request, response, posts++))
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  open.push(async () => {
    listening.closeAllConnections()
    await new Promise((resolve) => listening.close(resolve))
  })
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`
}

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('an answer packed by %s is read', async (encoding, pack) => {
  const url = await server((request, response) => {
    expect(request.headers['accept-encoding']).toContain(encoding)
    response.writeHead(200, { 'content-encoding': encoding }).end(pack('{"name":"\u00e9\u4e2d"}'))
  })
  await expect(createTransport(url)('{}', once)).resolves.toEqual({
    status: 200,
    retryAfter: null,
    text: '{"name":"\u00e9\u4e2d"}',
  })
})

test.each([
  ['plain', (text: string) => Buffer.from(text), {}],
  ['packed', (text: string) => gzipSync(text), { 'content-encoding': 'gzip' }],
] as const)('treats a truncated %s response as a failure', async (_, pack, headers) => {
  const url = await server((_request, response) => {
    const body = pack(`[${'1,'.repeat(50_000)}1]`)
    response.writeHead(200, { ...headers, 'content-length': body.length })
    response.write(body.subarray(0, body.length - 20), () => response.destroy())
  })
  await expect(createTransport(url)('{}', once)).rejects.toThrow()
})

test('retries without counting an attempt when the server closes a kept connection', async () => {
  const url = await server((request, response, post) => {
    if (post === 1) request.socket.destroy()
    else response.end('{}')
  })
  const send = createTransport(url)
  await send('{}', once)
  await expect(send('{}', once)).resolves.toMatchObject({ status: 200 })
})

test('does not repeat a call silently when a kept connection breaks during the response', async () => {
  let asked = 0
  let breakOff = () => {}
  const url = await server((request, response, post) => {
    asked += 1
    if (post === 0) return response.end('{}')
    response.writeHead(200, { 'content-length': 1_000 })
    response.write('{"result":')
    breakOff = () => void request.socket.resetAndDestroy()
  })
  // The answer has begun when its first piece is here.
  const reader = () => ({ push: () => breakOff(), end: () => '{}' })
  const send = createTransport(url, reader)
  await send('{}', once)
  await expect(send('{}', once)).rejects.toThrow()
  // A call that comes later arrives after whatever was sent in between.
  await expect(send('{}', once)).rejects.toThrow()
  expect(asked).toBe(3)
})

/** A megabyte for each kilobyte on the wire. */
const bomb = gzipSync(Buffer.alloc(64 << 20, ' '))

test.each([
  ['packed', { 'content-encoding': 'gzip' }, bomb],
  ['plain', {}, Buffer.alloc(2 << 20, ' ')],
] as const)('fails a %s response above the limit before buffering it', async (_, headers, body) => {
  let taken = 0
  const count = (bytes: number) => {
    taken += bytes
  }
  const url = await server((_request, response) => response.writeHead(200, headers).end(body))
  const reader = () => ({ push: (piece: Buffer) => count(piece.length), end: () => '' })
  await expect(createTransport(url, reader, 1 << 20)('{}', once)).rejects.toThrow('larger than 1 MiB')
  expect(taken).toBeLessThanOrEqual(1 << 20)
})

test('a reader that fails on a chunk fails only its call', async () => {
  const url = await server((_request, response) => response.end('{}'))
  const send = createTransport(url, () => ({
    push: () => {
      throw new RangeError('too deep')
    },
    end: () => '',
  }))
  await expect(send('{}', once)).rejects.toThrow('too deep')
})

test('does not wait for an endpoint with an exhausted plan while another can answer', async () => {
  const [spent, fresh] = [await node(() => ({})), await node(() => ({}))]
  const waited: number[] = []
  const clock = { now: () => 1_000_000, sleep: async (ms: number) => void waited.push(ms) }
  const context = { clock, log: createLog('silent'), metrics: createMetrics() }
  const urls = [spent.url, fresh.url]
  // A tenth of a day's calls may be made at once. Chance would always pick the first endpoint.
  const pool = createRpcPool({ context, network: 'ETH', urls, random: () => 0, budget: { perDay: 20 } })
  const host = async (at: { host: string; request: (method: string, params: []) => Promise<unknown> }) => {
    await at.request('eth_x', [])
    return at.host
  }
  for (let call = 0; call < 2; call += 1) await pool.attempt(host, { prefer: (one) => one.host === spent.host })
  expect(await pool.attempt(host)).toBe(fresh.host)
  expect(await pool.everywhere(host)).toEqual([fresh.host])
  const knowsNothing = () => Promise.reject(new RpcAbsent('block 9'))
  await expect(pool.attempt(knowsNothing)).rejects.toThrow(RpcAbsent)
  expect(waited.filter((ms) => ms > 1_000)).toEqual([])
  // Where there is no other one, there is no choice.
  expect(await pool.everywhere(host)).toHaveLength(2)
  expect(Math.max(...waited)).toBeGreaterThan(3_600_000)
})
