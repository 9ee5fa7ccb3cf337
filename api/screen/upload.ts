/** Takes an upload into the tables, piece by piece: memory holds a piece, whatever the size of the upload. */
import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { inUtf8 } from './encoding.ts'
import { createLineCutter, type Line } from './lines.ts'
import { UploadRefused } from './refused.ts'
import { createRowReader, MAX_LINE, type Row, type UploadFormat } from './rows.ts'

const DISTINCT = readSql(import.meta.url, './sql/distinct.sql')
const LOOK_ALIKES = readSql(import.meta.url, './sql/look-alikes.sql')

/** Rows of an upload at most. */
export const MAX_ROWS = 1_000_000
/** Bytes of an upload at most. */
export const MAX_BYTES = 256 * 1024 * 1024
/** Rows of one insert. */
const PIECE = 2_000

/** How slow a client may be. */
export const PACE = {
  /** How long a client may send nothing, ms. */
  idleMs: 30_000,
  /** After this long, ms, it has to have sent `bytesPerSecond` on average. */
  graceMs: 60_000,
  bytesPerSecond: 4_096,
}
/** The same, for tests that have less time. */
export type Pace = typeof PACE

const lookAlikes = z.array(
  z
    .object({ of_network: z.string(), addresses: z.array(z.string()) })
    .transform(({ of_network: network, addresses }) => ({ network, addresses })),
)
/** Addresses of a list that look like each other, which may be a poisoned one beside the real one. */
export type LookAlikes = z.output<typeof lookAlikes>

/** What was taken. `fingerprint` is the same for the same rows. */
export type Uploaded = {
  upload: string
  rows: number
  malformed: number
  distinct: number
  lookAlikes: LookAlikes
  fingerprint: string
}

/** An upload, and how it is to be read. */
export type UploadOptions = {
  body: Readable
  format: UploadFormat
  /** As the content type names it; what the upload says of itself goes before it. */
  charset: string | undefined
  /** Of rows without one. */
  network: string
  /** What belongs to the request beside its bytes; part of the fingerprint. */
  asked: string
  /** Rows the caller has left. */
  rowsLeft: number
  /** Unix seconds at which the rows are removed. */
  expires: number
  pace: Pace
  /** Removes what an upload stored before it was refused. */
  clear: (upload: string) => Promise<void>
}

/** Chunks of a body, of a client that keeps a pace. Time that we take ourselves does not count. @throws UploadRefused */
export async function* paced(body: Readable, { idleMs, graceMs, bytesPerSecond }: Pace): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false })
  let asked = false
  let waited = 0
  let bytes = 0
  try {
    for (;;) {
      const begun = performance.now()
      let timer: NodeJS.Timeout | undefined
      const idle = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new UploadRefused('too-slow')), idleMs)
      })
      asked = true
      const next = await Promise.race([chunks.next(), idle]).finally(() => clearTimeout(timer))
      asked = false
      if (next.done) return
      const chunk: Buffer = next.value
      waited += performance.now() - begun
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new UploadRefused('too-large')
      if (waited > graceMs && bytes < (waited / 1_000) * bytesPerSecond) throw new UploadRefused('too-slow')
      yield chunk
    }
  } catch (error) {
    if (error instanceof UploadRefused) throw error
    throw new UploadRefused('broken-off')
  } finally {
    // What is left may be read by others. A body that is still waited for has nothing.
    if (!asked) await chunks.return?.()
  }
}

const beginHash = (asked: string) => createHash('sha256').update(`${asked}\n`)

/** What a retried upload is compared by; reads the body to its end and keeps nothing of it. @throws UploadRefused */
export const fingerprintOf = async ({
  body,
  asked,
  pace,
}: Pick<UploadOptions, 'body' | 'asked' | 'pace'>): Promise<string> => {
  const hash = beginHash(asked)
  for await (const chunk of paced(body, pace)) hash.update(chunk)
  return hash.digest('hex')
}

/** Stores the rows of a body. The rows belong to nothing before a job names them. @throws UploadRefused, or what the store throws. */
export const takeUpload = async (store: Store, options: UploadOptions): Promise<Uploaded> => {
  const { body, format, charset, network, asked, rowsLeft, expires, pace } = options
  const upload = randomUUID()
  const hash = beginHash(asked)
  const cutter = createLineCutter(MAX_LINE)
  const read = createRowReader(format, network)
  let rows = 0
  let malformed = 0
  let piece: string[] = []
  let stored = false

  const insert = async () => {
    if (piece.length === 0) return
    stored = true
    await store.insert('screen_rows', piece.join(''), { token: `screen_rows:${upload}:${rows}` })
    piece = []
  }
  const add = (row: Row) => {
    rows++
    if (row.problem !== '') malformed++
    if (rows > MAX_ROWS) throw new UploadRefused('too-many-rows')
    if (rows > rowsLeft) throw new UploadRefused('no-rows-left')
    piece.push(`${JSON.stringify({ upload, row: rows, ...row, expires })}\n`)
  }
  const hashed = async function* () {
    for await (const chunk of paced(body, pace)) {
      hash.update(chunk)
      yield chunk
    }
  }
  const addAll = async (lines: Iterable<Line>) => {
    for (const line of lines) {
      const row = read(line)
      if (row) add(row)
      if (piece.length >= PIECE) await insert()
    }
  }

  try {
    for await (const chunk of inUtf8(hashed(), charset)) await addAll(cutter.push(chunk))
    await addAll(cutter.flush())
    if (rows === 0) throw new UploadRefused('empty')
    await insert()
    const [distinct] = await store.query<{ distinct: string }>(DISTINCT, { upload }, { route: 'screen_distinct' })
    const alike = await store.query(LOOK_ALIKES, { upload }, { route: 'screen_look_alikes' })
    return {
      upload,
      rows,
      malformed,
      distinct: Number(distinct?.distinct ?? 0),
      lookAlikes: lookAlikes.parse(alike),
      fingerprint: hash.digest('hex'),
    }
  } catch (error) {
    if (stored) await options.clear(upload)
    throw error
  }
}
