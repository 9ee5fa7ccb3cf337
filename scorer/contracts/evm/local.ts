/**
 * The in-process EVM: runs a simulation over a node's state where the node itself takes no state overrides. It lives in a
 * thread of its own, because a simulation is seconds of arithmetic that nobody else should wait for, and because a
 * thread can be ended whatever the contract does. Needs the optional package @ethereumjs/evm.
 */
import { createRequire } from 'node:module'
import type { Worker } from 'node:worker_threads'
import { messageOf } from '../../../platform/errors.ts'
import { startWorker } from '../../../platform/worker.ts'
import type { FromThread, Job, StateAnswer, StateQuestion, ToThread } from './protocol.ts'

export type StateSource = (state: StateQuestion) => Promise<StateAnswer>
export type LocalRun =
  | { results: (string | undefined)[] }
  /** Why nothing was run. */
  | { failure: string }

export type LocalEvm = {
  /** Never rejects. Ends the thread, and with it everything else that runs in it, when time is up. */
  run: (job: Omit<Job, 'id'>, state: StateSource, deadlineMs: number) => Promise<LocalRun>
  close: () => Promise<void>
}

const NOT_INSTALLED = 'the optional package @ethereumjs/evm is not installed'
/** Megabytes the thread may hold. */
const MEMORY_MB = 512

type Running = { state: StateSource; settle: (run: LocalRun) => void }

const { resolve: find } = createRequire(import.meta.url)

const installed = (): boolean => {
  try {
    find('@ethereumjs/evm')
    return true
  } catch {
    return false
  }
}

export const createLocalEvm = (): LocalEvm => {
  let worker: Worker | undefined
  let jobs = 0
  const running = new Map<number, Running>()

  const failAll = (failure: string) => {
    for (const { settle } of running.values()) settle({ failure })
    running.clear()
  }
  const start = (): Worker => {
    const started = startWorker(new URL('./evm.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const tell = (message: ToThread) => started.postMessage(message)
    started.unref()
    started.on('message', (message: FromThread) => {
      const job = running.get(message.job)
      if (message.kind === 'done') {
        const { results, failure = 'the EVM answered nothing' } = message
        job?.settle(results ? { results } : { failure })
        running.delete(message.job)
        return
      }
      const { question, state } = message
      const answer = job ? job.state(state) : Promise.resolve({ missing: 'the job is over' })
      void answer
        .catch((error: unknown) => ({ missing: messageOf(error) }))
        .then((found) => tell({ kind: 'state', question, answer: found }))
    })
    started.once('error', (error) => {
      if (worker !== started) return
      worker = undefined
      failAll(`the in-process EVM failed: ${error.message}`)
    })
    return started
  }
  const stop = async (failure: string) => {
    const ending = worker
    worker = undefined
    failAll(failure)
    await ending?.terminate()
  }

  return {
    run: (job, state, deadlineMs) => {
      if (!installed()) return Promise.resolve({ failure: NOT_INSTALLED })
      if (deadlineMs <= 0) return Promise.resolve({ failure: 'the deadline has passed' })
      worker ??= start()
      const id = jobs++
      const thread = worker
      return new Promise((resolve) => {
        const timer = setTimeout(() => void stop('the in-process EVM was not done within the deadline'), deadlineMs)
        running.set(id, {
          state,
          settle: (run) => {
            clearTimeout(timer)
            resolve(run)
          },
        })
        thread.postMessage({ kind: 'run', job: { ...job, id } } satisfies ToThread)
      })
    },
    close: () => stop('closing'),
  }
}
