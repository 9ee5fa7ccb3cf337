/**
 * How long the demonstration asks again. A network that is still reading or scoring refuses to answer and says so (503), which on a
 * slow or busy machine takes minutes and is no mistake; an answer that is not as expected has less time to become so.
 */
import type { Mismatch } from './check.ts'

/** From the first answers on, ms. */
const ANSWERED_MS = 90_000
/** While answers are refused, ms. */
const REFUSED_MS = 900_000

/** What a network said instead of an answer, its first sentence; `undefined` when nobody was refused. */
export const refusalIn = (mismatches: readonly Mismatch[]): string | undefined => {
  const [refused] = mismatches.flatMap(({ refusal }) => refusal ?? [])
  return refused?.split('. ')[0]
}

/** @returns whether to ask again, after each time that everybody was asked. */
export const createPatience = (now: () => number): ((mismatches: readonly Mismatch[]) => boolean) => {
  const end = now() + REFUSED_MS
  let answeredUntil: number | undefined
  return (mismatches) => {
    if (mismatches.length === 0) return false
    answeredUntil = refusalIn(mismatches) === undefined ? (answeredUntil ?? now() + ANSWERED_MS) : undefined
    return now() < Math.min(end, answeredUntil ?? end)
  }
}
