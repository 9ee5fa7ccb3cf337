/** A compiler on processes of its own (solc-js keeps what it allocates) with a cache on disk, keyed by the source's hash. */
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Compiled } from './compile.ts'

export type CompileResult = { contracts: Compiled[]; problem: string }
export type Compiler = { compile: (source: string) => Promise<CompileResult>; close: () => Promise<void> }

const VERSION = 'v3'

/** `folder`: where results are kept; a folder of the system's temporary directory when absent. */
export const createCompiler = (processes = 2, folder = join(tmpdir(), 'assay-compiled')): Compiler => {
  mkdirSync(folder, { recursive: true })
  const waiting = new Map<string, (result: CompileResult) => void>()
  const idle: ChildProcess[] = []
  const queue: { id: string; source: string }[] = []
  const workers: ChildProcess[] = []
  const next = () => {
    while (queue.length > 0) {
      const worker = idle.pop()
      if (!worker) return
      const job = queue.shift()
      if (job) worker.send(job)
    }
  }
  const start = () => {
    const worker = fork(fileURLToPath(new URL('./compile.worker.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'],
    })
    worker.on('message', ({ id, ...result }: CompileResult & { id: string }) => {
      waiting.get(id)?.(result)
      waiting.delete(id)
      idle.push(worker)
      next()
    })
    worker.on('exit', (code) => {
      for (const [id, done] of waiting) {
        done({ contracts: [], problem: `the compiler ended with ${code}` })
        waiting.delete(id)
      }
    })
    workers.push(worker)
    idle.push(worker)
  }
  return {
    compile: async (source) => {
      const id = createHash('sha256').update(VERSION).update(source).digest('hex')
      const file = join(folder, `${id}.json`)
      if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as CompileResult
      if (workers.length < processes && idle.length === 0) start()
      const result = await new Promise<CompileResult>((resolve) => {
        waiting.set(id, resolve)
        queue.push({ id, source })
        next()
      })
      writeFileSync(file, JSON.stringify(result))
      return result
    },
    close: async () => {
      for (const worker of workers) worker.kill()
    },
  }
}
