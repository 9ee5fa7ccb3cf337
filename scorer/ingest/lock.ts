/** Runs works of one process one after the other, in the order asked, whatever becomes of each. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/** A lock that knows of this process alone; between processes compare-and-set in the store decides. */
export const createLock = (): Lock => {
  let tail: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work)
    tail = result.catch(() => undefined)
    return result
  }
}

/**
 * One reading for all who ask before it begins. Who asks later gets another one, so that nobody is told what was read before they
 * asked: a scorer asks once it holds a partition, and what was read earlier may lack what the holder before it wrote.
 */
export const createJointRead = <T>(read: () => Promise<T>): (() => Promise<T>) => {
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
