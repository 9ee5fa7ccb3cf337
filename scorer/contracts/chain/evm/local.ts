/**
 * The in-process EVM: runs a simulation over a node's state where the node itself takes no state overrides. It lives in
 * threads of its own, because a simulation is seconds of arithmetic that nobody else should wait for, and because a
 * thread can be ended whatever the contract does. Simulations of different analyses never share a thread at a time.
 * Needs the package @ethereumjs/evm.
 */
import { createRequire } from 'node:module'
import { messageOf } from '../../../../platform/errors.ts'
import { createThreads } from '../../../../platform/threads/threads.ts'
import type { FromThread, Job, StateAnswer, StateQuestion, ToThread } from './protocol.ts'

/**
 * Reads one part of the state from the node. It stands for its analysis as well: only runs with the same source share a
 * thread at a time.
 */
export type StateSource = (state: StateQuestion) => Promise<StateAnswer>
/** What came of a run: the return data of each call, `undefined` for one that failed. */
export type LocalRun =
  | { results: (string | undefined)[] }
  /** Why nothing was run. */
  | { failure: string }

/** The in-process EVM of one process; all analyses share its few threads. */
export type LocalEvm = {
  /** Never rejects. When time is up, ends what else runs on the same source of state; nothing else is touched. */
  run: (job: Omit<Job, 'id'>, state: StateSource, deadlineMs: number) => Promise<LocalRun>
  close: () => Promise<void>
}

const NOT_INSTALLED = 'the package @ethereumjs/evm is not installed'
/** Megabytes a thread may hold. */
const MEMORY_MB = 512
const MOST_THREADS = 2

const { resolve: find } = createRequire(import.meta.url)

const installed = (): boolean => {
  try {
    find('@ethereumjs/evm')
    return true
  } catch {
    return false
  }
}

/** Starts threads when they are needed, two at most. Without the package each run answers that it is not installed. */
export const createLocalEvm = (): LocalEvm => {
  const threads = createThreads<ToThread, FromThread>({
    name: 'the in-process EVM',
    module: new URL('./evm.worker.ts', import.meta.url),
    memoryMb: MEMORY_MB,
    most: MOST_THREADS,
  })
  return {
    run: async (job, state, deadlineMs) => {
      if (!installed()) return { failure: NOT_INSTALLED }
      if (deadlineMs <= 0) return { failure: 'the deadline has passed' }
      const run = await threads.run<LocalRun>({
        group: state,
        withinMs: deadlineMs,
        start: (id) => ({ kind: 'run', job: { ...job, id } }),
        hear: (message, tell) => {
          if (message.kind === 'done') {
            const { results, failure = 'the EVM answered nothing' } = message
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
