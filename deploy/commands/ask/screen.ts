/** `assay screen FILE`: uploads a list of addresses to an API, shows the progress of its job, and saves the results. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, renameSync } from 'node:fs'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ResultFormat } from '../../../api/screen/results.ts'
import { isAssayError, messageOf, OperatorError, RetryableError } from '../../../platform/errors.ts'
import { type ScreenJob, screenJob, screenOverview } from '../../../schema/records/service/screening.ts'
import { endpointOf } from '../../command-line/api.ts'
import { checkOutput, writing } from '../../command-line/output.ts'
import { plain } from '../../command-line/text.ts'

/** Options of `assay screen`. */
export type ScreenOptions = {
  url: string | undefined
  key: string | undefined
  operation: string
  network?: string
  output?: string
  /** Starts a new job even if one exists for the same file. @default false */
  again?: boolean
  /** Where progress goes. @default stderr */
  out?: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean }
}

/** Exit codes: every row has a verdict, or some rows have none. */
const EXIT = { complete: 0, incomplete: 2 }
const POLL_MS = 1_000
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 500

/** Formats of results by file extension. */
const RESULT_TYPES: Record<string, ResultFormat> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.parquet': 'parquet',
}
const UPLOAD_TYPES: Record<string, string> = {
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
}
const errorResponse = z.object({ message: z.string(), error: z.string() })

const fileError = (file: string, reason: string, cause?: unknown) =>
  new OperatorError('ASSAY_SCREEN_FILE', `${file} ${reason} Nothing was sent.`, { cause })

/** Hash and number of lines of a file, read once. @throws OperatorError ASSAY_SCREEN_FILE */
const scanFile = async (file: string): Promise<{ hash: string; lines: number }> => {
  const hash = createHash('sha256')
  let lines = 0
  let last = 0x0a
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++
      last = chunk.at(-1) ?? last
    }
  } catch (cause) {
    throw fileError(file, `cannot be read: ${messageOf(cause)}.`, cause)
  }
  return { hash: hash.digest('hex'), lines: last === 0x0a ? lines : lines + 1 }
}

/** Client that retries failed connections and temporary errors. @throws RetryableError, OperatorError */
const createClient = (given: string, key: string) => {
  const { url, login } = endpointOf(given)
  const request = async (path: string, init: () => RequestInit): Promise<Response> => {
    let pause = FIRST_PAUSE_MS
    for (let attempt = 1; ; attempt++) {
      let reason: string
      let after = pause
      try {
        const { headers, ...rest } = init()
        const response = await fetch(new URL(path, url), {
          ...rest,
          headers: { ...login, ...headers, 'x-api-key': key },
        })
        if (response.ok) return response
        const body = errorResponse.safeParse(await response.json().catch(() => undefined))
        const message = body.success ? plain(body.data.message) : `status ${response.status}`
        const retryAfter = Math.min(3_600, Number(response.headers.get('retry-after') ?? 0) || 0)
        const isTemporary = response.status >= 500 || (response.status === 429 && retryAfter <= 120)
        if (!isTemporary) {
          throw new OperatorError('ASSAY_SCREEN_REFUSED', `${url} refused: ${message} Nothing was saved.`)
        }
        reason = message
        after = Math.max(pause, retryAfter * 1_000)
      } catch (error) {
        if (error instanceof OperatorError) throw error
        reason = messageOf(error)
      }
      if (attempt === MAX_ATTEMPTS) {
        throw new RetryableError(
          'ASSAY_SCREEN_UNREACHABLE',
          `${url} did not respond: ${reason}. Run the command again to continue the same job.`,
        )
      }
      await sleep(after)
      pause *= 2
    }
  }
  return request
}

const duration = (seconds: number): string =>
  seconds < 90
    ? `${seconds} s`
    : seconds < 5_400
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3_600).toFixed(1)} h`

const progressOf = ({ done, rows, rowsPerSecond, secondsLeft }: ScreenJob): string => {
  const share = Math.floor((done * 100) / rows)
  const rate = rowsPerSecond === null ? '' : `, ${Math.round(rowsPerSecond)} rows/s`
  const left = secondsLeft === null ? '' : `, ${duration(secondsLeft)} left`
  return `${done} of ${rows} rows (${share} %)${rate}${left}`
}

/** On a terminal one line that is updated, else a line for every 10 %. */
const createProgress = (out: NonNullable<ScreenOptions['out']>) => {
  let tenth = -1
  return (job: ScreenJob) => {
    if (out.isTTY) out.write(`\r\x1b[K${progressOf(job)}${job.done === job.rows ? '\n' : ''}`)
    else if (Math.floor((job.done * 10) / job.rows) > tenth) {
      tenth = Math.floor((job.done * 10) / job.rows)
      out.write(`${progressOf(job)}\n`)
    }
  }
}

/** Returns the exit code: 0 if every row has a verdict, 2 if some have none. @throws OperatorError, RetryableError */
export const screenFile = async (file: string, options: ScreenOptions): Promise<number> => {
  const { url, key, operation, network = '', again = false, out = process.stderr } = options
  if (!url || !key) {
    throw new OperatorError(
      'ASSAY_SCREEN_OPTION',
      `${url ? 'The API key' : 'The URL of the API'} is missing, so nothing was sent. Set ${url ? 'ASSAY_KEY or --key' : 'ASSAY_URL or --url'}.`,
    )
  }
  const type = UPLOAD_TYPES[extname(file).toLowerCase()]
  if (!type) throw fileError(file, `does not end in ${Object.keys(UPLOAD_TYPES).join(', ')}.`)
  const output = options.output ?? `${file.slice(0, -extname(file).length)}.results.csv`
  const format = RESULT_TYPES[extname(output).toLowerCase()]
  if (!format)
    throw new OperatorError(
      'ASSAY_SCREEN_OPTION',
      `--output ${output} does not end in ${Object.keys(RESULT_TYPES).join(', ')}. Nothing was sent.`,
    )
  checkOutput(output)
  const { hash, lines } = await scanFile(file)
  const request = createClient(url, key)

  const overview = screenOverview.parse(await (await request('/screen', () => ({}))).json())
  const { left, rowsPerDay } = overview.limits
  out.write(
    `${file}: ${lines} lines. ${left === null ? 'No row limit.' : `${left} of ${rowsPerDay} rows left today.`}\n`,
  )

  const idempotencyKey = again
    ? randomUUID()
    : createHash('sha256')
        .update(JSON.stringify([hash, operation, network]))
        .digest('hex')
  const query = new URLSearchParams({ operation, ...(network !== '' && { network }) })
  const uploaded = await request(`/screen?${query}`, () => ({
    method: 'POST',
    headers: { 'content-type': type, 'idempotency-key': idempotencyKey },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    duplex: 'half',
  }))
  let job = screenJob.parse(await uploaded.json())
  const replayed = uploaded.headers.get('idempotent-replayed') !== null
  out.write(
    `${replayed ? `Continuing job ${job.id} of ${job.createdAt}; --again starts a new one.` : `Job ${job.id}.`} ${job.distinct} distinct addresses, ${job.malformed} malformed rows.\n`,
  )
  for (const { network, addresses } of job.lookAlikes) {
    out.write(`Look-alikes on ${network}: ${addresses.join(' ')}\n`)
  }

  const progress = createProgress(out)
  while (job.state === 'waiting' || job.state === 'running') {
    progress(job)
    await sleep(POLL_MS)
    job = screenJob.parse(await (await request(`/screen/${job.id}`, () => ({}))).json())
  }
  progress(job)
  if (job.state !== 'finished') {
    throw new OperatorError(
      'ASSAY_SCREEN_REFUSED',
      `The job is ${job.state}: ${job.reason ?? 'removed'}. Nothing was saved.`,
    )
  }

  const results = await request(`/screen/${job.id}/result?format=${format}`, () => ({}))
  if (!results.body)
    throw new RetryableError(
      'ASSAY_SCREEN_UNREACHABLE',
      `${endpointOf(url).url} sent no results. Run the command again.`,
    )
  // The file is renamed when it is complete.
  const partial = `${output}.part`
  try {
    const { body } = results
    await writing(output, () => pipeline(body, createWriteStream(partial)))
  } catch (cause) {
    if (isAssayError(cause)) throw cause
    throw new RetryableError(
      'ASSAY_SCREEN_UNREACHABLE',
      `The download of job ${job.id} failed: ${messageOf(cause)}. Run the command again to continue the same job.`,
      { cause },
    )
  }
  renameSync(partial, output)
  const unanswered = job.rows - (job.statuses['200'] ?? 0)
  out.write(`${output}: ${job.rows} rows${unanswered > 0 ? `, ${unanswered} without a verdict` : ''}.\n`)
  return unanswered > 0 ? EXIT.incomplete : EXIT.complete
}
