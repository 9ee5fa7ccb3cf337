/** A thread that decodes no block: it hangs at block 5, dies at block 6 and refuses the others. */
import { parentPort } from 'node:worker_threads'
import type { ToBlockThread } from '../../../../indexer/source/evm/threads/reader.ts'

parentPort?.on('message', ({ job, body, question }: ToBlockThread) => {
  if (question.at.number === 5) for (;;);
  if (question.at.number === 6) process.exit(0)
  parentPort?.postMessage({ job, refused: body })
})
