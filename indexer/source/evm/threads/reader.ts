/**
 * Threads that read blocks while the network catches up: parsing, verifying, decoding and packing an answer are three quarters
 * of a block's cost. Each thread has one block at a time and its own limits of memory and time; memory is transferred, not
 * copied. A thread that dies or hangs only fails its own block, which is fetched again, and is replaced. Idle threads end.
 */
import { availableParallelism } from 'node:os'
import type { Context } from '../../../../platform/context/context.ts'
import { createThreads } from '../../../../platform/threads/threads.ts'
import type { BlockQuestion, ReadBlock } from './read.ts'

/** A node's answer for a thread. Its memory is transferred. */
export type ToBlockThread = { job: number; body: Uint8Array; question: BlockQuestion }
/** Result of a thread. A refused body is returned, so that the main thread can find out what is wrong with it. */
export type FromBlockThread = { job: number } & ({ block: ReadBlock } | { refused: Uint8Array })

/** `refused`: the answer, which is not a complete valid block. `failure`: why the thread could not read it. */
export type BlockReading = { block: ReadBlock } | { refused: Buffer } | { failure: string }

/** The threads, shared by the sources of a process. */
export type BlockReader = {
  /**
   * Whether a thread should read the body. Small bodies are faster to read than to transfer, and the first thread starts only
   * once the bodies so far would have taken as long as its start.
   */
  takes: (body: Buffer) => boolean
  /** Reads a body, whose memory is transferred and gone afterwards. Never rejects. */
  read: (body: Buffer, question: BlockQuestion) => Promise<BlockReading>
  close: () => Promise<void>
}

type BlockReaderOptions = {
  /** @default one for each core, at most 4; none on a machine with one */
  threads?: number
  /** Time limit of one block in its thread, ms; usually a few hundredths of it are used. @default 30_000 */
  runMs?: number
  /** Heap of a thread, MB. @default 2_048 */
  memoryMb?: number
  /** Minimum size of an answer for a thread, bytes. @default 64_000 */
  leastBytes?: number
  /** Bytes of answers read without threads before the first one starts. @default 64_000_000 */
  startBytes?: number
  /** Milliseconds after which an idle thread ends. @default 30_000 */
  idleMs?: number
  /** Replaces the worker module in tests. @default reader.worker.ts */
  module?: URL
}

const MAX_THREADS = 4
const RUN_MS = 30_000
/** Enough for the largest accepted answer when parsed. */
const MEMORY_MB = 2_048
/** Almost all of a block is garbage once its rows are packed. With room for several blocks, live data is never copied. */
const YOUNG_MB = 96
const MIN_BYTES = 64_000
/** Bytes that are read in the 1.3 seconds of CPU time that a start takes. */
const START_BYTES = 64_000_000
const IDLE_MS = 30_000

/** Default number of threads. */
const threadsHere = () => {
  const cores = availableParallelism()
  return cores < 2 ? 0 : Math.min(cores, MAX_THREADS)
}

/** The body in memory of its own, so that it can be transferred. */
const ownMemory = (body: Buffer): Uint8Array<ArrayBuffer> => {
  const { buffer } = body
  if (buffer instanceof ArrayBuffer && buffer.byteLength === body.byteLength) return new Uint8Array(buffer)
  return new Uint8Array(body)
}

/** One reader serves all networks of a process. It starts threads only when there is work. */
export const createBlockReader = (
  { clock, metrics }: Pick<Context, 'clock' | 'metrics'>,
  {
    threads: maxThreads = threadsHere(),
    runMs = RUN_MS,
    memoryMb = MEMORY_MB,
    leastBytes = MIN_BYTES,
    startBytes = START_BYTES,
    idleMs = IDLE_MS,
    module = new URL('./reader.worker.ts', import.meta.url),
  }: BlockReaderOptions = {},
): BlockReader => {
  const read = metrics.counter('assay_source_thread_blocks_total', 'Blocks decoded by threads, by outcome', [
    'network',
    'outcome',
  ] as const)
  const threads = createThreads<ToBlockThread, FromBlockThread>({
    name: 'the reader of blocks',
    module,
    memoryMb,
    youngMb: YOUNG_MB,
    maxThreads,
    idleMs,
  })
  let offered = 0
  let offeredAt = clock.now()
  return {
    takes: (body) => {
      if (maxThreads === 0 || body.length < leastBytes) return false
      const now = clock.now()
      // Idle threads have ended, so the start has to pay off again.
      if (now - offeredAt > idleMs) offered = 0
      offeredAt = now
      offered += body.length
      return offered > startBytes
    },
    read: async (given, question) => {
      const { network } = question
      const body = ownMemory(given)
      const run = await threads.run<BlockReading>({
        group: {},
        runMs,
        start: (job) => ({ job, body, question }),
        transfer: [body.buffer],
        onMessage: (message) => {
          if ('block' in message) return { block: message.block }
          const { buffer, byteOffset, byteLength } = message.refused
          return { refused: Buffer.from(buffer, byteOffset, byteLength) }
        },
      })
      const reading = 'result' in run ? run.result : run
      read.inc({ network, outcome: 'block' in reading ? 'read' : 'refused' in reading ? 'refused' : 'failed' })
      return reading
    },
    close: threads.close,
  }
}
