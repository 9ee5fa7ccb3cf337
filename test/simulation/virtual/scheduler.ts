/**
 * The event loop of a simulated world. Everything in it is an event with a virtual time; events run one after the other
 * in order of time. Between two events all promises that can proceed do, so that code under test is always found waiting
 * for an event. All randomness comes from one seed; the same seed gives the same events.
 */
import { createRandom, type Random } from '../../../deploy/demo/scenario/random.ts'

export type Scheduler = {
  random: Random
  /** Virtual time, ms since the epoch. */
  now: () => number
  /** Runs `event` after `ms` of virtual time. Returns a function that cancels it. */
  after: (ms: number, event: () => void) => () => void
  /** Stops virtual time until work outside the simulation is done: a real store. */
  outside: <T>(work: Promise<T>) => Promise<T>
  /** Records an event: for people, and for the fingerprint of the run. */
  note: (text: string) => void
  /** Ends the run with an error: the world itself is wrong, or an invariant was violated. */
  fail: (error: unknown) => void
  /** Runs events until `done` or until virtual time has reached `deadline`. Returns whether it is done. */
  run: (done: () => boolean, deadline: number) => Promise<boolean>
  /** The notes, oldest first; only the newest are kept. */
  notes: () => string[]
  /** Equal for runs with the same events. */
  fingerprint: () => string
  events: () => number
}

const START = Date.UTC(2026, 0, 1)
const KEPT_NOTES = 4_000
const IDENTITY = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g

type Event = { at: number; order: number; run: (() => void) | undefined }

/** Runs everything that waits only for other promises. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A binary heap of events, earliest first. */
const createQueue = () => {
  const heap: Event[] = []
  const swap = (a: number, b: number) => {
    const kept = heap[a]!
    heap[a] = heap[b]!
    heap[b] = kept
  }
  const rise = (start: number) => {
    for (let at = start; at > 0; ) {
      const above = (at - 1) >> 1
      if (!isBefore(heap[at]!, heap[above]!)) return
      swap(at, above)
      at = above
    }
  }
  const sink = () => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      if (left >= heap.length) return
      const right = left + 1
      const least = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left
      if (!isBefore(heap[least]!, heap[at]!)) return
      swap(at, least)
      at = least
    }
  }
  return {
    push: (event: Event) => {
      heap.push(event)
      rise(heap.length - 1)
    },
    first: () => heap[0],
    shift: () => {
      const last = heap.pop()
      if (heap.length === 0 || last === undefined) return
      heap[0] = last
      sink()
    },
  }
}

export const createScheduler = (seed: number, onNote: (text: string) => void = () => undefined): Scheduler => {
  const queue = createQueue()
  const working = new Set<Promise<unknown>>()
  let notes: string[] = []
  let now = START
  let order = 0
  let events = 0
  let hash = 0x811c9dc5
  let failure: { error: unknown } | undefined

  /** Random ids differ in every run: notes name them by order of appearance. */
  const identities = new Map<string, string>()
  const aliased = (text: string) =>
    text.replace(IDENTITY, (found) => {
      const alias = identities.get(found) ?? `log-${identities.size + 1}`
      identities.set(found, alias)
      return alias
    })

  const note = (original: string) => {
    const text = aliased(original)
    const line = `${((now - START) / 1_000).toFixed(3).padStart(8)} ${text}`
    for (let at = 0; at < line.length; at += 1) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193)
    notes.push(line)
    if (notes.length > 2 * KEPT_NOTES) notes = notes.slice(-KEPT_NOTES)
    onNote(line)
  }

  return {
    random: createRandom(seed),
    now: () => now,
    after: (ms, run) => {
      const event: Event = { at: now + Math.max(0, Math.round(ms)), order: order++, run }
      queue.push(event)
      return () => {
        event.run = undefined
      }
    },
    outside: (work) => {
      working.add(work)
      const done = () => working.delete(work)
      work.then(done, done)
      return work
    },
    note,
    fail: (error) => {
      failure ??= { error }
    },
    run: async (done, deadline) => {
      await settle()
      for (;;) {
        if (failure) throw failure.error
        if (done()) return true
        const event = queue.first()
        if (!event || event.at > deadline) {
          now = Math.max(now, Math.round(deadline))
          return false
        }
        queue.shift()
        if (!event.run) continue
        now = event.at
        events += 1
        event.run()
        await settle()
        while (working.size > 0) {
          await Promise.allSettled(working)
          await settle()
        }
      }
    },
    notes: () => notes.slice(-KEPT_NOTES),
    fingerprint: () => `${events}:${(hash >>> 0).toString(16)}`,
    events: () => events,
  }
}
