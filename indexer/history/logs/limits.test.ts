import { expect, test } from 'vitest'
import { refusalOf } from './limits.ts'
import { createWidth } from './width.ts'

const said = (message: string, rpcCode = -32602) => refusalOf({ rpcCode, message })

test.each([
  ['eth_getLogs is limited to a 10,000 range', 10_000],
  ['eth_getLogs is limited to a 5 range', 5],
  [
    'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x10, 0x19].',
    10,
  ],
  ['ranges over 10000 blocks are not supported on freetier', 10_000],
  ['exceed maximum block range: 50000', 50_000],
  ['query exceeds max block range 100000', 100_000],
  ['exceed max block range: 5000', 5_000],
  ['range is too large, max is 1k blocks', 1_000],
  ['Max range: 2000', 2_000],
  ['please limit the query to at most 1000 blocks', 1_000],
  ['Maximum allowed number of requested blocks is 30000', 30_000],
  ['limited to a 50', 50],
  ['eth_getLogs is limited to 0 - 10000 blocks range', 10_000],
  ['eth_getLogs is limited to 1,024 blocks per request', 1_024],
  ['limited to 25 requests per second and to a 2,000 block range', 2_000],
  ['range 1000000 exceeds limit of 10000', 10_000],
])('%s: so many blocks at most', (message, maxBlocks) => {
  expect(said(message)).toEqual({ kind: 'range', maxBlocks })
})

test.each([
  'Block range limit exceeded.',
  'block range is too wide',
  'block range too large',
  'eth_getLogs requests are limited',
])('%s: fewer blocks', (message) => {
  expect(said(message, -32_600)).toEqual({ kind: 'range', maxBlocks: undefined })
})

test.each([
  ['query returned more than 10000 results. Try with this block range [0x64, 0xc8].', 200],
  [
    'Log response size exceeded. You can make eth_getLogs requests with any range. This block range should work: [0x0, 0x1f4]',
    500,
  ],
  ['query exceeds max results 20000, retry with the range 100-150', 150],
  ['query returned more than 10000 results', undefined],
  ['query returns too many logs, narrow your filter: 20000', undefined],
  ['query exceeds max results', undefined],
  ['query timeout exceeded', undefined],
  ['eth_getLogs is limited to 10000 results', undefined],
  ['the response is limited to 150 MB', undefined],
])('%s: fewer results', (message, upTo) => {
  expect(said(message, -32_005)).toEqual({ kind: 'results', upTo })
})

test.each([
  ['pruned history unavailable', 4444],
  ['history is not available', 4444],
  ['missing trie node 0xab (path )', -32_000],
  ['Archive requests require a personal token', -32_000],
  ['requested block is before the earliest available block', -32_000],
])('%s: not covered, which is no answer', (message, code) => {
  expect(said(message, code)).toEqual({ kind: 'pruned' })
})

test.each([
  'too many requests, slow down',
  'header not found',
  'internal error',
  'rate limit reached',
  'limit exceeded',
  'credits limited to 6000/sec',
  '50/second request limit reached - reduce calls per second or upgrade your account at quicknode.com',
  'Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.',
  'limited to 100 requests per minute',
  'You are limited to 100 requests/minute',
  'eth_getLogs requests are limited to 10 per second',
  'eth_getLogs is limited to 20 calls every 10 seconds',
  'eth_getLogs is limited to 5 concurrent requests',
  'Developer accounts are limited to 100 requests over a 24 hour period',
  'this plan is limited to 50 rps',
  'archive requests are limited to 10 per second',
])('%s: nothing about the range', (message) => {
  expect(said(message, -32_000)).toBeUndefined()
})

test('keeps a limit named by the endpoint, halves the range without one, and grows again', () => {
  let now = 0
  const width = createWidth(() => now)
  expect(width.blocks()).toBe(10_000)
  width.answered(10_000, 0, 10)
  expect(width.blocks()).toBe(40_000)
  width.refused(0, 40_000, { kind: 'results', upTo: undefined })
  expect(width.blocks()).toBe(20_000)
  width.refused(100, 20_000, { kind: 'results', upTo: 599 })
  expect(width.blocks()).toBe(500)
  width.answered(500, 1_000, 10)
  expect(width.blocks()).toBe(1_000)
  width.answered(1_000, 8_000, 10)
  expect(width.blocks()).toBe(500)
  width.answered(400, 0, 1)
  expect(width.blocks()).toBe(500)
  width.refused(0, 500, { kind: 'range', maxBlocks: 10 })
  width.answered(10, 0, 1)
  expect(width.blocks()).toBe(10)
  now += 25 * 3_600_000
  width.answered(10, 0, 1)
  expect(width.blocks()).toBe(40)
})
