/** The API that commands ask, where it is not what it seems. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { messageOf } from '../../platform/errors.ts'
import { type ApiAnswer, openApiClient, refusalOf } from './api.ts'
import { plain } from './text.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
const listening = async (handler: RequestListener): Promise<string> => {
  const server = createServer(handler)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const client = (url: string) => openApiClient({ ASSAY_DATA: '/nowhere', ASSAY_PORT: 8080 }, { url, key: 'key' })
const failureOf = async (work: () => Promise<unknown>): Promise<string> =>
  work().then(
    () => 'no failure',
    (error) => messageOf(error),
  )

test('without a URL, before the first start, the API is expected on the configured port', () => {
  expect(openApiClient({ ASSAY_DATA: '/nowhere', ASSAY_PORT: 18_980 }, {}).url).toBe('http://127.0.0.1:18980')
})

test('sends credentials of the URL and never prints them', async () => {
  const host = await listening((request, response) =>
    response.end(JSON.stringify({ login: request.headers.authorization })),
  )
  const api = client(`http://user:SECRET%21@${host}/`)
  expect(api.url).not.toContain('SECRET')
  expect((await api.get('/status')).body).toEqual({
    login: `Basic ${Buffer.from('user:SECRET!').toString('base64')}`,
  })
  const closed = client('http://user:SECRET@127.0.0.1:1')
  expect(await failureOf(() => closed.get('/status'))).toMatch(/^No API responds at http:\/\/127\.0\.0\.1:1\/? \(/)
  for (const url of ['user:SECRET@api.example', 'ftp://user:SECRET@api.example', 'https://user:SECRET@[broken']) {
    expect(await failureOf(async () => client(url)), url).toMatch(/^[^S]*not an http\(s\) URL/)
  }
})

test('does not buffer an endless response', async () => {
  let sent = 0
  const host = await listening((_, response) => {
    const chunk = Buffer.alloc(1 << 20, ' ')
    const more = () => {
      while (!response.destroyed && sent < 1 << 30) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end('{}')
    }
    more()
  })
  await expect(client(`http://${host}`).get('/status')).rejects.toMatchObject({
    code: 'ASSAY_TOOL_API_OTHER',
    message: expect.stringContaining('MiB'),
  })
  expect(sent).toBeLessThan(1 << 29)
})

test('limits Retry-After to an hour, and ignores values that are not numbers', async () => {
  const pauseOf = async (header: string): Promise<number> => {
    const host = await listening((_, response) => response.writeHead(429, { 'retry-after': header }).end('{}'))
    return (await client(`http://${host}`).get('/status')).retryAfter
  }
  expect(await Promise.all(['30', '4e9', '1e999', '-5', 'soon'].map(pauseOf))).toEqual([30, 3_600, 3_600, 0, 0])
})

test('removes control characters from foreign text', () => {
  expect(plain('a\u001b[2J\u001b]0;title\u0007b\r\nc\u202e\u2066d\u009b')).toBe('a [2J ]0;title b cd ')
  const answer: ApiAnswer = {
    status: 401,
    retryAfter: 0,
    body: { message: 'No.\u001b[31m\nASSAY_OK: all is well', error: 'UNAUTHORIZED', details: [] },
  }
  expect(refusalOf(answer)).toBe('No. [31m ASSAY_OK: all is well')
})
