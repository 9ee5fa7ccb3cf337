/**
 * Worker threads for work on untrusted input: each thread has a heap limit and each job a time limit. Jobs of different
 * groups never share a thread at the same time, so a thread that dies or is late only fails jobs of its own group. The next
 * job gets a new thread; idle threads are kept.
 */
import type { Worker } from 'node:worker_threads'
import { messageOf } from '../errors.ts'
import { startWorker } from './worker.ts'

type ThreadOptions = {
  /** What the thread does, for error messages: "the in-process EVM". */
  name: string
  /** TypeScript module that handles messages in the thread. */
  module: URL
  /** Heap limit of one thread, MB. */
  memoryMb: number
  /** Part of it for short-lived objects, MB. @default V8's */
  youngMb?: number
  /** Maximum number of threads. */
  maxThreads: number
  /** Milliseconds after which an idle thread ends. @default never */
  idleMs?: number
}

type ThreadJob<To, From, Result> = {
  /** Jobs of the same group may share a thread. */
  group: object
  start: (id: number) => To
  /** Memory transferred with the first message. */
  transfer?: readonly ArrayBuffer[]
  /** Handles a message of the job; a return value other than `undefined` is the job's result. */
  onMessage: (message: From, send: (message: To) => void) => Result | undefined
  /** Time limit in ms, including the wait for a thread. */
  withinMs?: number
  /** Time limit in ms, from when a thread takes the job. */
  runMs?: number
}
type ThreadRun<Result> = { result: Result } | { failure: string }

/** A pool of threads, started as jobs need them. `To` and `From` are the messages to and from a thread. */
export type Threads<To, From> = {
  /** Never rejects. */
  run: <Result>(job: ThreadJob<To, From, Result>) => Promise<ThreadRun<Result>>
  close: () => Promise<void>
}

const READY = 'ready'

type Entry<To, From> = {
  group: object
  start: () => To
  transfer: readonly ArrayBuffer[]
  /** Returns true when that was the job's last message. */
  onMessage: (message: From, send: (message: To) => void) => boolean
  /** A thread is ready for the job: its time starts. */
  begin: (late: () => void) => void
  fail: (failure: string) => void
}
type Thread<To, From> = { worker: Worker; ready: boolean; jobs: Map<number, Entry<To, From>>; idle?: NodeJS.Timeout }

/** The first job starts the first thread. Threads do not keep the process alive. */
export const createThreads = <To, From extends { job: number }>(options: ThreadOptions): Threads<To, From> => {
  const { name, module, memoryMb, youngMb, maxThreads, idleMs } = options
  const threads = new Set<Thread<To, From>>()
  const waiting = new Map<number, Entry<To, From>>()
  let ids = 0

  const end = (thread: Thread<To, From>, failure: string): Promise<unknown> => {
    if (!threads.delete(thread)) return Promise.resolve()
    clearTimeout(thread.idle)
    for (const job of thread.jobs.values()) job.fail(failure)
    const ended = thread.worker.terminate()
    dispatch()
    return ended
  }
  const late = (thread: Thread<To, From>) => void end(thread, `${name} was not done within the deadline`)

  const start = (): Thread<To, From> => {
    const young = youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb }
    const worker = startWorker(module, { resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...young } }, READY)
    const thread: Thread<To, From> = { worker, ready: false, jobs: new Map() }
    threads.add(thread)
    worker.unref()
    worker.on('message', (message: From | typeof READY) => {
      if (message === READY) {
        thread.ready = true
        for (const job of thread.jobs.values()) job.begin(() => late(thread))
        return
      }
      const done = thread.jobs.get(message.job)?.onMessage(message, (answer) => worker.postMessage(answer))
      if (!done) return
      thread.jobs.delete(message.job)
      dispatch()
      rest(thread)
    })
    worker.once('error', (error) => void end(thread, `${name} failed: ${messageOf(error)}`))
    worker.once('exit', () => void end(thread, `${name} ended`))
    return thread
  }

  /** Ends an idle thread after `idleMs`. */
  const rest = (thread: Thread<To, From>) => {
    if (idleMs === undefined || thread.jobs.size > 0) return
    thread.idle = setTimeout(() => void end(thread, `${name} ended`), idleMs).unref()
  }

  const threadFor = (group: object): Thread<To, From> | undefined => {
    const all = [...threads]
    return (
      all.find(({ jobs }) => [...jobs.values()].some((job) => job.group === group)) ??
      all.find(({ jobs }) => jobs.size === 0) ??
      (all.length < maxThreads ? start() : undefined)
    )
  }
  const dispatch = () => {
    for (const [id, job] of waiting) {
      const thread = threadFor(job.group)
      if (!thread) continue
      waiting.delete(id)
      thread.jobs.set(id, job)
      clearTimeout(thread.idle)
      if (thread.ready) job.begin(() => late(thread))
      thread.worker.postMessage(job.start(), job.transfer)
    }
  }

  return {
    run: (job) =>
      new Promise((resolve) => {
        const id = ids++
        const timers: NodeJS.Timeout[] = []
        const settle = (run: Parameters<typeof resolve>[0]) => {
          for (const timer of timers) clearTimeout(timer)
          resolve(run)
        }
        const overdue = () => {
          const holder = [...threads].find(({ jobs }) => jobs.has(id))
          if (holder) return late(holder)
          waiting.delete(id)
          settle({ failure: `${name} had no thread free within the deadline` })
        }
        if (job.withinMs !== undefined) timers.push(setTimeout(overdue, job.withinMs))
        waiting.set(id, {
          group: job.group,
          start: () => job.start(id),
          transfer: job.transfer ?? [],
          onMessage: (message, send) => {
            const result = job.onMessage(message, send)
            if (result === undefined) return false
            settle({ result })
            return true
          },
          begin: (expired) => {
            if (job.runMs !== undefined) timers.push(setTimeout(expired, job.runMs))
          },
          fail: (failure) => settle({ failure }),
        })
        dispatch()
      }),
    close: async () => {
      for (const job of waiting.values()) job.fail(`${name}: closing`)
      waiting.clear()
      await Promise.all([...threads].map((thread) => end(thread, `${name}: closing`)))
    },
  }
}
