/**
 * Worker threads for work on foreign input: each thread has a heap limit and each job a time limit, jobs of different
 * groups never share a thread at a time, and a thread that dies or is late takes its own group's jobs with it only. The
 * next job gets a fresh thread; idle ones stay warm.
 */
import type { Worker } from 'node:worker_threads'
import { messageOf } from '../errors.ts'
import { startWorker } from './worker.ts'

type ThreadOptions = {
  /** What the thread does, as failures name it: "the in-process EVM". */
  name: string
  /** Module that answers messages in the thread, TypeScript. */
  module: URL
  /** Megabytes of heap of one thread. */
  memoryMb: number
  /** Of these, what short-lived objects may take until they are collected. @default V8's */
  youngMb?: number
  /** Threads at a time. */
  most: number
  /** Milliseconds after which a thread without a job ends. @default never */
  idleMs?: number
}

type ThreadJob<To, From, Result> = {
  /** Jobs with the same group may run in one thread together. */
  group: object
  start: (id: number) => To
  /** Memory that the first message hands over. */
  transfer?: readonly ArrayBuffer[]
  /** Takes a message of the job; anything but `undefined` is its result. */
  hear: (message: From, tell: (message: To) => void) => Result | undefined
  /** Milliseconds from now, waiting for a thread included. */
  withinMs?: number
  /** Milliseconds from the moment a thread takes the job. */
  runMs?: number
}
type ThreadRun<Result> = { result: Result } | { failure: string }

/** Threads of one kind, started as jobs need them. `To` and `From` are the messages to and from a thread. */
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
  /** True when that was the job's last message. */
  hear: (message: From, tell: (message: To) => void) => boolean
  /** A thread is ready for the job: its time starts. */
  begin: (late: () => void) => void
  fail: (failure: string) => void
}
type Thread<To, From> = { worker: Worker; ready: boolean; jobs: Map<number, Entry<To, From>>; idle?: NodeJS.Timeout }

/** Starts no thread yet: the first job does. A thread does not keep the process alive. */
export const createThreads = <To, From extends { job: number }>(options: ThreadOptions): Threads<To, From> => {
  const { name, module, memoryMb, youngMb, most, idleMs } = options
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
      const done = thread.jobs.get(message.job)?.hear(message, (answer) => worker.postMessage(answer))
      if (!done) return
      thread.jobs.delete(message.job)
      dispatch()
      rest(thread)
    })
    worker.once('error', (error) => void end(thread, `${name} failed: ${messageOf(error)}`))
    worker.once('exit', () => void end(thread, `${name} ended`))
    return thread
  }

  /** Ends the thread after a while, unless a job comes. */
  const rest = (thread: Thread<To, From>) => {
    if (idleMs === undefined || thread.jobs.size > 0) return
    thread.idle = setTimeout(() => void end(thread, `${name} ended`), idleMs).unref()
  }

  const threadFor = (group: object): Thread<To, From> | undefined => {
    const all = [...threads]
    return (
      all.find(({ jobs }) => [...jobs.values()].some((job) => job.group === group)) ??
      all.find(({ jobs }) => jobs.size === 0) ??
      (all.length < most ? start() : undefined)
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
          hear: (message, tell) => {
            const result = job.hear(message, tell)
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
