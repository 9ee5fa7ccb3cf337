/**
 * External calls whose effects and answers happen in an order that a seed decides. A call first takes effect and is
 * answered later; between both, or before either, its caller may be killed, and its answer or its effect may be lost.
 */
import { setImmediate } from 'node:timers/promises'

/** A generator of numbers in [0, 1), the same for the same seed (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A running process; its pending calls are never answered once it is dead. */
export type Process = { alive: boolean }

type Call = {
  by: Process
  effect: () => unknown
  state: 'sent' | 'done'
  settle: () => void
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export type Schedule = {
  /** Resolves or rejects with the result of `effect` when its turn comes. */
  call: <T>(by: Process, effect: () => T) => Promise<T>
  /** Performs one step: an effect or an answer. False if there is nothing left to do. */
  step: () => Promise<boolean>
  /** Ends a process. Each of its pending calls still takes effect or is lost. */
  kill: (by: Process) => void
}

export const createSchedule = (random: () => number): Schedule => {
  let calls: Call[] = []
  const without = (call: Call) => {
    calls = calls.filter((other) => other !== call)
  }
  return {
    call: <T>(by: Process, effect: () => T) =>
      new Promise<T>((resolve, reject) => {
        calls.push({ by, effect, state: 'sent', settle: () => undefined, resolve: resolve as Call['resolve'], reject })
      }),
    step: async () => {
      const call = calls[Math.floor(random() * calls.length)]
      if (!call) return false
      if (call.state === 'sent') {
        call.state = 'done'
        try {
          const value = call.effect()
          call.settle = () => call.resolve(value)
        } catch (error) {
          call.settle = () => call.reject(error)
        }
        if (!call.by.alive) without(call)
      } else {
        without(call)
        call.settle()
        await setImmediate()
      }
      return true
    },
    kill: (by) => {
      by.alive = false
      calls = calls.filter((call) => call.by !== by || (call.state === 'sent' && random() < 0.5))
    },
  }
}
