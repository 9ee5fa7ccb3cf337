/** Runs tasks one after the other in call order. Failures do not affect later tasks. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/** Creates a lock within this process. Between processes, compare-and-set in the store decides. */
export const createLock = (): Lock => {
  let tail: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work)
    tail = result.catch(() => undefined)
    return result
  }
}

/**
 * Shares one read between all callers that ask before it begins. Later callers get a new read, so nobody gets data from before its
 * call: a scorer asks once it owns a partition, and an earlier read may lack what the previous owner wrote.
 */
export const createSharedRead = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    return read()
  }
  return () => {
    next ??= Promise.resolve().then(begin)
    return next
  }
}
