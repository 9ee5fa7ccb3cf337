/** A thread that follows its input: hangs, fills its heap, reports its id, or echoes the input. */
import { parentPort, threadId } from 'node:worker_threads'

parentPort?.on('message', ({ job, code }: { job: number; code: string }) => {
  if (code === 'hang') for (;;);
  if (code === 'eat') for (const eaten: number[][] = []; ; ) eaten.push(Array.from({ length: 10_000 }, (_, i) => i))
  parentPort?.postMessage({ job, reading: { code: code === 'which' ? `thread ${threadId}` : code } })
})
