/** Compiles in separate processes: solc-js does not free its memory, and a corpus keeps several busy. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Compiled } from './compile.ts'

export type CompileResult = { contracts: Compiled[]; problem: string }
export type Compiler = { compile: (source: string) => Promise<CompileResult>; close: () => Promise<void> }

const WORKER = fileURLToPath(new URL('./compile.worker.ts', import.meta.url))

type Job = { id: number; source: string; done: (result: CompileResult) => void }

export const createCompiler = (processes = 2): Compiler => {
  const working = new Map<ChildProcess, Job>()
  const idle: ChildProcess[] = []
  const queue: Job[] = []
  let jobs = 0
  const next = () => {
    while (queue.length > 0) {
      if (idle.length === 0 && working.size < processes) idle.push(start())
      const worker = idle.pop()
      const job = worker && queue.shift()
      if (!worker || !job) return
      working.set(worker, job)
      worker.send({ id: job.id, source: job.source })
    }
  }
  const start = (): ChildProcess => {
    const worker = fork(WORKER, { execArgv: ['--import', 'tsx'] })
    worker.on('message', ({ id, ...result }: CompileResult & { id: number }) => {
      const job = working.get(worker)
      if (job?.id !== id) return
      working.delete(worker)
      idle.push(worker)
      job.done(result)
      next()
    })
    worker.on('exit', (code) => {
      const job = working.get(worker)
      working.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
      job?.done({ contracts: [], problem: `the compiler ended with ${code}` })
      next()
    })
    return worker
  }
  return {
    compile: (source) =>
      new Promise((done) => {
        queue.push({ id: jobs++, source, done })
        next()
      }),
    close: async () => {
      queue.length = 0
      for (const worker of [...idle, ...working.keys()]) worker.kill()
    },
  }
}
