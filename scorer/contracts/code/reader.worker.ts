/** The inside of the reader's thread: code in, what it says out. */
import { parentPort } from 'node:worker_threads'
import type { FromReader, ToReader } from './reader.ts'
import { readCode } from './reading.ts'

parentPort?.on('message', ({ job, code }: ToReader) => {
  parentPort?.postMessage({ job, reading: readCode(code) } satisfies FromReader)
})
