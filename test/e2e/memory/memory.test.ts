/** A long history in little memory: indexer and ingest each in a process of its own, under a heap that holds a part of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixturesFolder } from '../../kit/chain/recorded-chain.ts'
import { sized } from '../../kit/thorough.ts'
import type { Peak } from './memory.peak.ts'

/** Some 85 MB on the bus, and several times as much in memory, under a heap of 256 MB; at night 280 MB under 512. */
const BLOCKS = sized(900, 3_000)
/** Blocks above the final one stay out of history. */
const FINAL = BLOCKS - 64
const HEAP_MB = sized(256, 512)
const HEAP = HEAP_MB * 1_048_576
const IN_FLIGHT = 16_000_000
/** Of the indexer's child: far more than the bytes allow. */
const CONCURRENCY = 3_000
const DEADLINE_MS = 200_000

const children: ChildProcess[] = []

/** Starts a child that tells its findings as its first line. @throws Error with its output when it ends without. */
const run = async <T>(name: string, ...args: string[]): Promise<T> => {
  const script = join(import.meta.dirname, name)
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, '--import', 'tsx', script, ...args])
  children.push(child)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as T
  throw new Error(`${name} ended without findings: ${errors.slice(-2_000)}`)
}

const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)

describe.skipIf(!fixturesFolder('ethereum'))('a long recorded history (skipped without recorded data)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-memory-'))
  const bus = join(folder, 'bus')
  let url: string

  beforeAll(async () => {
    url = (await run<{ url: string }>('memory.node.child.ts', String(BLOCKS))).url
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  type Indexed = Peak & {
    status: { indexed: number; error?: string }
    peakBytes: number
    peakBlocks: number
    rows: number
    sent: number
    seconds: number
  }

  test(
    'are indexed under a heap that holds a part of them, and blocks fetched but not acknowledged stay within maxBytesInFlight',
    async () => {
      const found = await run<Indexed>('memory.indexer.child.ts', url, bus, String(FINAL), String(IN_FLIGHT))
      console.info(
        `indexer: peak heap ${megabytes(found.heapUsed)} MB, resident ${megabytes(found.rss)} MB, ${found.rows} rows, ` +
          `${megabytes(found.sent)} MB sent, in flight at most ${found.peakBytes} bytes in ${found.peakBlocks} blocks, ${found.seconds.toFixed(1)} s`,
      )
      expect(found.status).toMatchObject({ indexed: FINAL, finalized: FINAL, stalled: false })
      expect(found.sent).toBeGreaterThan(sized(5, 10) * IN_FLIGHT)
      expect(found.heapUsed).toBeLessThan(HEAP)
      expect(found.peakBytes).toBeLessThanOrEqual(IN_FLIGHT)
      expect(found.peakBlocks).toBeLessThan(CONCURRENCY / 10)
    },
    DEADLINE_MS,
  )

  test(
    'are taken into the tables under such a heap',
    async () => {
      const found = await run<Peak & { blocks: number; seconds: number }>('memory.ingest.child.ts', bus)
      console.info(
        `ingest: peak heap ${megabytes(found.heapUsed)} MB, resident ${megabytes(found.rss)} MB, ${found.seconds.toFixed(1)} s`,
      )
      expect(found.blocks).toBe(FINAL)
      expect(found.heapUsed).toBeLessThan(HEAP)
    },
    DEADLINE_MS,
  )
})
