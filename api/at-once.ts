/** Concurrent work on a list. */

/** Maps items with bounded concurrency. Results are in the order of the items. @param most maximum concurrency */
export const atOnce = async <T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => R | Promise<R>,
): Promise<R[]> => {
  const results = new Array<R>(items.length)
  const rest = items.entries()
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  return results
}
