/**
 * Threads that read blocks while the network catches up: parsing, verification, decoding and packing of an answer are three quarters
 * of what a block costs. Each thread has one block at a time, its own limits of memory and time, and passes memory on without
 * copies. A thread that dies or hangs fails its own block, which is then asked for again, and is replaced. Without work they end.
 */
import { availableParallelism } from 'node:os'
import type { Context } from '../../../../platform/context/context.ts'
import { createThreads } from '../../../../platform/threads/threads.ts'
import type { BlockQuestion, ReadBlock } from './read.ts'

/** The answer of a node on its way to a thread. Its memory moves there. */
export type ToBlockThread = { job: number; body: Uint8Array; question: BlockQuestion }
/**
 * What a thread made of it. A body that it refuses comes back, so that the main thread finds the words for what is
 * wrong.
 */
export type FromBlockThread = { job: number } & ({ block: ReadBlock } | { refused: Uint8Array })

/** `refused`: the answer, which is no whole block that fits its hash. `failure`: why the thread has no word on it. */
export type BlockReading = { block: ReadBlock } | { refused: Buffer } | { failure: string }

/** The threads, as a source uses them. */
export type BlockReader = {
  /**
   * Whether a body is worth handing over: small ones are read faster than they travel, and a thread is started once as much has
   * been offered as takes the time of its start.
   */
  takes: (body: Buffer) => boolean
  /** Takes the body along: its memory is gone afterwards. Never rejects. */
  read: (body: Buffer, question: BlockQuestion) => Promise<BlockReading>
  close: () => Promise<void>
}

type BlockReaderOptions = {
  /** @default one for each core, at most 4; none on a machine with one */
  threads?: number
  /** Milliseconds that one block may take in its thread. It takes some hundredths of that. @default 30_000 */
  runMs?: number
  /** Heap of a thread, megabytes. @default 2_048 */
  memoryMb?: number
  /** Bytes from which on an answer is handed over. @default 64_000 */
  leastBytes?: number
  /** Bytes of answers that are read without threads before the first one is started. @default 64_000_000 */
  startBytes?: number
  /** Milliseconds after which a thread without work ends. @default 30_000 */
  idleMs?: number
  /** Stands in for the thread's own in tests. @default reader.worker.ts */
  module?: URL
}

const MOST_THREADS = 4
const RUN_MS = 30_000
/** Parsed, the largest answer that is taken stays below. */
const MEMORY_MB = 2_048
/** Nearly all of a block is garbage when its rows are packed: with room for several blocks it is never copied. */
const YOUNG_MB = 96
const LEAST_BYTES = 64_000
/** What is read in the 1.3 seconds of a processor that a start takes. */
const START_BYTES = 64_000_000
const IDLE_MS = 30_000

/** Threads for this machine. */
const threadsHere = () => {
  const cores = availableParallelism()
  return cores < 2 ? 0 : Math.min(cores, MOST_THREADS)
}

/** Memory that belongs to the body alone, so that it can be handed over. */
const ownMemory = (body: Buffer): Uint8Array<ArrayBuffer> => {
  const { buffer } = body
  if (buffer instanceof ArrayBuffer && buffer.byteLength === body.byteLength) return new Uint8Array(buffer)
  return new Uint8Array(body)
}

/** One for all networks of a process. It starts no thread before there is work. */
export const createBlockReader = (
  { clock, metrics }: Pick<Context, 'clock' | 'metrics'>,
  {
    threads: most = threadsHere(),
    runMs = RUN_MS,
    memoryMb = MEMORY_MB,
    leastBytes = LEAST_BYTES,
    startBytes = START_BYTES,
    idleMs = IDLE_MS,
    module = new URL('./reader.worker.ts', import.meta.url),
  }: BlockReaderOptions = {},
): BlockReader => {
  const read = metrics.counter('assay_source_thread_blocks_total', 'Blocks that threads read, by how it went', [
    'network',
    'outcome',
  ] as const)
  const threads = createThreads<ToBlockThread, FromBlockThread>({
    name: 'the reader of blocks',
    module,
    memoryMb,
    youngMb: YOUNG_MB,
    most,
    idleMs,
  })
  let offered = 0
  let offeredAt = clock.now()
  return {
    takes: (body) => {
      if (most === 0 || body.length < leastBytes) return false
      const now = clock.now()
      // Threads have ended by then.
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
        hear: (message) => {
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
