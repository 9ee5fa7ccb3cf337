/** Suggestions for misspelt names. */

/** Optimal string alignment distance: letters to change, insert, delete or swap to get from one name to the other. */
const distance = (a: string, b: string): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      }
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}

/** Maximum distance for a suggestion: a third of the name's letters, at most three. */
const toleranceOf = (name: string): number => Math.min(3, Math.max(1, Math.floor(name.length / 3)))

/**
 * The candidate nearest to the given name, ignoring case; `undefined` if none is near.
 * @param within maximum distance. @default a share of the name's length
 */
export const nearest = (given: string, candidates: readonly string[], within?: number): string | undefined => {
  const asked = given.toLowerCase()
  let best: { name: string; far: number } | undefined
  for (const name of candidates) {
    if (Math.abs(name.length - given.length) > 3) continue
    const far = distance(asked, name.toLowerCase())
    if (far <= (within ?? toleranceOf(name)) && (!best || far < best.far)) best = { name, far }
  }
  return best?.name
}

/** Suffix for an error message: ` Did you mean x?`, or nothing without a near candidate. */
export const didYouMean = (given: string, candidates: readonly string[]): string => {
  const name = nearest(given, candidates)
  return name === undefined ? '' : ` Did you mean ${name}?`
}
