/** Entry point of the reader's thread. */
import { parentPort } from 'node:worker_threads'
import type { ReadRequest, ReadResponse } from './reader.ts'
import { readCode } from './reading.ts'

parentPort?.on('message', ({ job, code }: ReadRequest) => {
  parentPort?.postMessage({ job, reading: readCode(code) } satisfies ReadResponse)
})
