/**
 * Reads hostile code in threads with limits on time and memory, one code at a time in each. Code that exceeds the limits
 * yields `UNREAD` and does not affect other readings.
 */
import { LRUCache } from 'lru-cache'
import { createThreads } from '../../../platform/threads/threads.ts'
import { type CodeReading, UNREAD } from './reading.ts'

/** A request to the thread. `code`: 0x-hex. */
export type ReadRequest = { job: number; code: string }
/** The thread's response to the request with the same `job`. */
export type ReadResponse = { job: number; reading: CodeReading }

/** Reads hostile code. All analyses of a process share one reader. */
export type CodeReader = {
  /** Never rejects. Readings of equal code are cached. */
  read: (code: string) => Promise<CodeReading>
  close: () => Promise<void>
}

/** Run time of one code, ms. The interpreter's own bounds are reached far earlier. */
const RUN_MS = 2_000
/** Waiting and run time of one code, start of the thread included, ms. */
const WITHIN_MS = 10_000
const MEMORY_MB = 256
const MAX_THREADS = 2
/** Size of the cache, in characters of code. */
const MAX_CACHED = 32_000_000

/** Creates a reader. Tests replace `module`, the thread's entry point. */
export const createCodeReader = (
  module: URL = new URL('./reader.worker.ts', import.meta.url),
  limits: { runMs: number; memoryMb: number } = { runMs: RUN_MS, memoryMb: MEMORY_MB },
): CodeReader => {
  const threads = createThreads<ReadRequest, ReadResponse>({
    name: 'the reader of code',
    module,
    memoryMb: limits.memoryMb,
    maxThreads: MAX_THREADS,
  })
  const cache = new LRUCache<string, Promise<CodeReading>>({
    max: 500,
    maxSize: MAX_CACHED,
    sizeCalculation: (_, code) => code.length + 1,
  })
  const readNow = async (code: string): Promise<CodeReading> => {
    const run = await threads.run<CodeReading>({
      group: {},
      runMs: limits.runMs,
      withinMs: WITHIN_MS,
      start: (job) => ({ job, code }),
      onMessage: ({ reading }) => reading,
    })
    if ('result' in run) return run.result
    cache.delete(code)
    return UNREAD
  }
  return {
    read: (code) => {
      const reading = cache.get(code) ?? readNow(code)
      cache.set(code, reading)
      return reading
    },
    close: threads.close,
  }
}
