/** Runs works of one process one after the other, in the order asked, whatever becomes of each. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>

export const createLock = (): Lock => {
  let tail: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work)
    tail = result.catch(() => undefined)
    return result
  }
}
