/**
 * Reads foreign code in threads of its own, one code at a time in each, within limits of time and memory. A code that
 * breaks the limits is unread: it costs its own facts and nobody else's.
 */
import { LRUCache } from 'lru-cache'
import { createThreads } from '../../../platform/threads/threads.ts'
import { type CodeReading, UNREAD } from './reading.ts'

/** One code to be read, 0x-hex. */
export type ReadRequest = { job: number; code: string }
/** What was read of the code of that job. */
export type ReadResponse = { job: number; reading: CodeReading }

/** Reads foreign code; all analyses of a process share one. */
export type CodeReader = {
  /** Never rejects. Equal code is read once. */
  read: (code: string) => Promise<CodeReading>
  close: () => Promise<void>
}

/** Milliseconds one code may take. The interpreter's own bounds end far earlier. */
const RUN_MS = 2_000
/** Milliseconds one code may wait and take, a thread's start included. */
const WITHIN_MS = 10_000
const MEMORY_MB = 256
const MAX_THREADS = 2
/** Characters of code whose readings are remembered. */
const MAX_REMEMBERED = 32_000_000

/** `module` stands in for the thread's own in tests. */
export const createCodeReader = (
  module: URL = new URL('./reader.worker.ts', import.meta.url),
  limits: { runMs: number; memoryMb: number } = { runMs: RUN_MS, memoryMb: MEMORY_MB },
): CodeReader => {
  const threads = createThreads<ReadRequest, ReadResponse>({
    name: 'the reader of code',
    module,
    memoryMb: limits.memoryMb,
    most: MAX_THREADS,
  })
  const remembered = new LRUCache<string, Promise<CodeReading>>({
    max: 500,
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (_, code) => code.length + 1,
  })
  const readNow = async (code: string): Promise<CodeReading> => {
    const run = await threads.run<CodeReading>({
      group: {},
      runMs: limits.runMs,
      withinMs: WITHIN_MS,
      start: (job) => ({ job, code }),
      hear: ({ reading }) => reading,
    })
    if ('result' in run) return run.result
    remembered.delete(code)
    return UNREAD
  }
  return {
    read: (code) => {
      const known = remembered.get(code) ?? readNow(code)
      remembered.set(code, known)
      return known
    },
    close: threads.close,
  }
}
