import { expect, test } from 'vitest'
import { RetryableError } from '../errors.ts'
import { boundedStore } from './bounded.ts'
import type { Store } from './store.ts'

const never = () => new Promise<never>(() => undefined)
const stalled: Store = {
  embedded: false,
  query: never,
  insert: never,
  command: async () => undefined,
  healthy: async () => false,
  close: async () => undefined,
}

test('ends reads and inserts of a silent store at the deadline with a retryable error', async () => {
  const store = boundedStore(stalled, 20)
  for (const call of [store.query('SELECT 1', {}, { route: 'a' }), store.insert('a', 'b', { token: 'c' })]) {
    const error = await call.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RetryableError)
    expect(error).toMatchObject({ code: 'ASSAY_STORE_UNAVAILABLE', message: expect.stringContaining('within 20 ms') })
  }
})

test('ends a late statement, and rejects with the reason if the caller left', async () => {
  const ended: unknown[] = []
  const heeding: Store = {
    ...stalled,
    query: (_sql, _params, options) =>
      new Promise((_, reject) =>
        options?.signal?.addEventListener('abort', () => {
          ended.push(options.signal?.reason)
          reject(options.signal?.reason)
        }),
      ),
  }
  await expect(boundedStore(heeding, 20).query('SELECT 1')).rejects.toMatchObject({ code: 'ASSAY_STORE_UNAVAILABLE' })
  expect(ended).toMatchObject([{ code: 'ASSAY_STORE_UNAVAILABLE' }])
  const left = new AbortController()
  const asked = boundedStore(heeding, 60_000).query('SELECT 1', {}, { signal: left.signal })
  left.abort(new Error('caller left'))
  await expect(asked).rejects.toThrow('caller left')
})

test('returns answers within the deadline unchanged', async () => {
  const store = boundedStore({ ...stalled, query: async <Row>() => [{ n: 1 } as Row] }, 1_000)
  expect(await store.query('SELECT 1')).toEqual([{ n: 1 }])
})
