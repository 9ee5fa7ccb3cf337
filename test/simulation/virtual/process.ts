/**
 * A simulated process: it acts on the world through calls only, and a call takes time, may get lost, and may never
 * be answered. After a crash nothing of the process continues: its pending waits never end. Requests sent before may
 * still arrive.
 */
import { pino } from 'pino'
import type { Clock } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { createLifecycle } from '../../../platform/context/lifecycle.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import type { Faults } from './faults.ts'
import type { Scheduler } from './scheduler.ts'

export type Call<T> = {
  /** Executed where the request arrives. */
  perform: () => T | Promise<T>
  /** Result for the caller if the request or its answer was lost; calls without it are never lost. */
  lost?: () => Error
  /** Mean latency in each direction, ms. */
  latencyMs?: number
  quiet?: boolean
}

export type Process = {
  name: string
  clock: Clock
  context: Context
  alive: () => boolean
  call: <T>(what: string, call: Call<T>) => Promise<T>
  crash: () => void
  /** Pauses the process for this long. */
  pause: (ms: number) => void
  jump: (ms: number) => void
}

export type ProcessDeps = { scheduler: Scheduler; faults: () => Faults }

const LATENCY_MS = 4
const TIME_OUT_MS = 400
/** Factor of a slow call's latency. */
const SLOW = 100

export const createProcess = (name: string, { scheduler, faults }: ProcessDeps): Process => {
  const { random } = scheduler
  let alive = true
  let pausedUntil = 0
  let offset = 0

  /** Continues in the process if it lives and is not paused. */
  const go = (then: () => void) => {
    if (!alive) return
    const left = pausedUntil - scheduler.now()
    if (left > 0) scheduler.after(left, () => go(then))
    else then()
  }

  const call = <T>(what: string, { perform, lost, latencyMs = LATENCY_MS, quiet = false }: Call<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!alive) return
      const latency = () => random.next() * 2 * latencyMs * (random.next() < faults().slow ? SLOW : 1)
      const { lostRequest, lostAnswer } = faults()
      const luck = lost ? random.next() : 1
      const timeOut = () => {
        scheduler.note(`${name} gets no answer to ${what}`)
        scheduler.after(TIME_OUT_MS, () => go(() => reject(lost?.())))
      }
      if (luck < lostRequest) return timeOut()
      scheduler.after(latency(), async () => {
        if (!alive && random.next() < 0.5) return
        if (!quiet) scheduler.note(`${name}${alive ? '' : ' (dead)'} ${what}`)
        try {
          const answer = await perform()
          if (luck < lostRequest + lostAnswer) timeOut()
          else scheduler.after(latency(), () => go(() => resolve(answer)))
        } catch (error) {
          scheduler.after(latency(), () => go(() => reject(error)))
        }
      })
    })

  const clock: Clock = {
    now: () => scheduler.now() + offset,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (!alive) return
        const aborted = () => {
          cancel()
          if (alive) reject(signal?.reason)
        }
        if (signal?.aborted) return reject(signal.reason)
        const cancel = scheduler.after(ms, () =>
          go(() => {
            signal?.removeEventListener('abort', aborted)
            resolve()
          }),
        )
        signal?.addEventListener('abort', aborted, { once: true })
      }),
  }

  const log = pino(
    { level: 'warn', base: {}, timestamp: false },
    {
      write: (line: string) => {
        if (!alive) return
        const { msg, network = '', code = '', reason = '', err, error }: Record<string, unknown> = JSON.parse(line)
        const message = (err as Error | undefined)?.message ?? error ?? ''
        scheduler.note(
          `${name} logs: ${[network, msg, code, reason, message].filter((part) => part !== '').join(', ')}`,
        )
      },
    },
  )
  const context: Context = { log, metrics: createMetrics(), clock, lifecycle: createLifecycle() }

  return {
    name,
    clock,
    context,
    alive: () => alive,
    call,
    crash: () => {
      scheduler.note(`${name} CRASHES`)
      alive = false
    },
    pause: (ms) => {
      scheduler.note(`${name} PAUSES for ${ms} ms`)
      pausedUntil = scheduler.now() + ms
    },
    jump: (ms) => {
      scheduler.note(`${name} CLOCK JUMPS by ${ms} ms`)
      offset += ms
    },
  }
}
