/**
 * In-process EVM: simulates over a node's state when the node does not support state overrides. It runs in its own
 * threads, because a simulation takes seconds of CPU and a thread can be terminated whatever the contract does.
 * Analyses never share a thread at the same time. Needs the package @ethereumjs/evm.
 */
import { createRequire } from 'node:module'
import { messageOf } from '../../../../platform/errors.ts'
import { createThreads } from '../../../../platform/threads/threads.ts'
import type { FromThread, Job, StateAnswer, StateQuestion, ToThread } from './protocol.ts'

/**
 * Reads one part of the state from the node. Also identifies its analysis: only runs with the same source share a
 * thread.
 */
export type StateSource = (state: StateQuestion) => Promise<StateAnswer>
/** Result of a run: return data of each call, `undefined` for a failed call. */
export type LocalRun =
  | { results: (string | undefined)[] }
  /** Why nothing was run. */
  | { failure: string }

/** The in-process EVM of one process. All analyses share its few threads. */
export type LocalEvm = {
  /** Never rejects. At the deadline all runs with the same state source end; other runs continue. */
  run: (job: Omit<Job, 'id'>, state: StateSource, deadlineMs: number) => Promise<LocalRun>
  close: () => Promise<void>
}

const NOT_INSTALLED = 'the package @ethereumjs/evm is not installed'
/** Memory limit per thread, megabytes. */
const MEMORY_MB = 512
const MAX_THREADS = 2

const { resolve: find } = createRequire(import.meta.url)

const installed = (): boolean => {
  try {
    find('@ethereumjs/evm')
    return true
  } catch {
    return false
  }
}

/** Starts at most two threads, on demand. Without the package each run returns that it is not installed. */
export const createLocalEvm = (): LocalEvm => {
  const threads = createThreads<ToThread, FromThread>({
    name: 'the in-process EVM',
    module: new URL('./evm.worker.ts', import.meta.url),
    memoryMb: MEMORY_MB,
    maxThreads: MAX_THREADS,
  })
  return {
    run: async (job, state, deadlineMs) => {
      if (!installed()) return { failure: NOT_INSTALLED }
      if (deadlineMs <= 0) return { failure: 'the deadline has passed' }
      const run = await threads.run<LocalRun>({
        group: state,
        withinMs: deadlineMs,
        start: (id) => ({ kind: 'run', job: { ...job, id } }),
        onMessage: (message, tell) => {
          if (message.kind === 'done') {
            const { results, failure = 'the EVM returned no result' } = message
            return results ? { results } : { failure }
          }
          const { question } = message
          void state(message.state)
            .catch((error: unknown) => ({ missing: messageOf(error) }))
            .then((answer) => tell({ kind: 'state', question, answer }))
          return undefined
        },
      })
      return 'result' in run ? run.result : run
    },
    close: threads.close,
  }
}
