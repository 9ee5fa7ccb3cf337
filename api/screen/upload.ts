/** Streams an upload into the tables in pieces. Memory holds one piece. */
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

/** Maximum number of rows. */
export const MAX_ROWS = 1_000_000
/** Maximum size, bytes. */
export const MAX_BYTES = 256 * 1024 * 1024
/** Rows per insert. */
const PIECE = 2_000

/** Minimum pace of a client. */
export const PACE = {
  /** Maximum pause between chunks, ms. */
  idleMs: 30_000,
  /** Time after which the average rate must be at least `bytesPerSecond`, ms. */
  graceMs: 60_000,
  bytesPerSecond: 4_096,
}
/** Minimum pace; tests use shorter times. */
export type Pace = typeof PACE

const lookAlikes = z.array(
  z
    .object({ of_network: z.string(), addresses: z.array(z.string()) })
    .transform(({ of_network: network, addresses }) => ({ network, addresses })),
)
/** Groups of similar addresses in a list: one of them may come from address poisoning. */
export type LookAlikes = z.output<typeof lookAlikes>

/** A stored upload. `fingerprint` is equal for the same request and bytes. */
export type Uploaded = {
  upload: string
  rows: number
  malformed: number
  distinct: number
  lookAlikes: LookAlikes
  fingerprint: string
}

/** An upload and its format. */
export type UploadOptions = {
  body: Readable
  format: UploadFormat
  /** Charset of the content type. A byte order mark takes precedence. */
  charset: string | undefined
  /** Network of rows without one. */
  network: string
  /** Parameters of the request; part of the fingerprint. */
  asked: string
  /** Remaining rows of the caller. */
  rowsLeft: number
  /** Unix seconds at which the rows are removed. */
  expires: number
  pace: Pace
  /** Removes the stored rows of a refused upload. */
  clear: (upload: string) => Promise<void>
}

/** Chunks of a body. Enforces the minimum pace; processing time of the server does not count. @throws UploadRefused */
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
    // Releases the body for others to read on. A pending read must not be ended: it would wait for data.
    if (!asked) await chunks.return?.()
  }
}

const beginHash = (asked: string) => createHash('sha256').update(`${asked}\n`)

/** Fingerprint of a retried upload. Reads the whole body and stores nothing. @throws UploadRefused */
export const fingerprintOf = async ({
  body,
  asked,
  pace,
}: Pick<UploadOptions, 'body' | 'asked' | 'pace'>): Promise<string> => {
  const hash = beginHash(asked)
  for await (const chunk of paced(body, pace)) hash.update(chunk)
  return hash.digest('hex')
}

/** Stores the rows of a body, without a job yet. @throws UploadRefused, and errors of the store */
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
