/** Estimates whether a search will end in useful time, by how much one answer covers. */

/** Maximum number of requests of one walk: at a provider's pace, about the time that a past may take. */
const MAX_REQUESTS = 20_000
/** Consecutive answers that have to be too narrow; some are where much happened. */
const PATIENCE = 10

/**
 * Gets the covered and remaining blocks of each answer. Returns why the walk should be given up; `undefined` while it should
 * continue.
 */
export const createEffort = () => {
  let narrow = 0
  return (covered: number, left: number): string | undefined => {
    const requests = Math.ceil(left / Math.max(1, covered))
    narrow = requests > MAX_REQUESTS ? narrow + 1 : 0
    if (narrow < PATIENCE) return undefined
    return `endpoints answer for ${covered} blocks at a time, so that the other ${left} would take ${requests} requests`
  }
}
