import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RetryableError } from '../../../platform/errors.ts'
import type { ApiAnswer } from '../../command-line/api.ts'
import { type Change, changeLine, watch, watchedAddresses } from './watch.ts'

const A = `0x${'a'.repeat(40)}`
const B = `0x${'b'.repeat(40)}`

const clean = { status: 'Not Fraud', probabilityFraud: '0.02', forensic_details: { mixer: '0', data_source: 'x' } }
const fraud = { status: 'Fraud', probabilityFraud: '1.00', forensic_details: { mixer: '1', data_source: 'x' } }
const batch = (...answers: [status: number, result: object][]): ApiAnswer => ({
  status: 200,
  retryAfter: 0,
  body: { message: 'Success', results: answers.map(([status, result], index) => ({ index, status, result })) },
})
const refused = (status: number, message: string, retryAfter = 0): ApiAnswer => ({
  status,
  retryAfter,
  body: { message, error: 'SOMETHING', details: [] },
})
const silent = () => {
  throw new RetryableError('ASSAY_TOOL_API_SILENT', 'No API answers.')
}

const play = async (rounds: (() => ApiAnswer)[], addresses: string[] = [A]) => {
  const changes: Change[] = []
  const waits: string[] = []
  const pauses: number[] = []
  const next = rounds[Symbol.iterator]()
  await watch(
    { url: 'http://api.example', post: async () => next.next().value!() },
    {
      network: 'ETH',
      addresses,
      everyMs: 1_000,
      rounds: rounds.length,
      clock: { now: () => 0, sleep: async (ms) => void pauses.push(ms) },
      signal: new AbortController().signal,
      changed: (change) => changes.push(change),
      waiting: (line) => waits.push(line),
    },
  )
  return { lines: changes.map(changeLine), waits, pauses }
}

test('prints a line for the first verdict and for each change', async () => {
  const { lines } = await play([
    () => batch([200, clean]),
    () => batch([200, clean]),
    () => batch([200, fraud]),
    () => batch([200, fraud]),
  ])
  expect(lines).toEqual([
    `1970-01-01T00:00:00.000Z  ETH  ${A}  Not Fraud 0.02`,
    `1970-01-01T00:00:00.000Z  ETH  ${A}  Not Fraud 0.02 -> Fraud 1.00 (mixer)`,
  ])
})

test('reports no change while the API is down or busy, or a network catches up', async () => {
  const { lines, waits, pauses } = await play([
    () => batch([200, clean]),
    silent,
    () => refused(429, 'Too many.', 30),
    () => batch([503, { message: 'ETH catches up.' }]),
    () => batch([200, clean]),
  ])
  expect(lines).toHaveLength(1)
  expect(waits).toEqual(['No API answers. Trying again in 1 s.', 'Too many. Trying again in 30 s.'])
  expect(pauses).toEqual([1_000, 1_000, 30_000, 1_000])
})

test('reports an unknown address once, and its first verdict as a change', async () => {
  const { lines } = await play([
    () => batch([404, { message: 'Wallet not found on ETH.' }]),
    () => batch([404, { message: 'Wallet not found on ETH.' }]),
    () => batch([200, clean]),
  ])
  expect(lines).toEqual([
    expect.stringMatching(/no verdict: Wallet not found on ETH\.$/),
    expect.stringMatching(/ {2}Not Fraud 0\.02$/),
  ])
})

test('ends on a refused key, and on an API that never answered', async () => {
  await expect(play([() => refused(401, 'The key is not valid.')])).rejects.toMatchObject({
    code: 'ASSAY_TOOL_API_REFUSED',
    message: expect.stringContaining('The key is not valid.'),
  })
  await expect(play([silent])).rejects.toMatchObject({ code: 'ASSAY_TOOL_API_SILENT' })
})

test('refuses a response without verdicts', async () => {
  const other = () => ({ status: 200, retryAfter: 0, body: { ok: true } })
  await expect(play([other])).rejects.toMatchObject({ code: 'ASSAY_TOOL_API_OTHER' })
  const { lines, waits } = await play([() => batch([200, clean]), other, () => batch([200, clean])])
  expect(lines).toHaveLength(1)
  expect(waits).toEqual([expect.stringMatching(/no verdicts.*Trying again/)])
  const short = await play([() => batch([200, clean])], [A, B])
  expect(short.lines).toEqual([
    expect.stringContaining('Not Fraud'),
    expect.stringMatching(/b{40} {2}no verdict: the response does not contain it$/),
  ])
})

test('the last round fails if it got no answer', async () => {
  await expect(play([() => refused(503, 'Busy.')])).rejects.toMatchObject({
    code: 'ASSAY_TOOL_API_SILENT',
    message: expect.stringContaining('Busy.'),
  })
})

test('prints one line per change, whatever the API returns', async () => {
  const evil = { ...fraud, status: 'Fraud\n2026 ETH 0x1 Not Fraud\u001b[2J', forensic_details: { 'a\nb': '1' } }
  const { lines } = await play([() => batch([200, evil])])
  expect(lines.join()).not.toMatch(/\p{Cc}/u)
})

test('checks all addresses of a list before the first request', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-watch-'))
  const list = join(folder, 'list.txt')
  writeFileSync(list, `# ours\n${A}\n\n${B}\n${A}\n`)
  expect(watchedAddresses('ETH', A, list)).toEqual([A, B])
  writeFileSync(list, `${A}\nnobody\n`)
  expect(() => watchedAddresses('ETH', undefined, list)).toThrow(/Line 2: nobody is not an address of ETH/)
  expect(() => watchedAddresses('ETH', undefined, join(folder, 'none'))).toThrow(/cannot be read/)
  expect(() => watchedAddresses('ETH', undefined, undefined)).toThrow(/No address to watch/)
  rmSync(folder, { recursive: true, force: true })
})
