/**
 * Runs computations with bounded concurrency, a bounded queue and a deadline. Concurrent requests for one key share a
 * computation.
 */
export type Compute = <V>(key: string, run: (signal: AbortSignal) => Promise<V>) => Promise<V>

/** The queue of computations is full. */
export class Busy extends Error {}

/** A computation exceeded its deadline. */
export class Late extends Error {}

/** Limits of computations. Throws Busy beyond `maxWaiting`, and Late after `deadlineMs`. */
export type ComputeOptions = { concurrency: number; maxWaiting: number; deadlineMs: number }

/** Rejects with `Late` at the deadline, even if the work ignores the signal. */
const withDeadline = <V>(run: (signal: AbortSignal) => Promise<V>, deadlineMs: number): Promise<V> => {
  const controller = new AbortController()
  return new Promise<V>((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = new Late(`no result within ${deadlineMs} ms`)
      controller.abort(late)
      reject(late)
    }, deadlineMs)
    run(controller.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

/** Callers of one key share the computation and its error. */
export const createCompute = ({ concurrency, maxWaiting, deadlineMs }: ComputeOptions): Compute => {
  const underWay = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let running = 0

  const turn = async () => {
    if (running < concurrency) {
      running++
      return
    }
    if (waiting.length >= maxWaiting) throw new Busy('too many computations are waiting')
    // The computation that ends passes on its slot, so `running` stays unchanged.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  const start = async <V>(run: (signal: AbortSignal) => Promise<V>): Promise<V> => {
    await turn()
    try {
      return await withDeadline(run, deadlineMs)
    } finally {
      leave()
    }
  }

  return <V>(key: string, run: (signal: AbortSignal) => Promise<V>): Promise<V> => {
    // A key names one kind of value: callers of one key all pass the same V.
    const known = underWay.get(key) as Promise<V> | undefined
    if (known) return known
    const promise = start(run).finally(() => underWay.delete(key))
    underWay.set(key, promise)
    return promise
  }
}
