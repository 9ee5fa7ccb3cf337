/** Whether a search comes to an end in any useful time, by how much one answer covers. */

/** Questions of one walk over a chain at most: at the pace of a provider, about the time that a past may take. */
const MOST_QUESTIONS = 20_000
/** Answers in a row that have to be too narrow: a few are so where much happened. */
const PATIENCE = 10

/**
 * Told of each answer of a walk: the blocks it covers and those that are left. Gives why the walk is not worth going on with;
 * `undefined` while it is.
 */
export const createEffort = () => {
  let narrow = 0
  return (covered: number, left: number): string | undefined => {
    const questions = Math.ceil(left / Math.max(1, covered))
    narrow = questions > MOST_QUESTIONS ? narrow + 1 : 0
    if (narrow < PATIENCE) return undefined
    return `endpoints answer for ${covered} blocks at a time, so that the other ${left} would take ${questions} questions`
  }
}
