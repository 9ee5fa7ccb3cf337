/** Servers that strangers may name: slow, endless, lying about where they are. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type PostOptions, postToStranger } from './post.ts'
import { TargetRefused } from './target.ts'

const servers: Server[] = []
const serve = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

const post = (url: string, options: Partial<PostOptions> = {}) =>
  postToStranger(
    url,
    { body: '{"a":1}', headers: { 'webhook-id': 'x' } },
    {
      allowLoopback: true,
      deadlineMs: 5_000,
      ...options,
    },
  )

test('sends body and headers, and returns the status', async () => {
  const seen: unknown[] = []
  const port = await serve((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      seen.push([request.method, request.headers['webhook-id'], Buffer.concat(pieces).toString()])
      response.writeHead(503, { 'retry-after': '7' }).end()
    })
  })
  expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ status: 503, retryAfter: '7' })
  expect(seen).toEqual([['POST', 'x', '{"a":1}']])
})

test('ends at the deadline if the server never responds', async () => {
  const port = await serve(() => undefined)
  await expect(post(`http://127.0.0.1:${port}/`, { deadlineMs: 200 })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('ends at the deadline if DNS never responds', async () => {
  const resolve = (_: string, signal: AbortSignal) =>
    new Promise<string[]>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  await expect(post('https://example.org/', { deadlineMs: 100, resolve })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

test('reads only the beginning of an endless response', async () => {
  let sent = 0
  let closed: () => void = () => undefined
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const port = await serve((_, response) => {
    response.on('close', () => closed())
    response.writeHead(200)
    const piece = Buffer.alloc(64 * 1024)
    const more = () => {
      while (!response.destroyed && sent < 2 ** 30) {
        sent += piece.length
        if (!response.write(piece)) return
      }
    }
    response.on('drain', more)
    more()
  })
  expect((await post(`http://127.0.0.1:${port}/`)).status).toBe(200)
  await isClosed
  // What was on its way in buffers of both sides, of a gigabyte.
  expect(sent).toBeLessThan(32 * 1024 * 1024)
})

test('headers without end are an error', async () => {
  const port = await serve((_, response) => {
    response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1024 * 1024)}`)
  })
  await expect(post(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' })
})

test('returns a redirect and does not follow it', async () => {
  let asked = 0
  const port = await serve((_, response) => {
    asked++
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  })
  expect((await post(`http://127.0.0.1:${port}/`)).status).toBe(307)
  expect(asked).toBe(1)
})

test('resolves a name once per request, and refuses it when it becomes private (DNS rebinding)', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['169.254.169.254']]
  let resolved = 0
  const resolve = async () => answers[resolved++] ?? []
  let connected = 0
  const port = await serve(() => undefined)
  servers[0]?.on('connection', () => {
    connected++
  })
  // Stands for a public address: the connection goes to the checked one, where nothing speaks TLS.
  const first = post(`https://rebind.example:${port}/`, { resolve, deadlineMs: 1_000 })
  await expect(first).rejects.not.toThrow(TargetRefused)
  expect([resolved, connected]).toEqual([1, 1])
  await expect(post(`https://rebind.example:${port}/`, { resolve })).rejects.toThrow(TargetRefused)
  await expect(post(`https://rebind.example:${port}/`, { resolve })).rejects.toThrow(TargetRefused)
  expect([resolved, connected]).toEqual([3, 1])
})
