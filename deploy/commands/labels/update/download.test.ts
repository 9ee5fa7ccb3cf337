import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fetchDocument } from './download.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-download-'))
  return () => rmSync(folder, { recursive: true, force: true })
})
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.txt`
}

const pauses: number[] = []
const clock = {
  sleep: async (ms: number) => {
    pauses.push(ms)
  },
}
const get = (url: string, more: Partial<Parameters<typeof fetchDocument>[0]> = {}, deadlineMs = 20_000) => {
  pauses.length = 0
  return fetchDocument(
    { url, hosts: [], maxBytes: 1_000_000, file: join(folder, 'out'), ...more },
    { clock, deadlineMs },
  )
}
const REFUSED = { code: 'ASSAY_LABELS_SOURCE_REFUSED' }
const FAILED = { code: 'ASSAY_LABELS_SOURCE_FAILED' }

test('writes a document as served; the next request sends its version and downloads nothing', async () => {
  const asked: unknown[] = []
  const url = await serve((request, response) => {
    const { 'if-none-match': etag, 'if-modified-since': since } = request.headers
    asked.push([etag, since])
    if (etag === '"1"') return response.writeHead(304).end()
    response.writeHead(200, { etag: '"1"', 'last-modified': 'Sat, 22 Aug 2026 00:00:00 GMT' }).end('0x1\n0x2\n')
  })
  const first = await get(url)
  expect(first).toMatchObject({
    kind: 'fetched',
    bytes: 8,
    validators: { etag: '"1"', lastModified: 'Sat, 22 Aug 2026 00:00:00 GMT' },
  })
  expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('0x1\n0x2\n')
  const known = first.kind === 'fetched' ? first.validators : undefined
  expect(await get(url, { known })).toEqual({ kind: 'unchanged' })
  expect(asked).toEqual([
    [undefined, undefined],
    ['"1"', 'Sat, 22 Aug 2026 00:00:00 GMT'],
  ])
  // Without a question for a newer version "not modified" is no answer.
  await expect(get(await serve((_, response) => response.writeHead(304).end()))).rejects.toMatchObject(REFUSED)
})

test('stops reading an endless response at the limit, compressed or not, and refuses an oversized Content-Length at once', async () => {
  let written = 0
  const endless = await serve((_, response) => {
    const chunk = Buffer.alloc(65_536, 'a')
    const source = Readable.from(
      (function* () {
        for (;;) {
          written += chunk.length
          yield chunk
        }
      })(),
    )
    pipeline(source, response, () => {})
  })
  await expect(get(endless)).rejects.toMatchObject({ ...REFUSED, message: expect.stringContaining('larger than') })
  expect(statSync(join(folder, 'out')).size).toBeLessThanOrEqual(1_000_000)
  expect(written).toBeLessThan(50_000_000)
  // 200 MB of the same letter are 200 kB when packed.
  const bomb = gzipSync(Buffer.alloc(200_000_000, 'a'))
  expect(bomb.length).toBeLessThan(1_000_000)
  const packed = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  await expect(get(packed)).rejects.toMatchObject({ ...REFUSED, message: expect.stringContaining('larger than') })
  const stated = await serve((_, response) => response.writeHead(200, { 'content-length': '10000000000' }).write('a'))
  await expect(get(stated)).rejects.toMatchObject(REFUSED)
})

test('hides path and query of URLs in messages, because they may contain a key', async () => {
  for (const status of [404, 503]) {
    const url = await serve((_, response) => response.writeHead(status).end())
    const error = await get(`${url}/feeds/k3y/list?token=s3cret`).catch((error: unknown) => error)
    expect(error).toMatchObject({ message: expect.stringContaining(new URL(url).host) })
    expect(String(error)).not.toMatch(/k3y|s3cret/)
  }
})

test('follows redirects only to the same host and to hosts of the list', async () => {
  const foreign = await serve((_, response) => response.end('0xevil\n'))
  const to = (location: string) => serve((_, response) => response.writeHead(302, { location }).end())
  const redirecting = await to(foreign)
  await expect(get(redirecting)).rejects.toMatchObject({
    ...REFUSED,
    message: expect.stringContaining('not an allowed host'),
  })
  expect(await get(redirecting, { hosts: [new URL(foreign).host] })).toMatchObject({ kind: 'fetched', bytes: 7 })
  const own = await serve((request, response) =>
    request.url === '/list.txt'
      ? response.writeHead(301, { location: '/moved?x=1' }).end()
      : response.end(request.url ?? ''),
  )
  expect(await get(own)).toMatchObject({ kind: 'fetched' })
  expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('/moved?x=1')
  await expect(get(await to('/list.txt'))).rejects.toMatchObject({ message: expect.stringContaining('more than') })
  for (const location of ['file:///etc/passwd', 'data:text/plain,0x1', 'http://[broken']) {
    await expect(get(await to(location)), location).rejects.toMatchObject(REFUSED)
  }
})

test('refuses web pages, empty responses and errors, whatever their status', async () => {
  const page = (text: string) =>
    serve((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(text))
  for (const text of ['<!DOCTYPE html><p>0x1', '\uFEFF \n<HTML lang="en">', '']) {
    await expect(get(await page(text)), text).rejects.toMatchObject(REFUSED)
  }
  expect(await get(await page('<sdnList></sdnList>'))).toMatchObject({ kind: 'fetched' })
  for (const status of [204, 401, 403, 404, 410]) {
    const url = await serve((_, response) => response.writeHead(status).end())
    await expect(get(url), String(status)).rejects.toMatchObject(REFUSED)
    expect(pauses).toEqual([])
  }
})

test('tries a failing server three times, and succeeds if it recovers', async () => {
  let asked = 0
  const failing = await serve((_, response) => {
    asked++
    response.writeHead(503).end()
  })
  await expect(get(failing)).rejects.toMatchObject(FAILED)
  expect([asked, pauses]).toEqual([3, [1_000, 2_000]])
  asked = 0
  const recovering = await serve((_, response) => {
    asked++
    if (asked === 1) return response.writeHead(429).end()
    if (asked === 2)
      return void response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    response.end('whole')
  })
  expect(await get(recovering)).toMatchObject({ kind: 'fetched', bytes: 5 })
  await expect(get('http://127.0.0.1:1/list.txt')).rejects.toMatchObject(FAILED)
})

test('stops a slow response at the deadline', async () => {
  const url = await serve((_, response) => {
    const timer = setInterval(() => response.write('0'), 20)
    response.on('close', () => clearInterval(timer))
  })
  await expect(get(url, {}, 300)).rejects.toMatchObject({
    ...FAILED,
    message: expect.stringContaining('within 300 ms'),
  })
  expect(existsSync(join(folder, 'out'))).toBe(true)
})
