/** Entry of a thread that reads blocks. */
import { parentPort } from 'node:worker_threads'
import { readBlock } from './read.ts'
import type { FromBlockThread, ToBlockThread } from './reader.ts'

parentPort?.on('message', ({ job, body, question }: ToBlockThread) => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const block = readBlock(bytes, question)
  const answer: FromBlockThread = block ? { job, block } : { job, refused: body }
  const { buffer } = block ? block.lines : body
  parentPort?.postMessage(answer, buffer instanceof ArrayBuffer ? [buffer] : [])
})
