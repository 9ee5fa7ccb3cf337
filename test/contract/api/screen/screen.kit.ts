/** Uploads to an API over a real store, and their jobs. */
import type { Readable } from 'node:stream'
import type { Store } from '../../../../platform/store/store.ts'
import { until } from '../../../kit/until.ts'
import { ENTERPRISE_KEY, startApi, testContext } from '../kit.ts'

export type Options = NonNullable<Parameters<typeof startApi>[0]>
export const startScreening = (store: Store, options: Options = {}) =>
  startApi({ screening: { store }, ...options, tuning: { screenPauseMs: 5, ...options.tuning } }, testContext())
export type Started = Awaited<ReturnType<typeof startScreening>>

export const address = (n: number) => `0x${n.toString(16).padStart(8, '0')}${'aa'.repeat(16)}`
export const csv = (rows: readonly string[]) => `${rows.join('\n')}\n`

export const call = async (
  { app }: Started,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  {
    payload,
    key = ENTERPRISE_KEY,
    type = 'text/csv',
    headers = {},
  }: {
    payload?: string | Buffer | Readable
    key?: string
    type?: string
    headers?: Record<string, string>
  } = {},
) => {
  const response = await app.inject({
    method,
    url,
    headers: { 'x-api-key': key, ...(payload !== undefined && { 'content-type': type }), ...headers },
    ...(payload !== undefined && { payload }),
  })
  return { status: response.statusCode, headers: response.headers, text: response.body, json: () => response.json() }
}

export const finished = async (started: Started, id: string, key = ENTERPRISE_KEY) => {
  let job = { state: '' } as Record<string, unknown>
  await until('the job is done', async () => {
    job = (await call(started, 'GET', `/screen/${id}`, { key })).json()
    return job.state !== 'waiting' && job.state !== 'running'
  })
  return job
}
