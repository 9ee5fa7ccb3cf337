/** A thread that obeys its input: hangs, eats its heap, names itself, or answers with what it was told. */
import { parentPort, threadId } from 'node:worker_threads'

parentPort?.on('message', ({ job, code }: { job: number; code: string }) => {
  if (code === 'hang') for (;;);
  if (code === 'eat') for (const eaten: number[][] = []; ; ) eaten.push(Array.from({ length: 10_000 }, (_, i) => i))
  parentPort?.postMessage({ job, reading: { code: code === 'which' ? `thread ${threadId}` : code } })
})
