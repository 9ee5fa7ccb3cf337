import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { installDocument } from './public-document.ts'

test('caches a public document per URL, and bounds the number of cached documents', async () => {
  const made: string[] = []
  const app = Fastify()
  installDocument(app, '/card', undefined, (baseUrl) => {
    made.push(baseUrl)
    return { url: baseUrl }
  })
  const ask = async (host: string) => (await app.inject({ url: '/card', headers: { host } })).json().url
  expect(await ask('localhost:8080')).toBe('http://localhost:8080')
  expect(await ask('localhost:8080')).toBe('http://localhost:8080')
  expect(await ask('127.0.0.1:8080')).toBe('http://127.0.0.1:8080')
  expect(made).toEqual(['http://localhost:8080', 'http://127.0.0.1:8080'])
  // Ports that a caller makes up push each other out, and every one of them gets its own answer.
  for (let port = 1; port <= 20; port++) expect(await ask(`localhost:${port}`)).toBe(`http://localhost:${port}`)
  expect(await ask('localhost:20')).toBe('http://localhost:20')
  expect(made).toHaveLength(22)
  await app.close()
})

test('answers 304 to a matching ETag in any notation', async () => {
  const app = Fastify()
  installDocument(app, '/card', undefined, () => ({ same: true }))
  const { headers } = await app.inject('/card')
  const etag = String(headers.etag)
  const status = async (asked: string) =>
    (await app.inject({ url: '/card', headers: { 'if-none-match': asked } })).statusCode
  for (const asked of [etag, `W/${etag}`, `"other", ${etag}`, `${etag},W/"other"`, '*']) {
    expect([asked, await status(asked)]).toEqual([asked, 304])
  }
  for (const asked of ['', '"other"', etag.slice(1, -1), `"${etag}"`]) {
    expect([asked, await status(asked)]).toEqual([asked, 200])
  }
  await app.close()
})
