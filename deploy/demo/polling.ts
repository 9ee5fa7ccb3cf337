/**
 * How long the demonstration repeats its requests. A network that is still indexing or scoring responds with 503, which is
 * normal and takes minutes on a slow or busy machine. Once it answers, unexpected answers get less time.
 */
import type { Context } from '../../platform/context/context.ts'
import type { Mismatch } from './check.ts'

/** Time for unexpected answers to become expected, ms. */
const WRONG_ANSWERS_MS = 90_000
/** Total time, including responses with 503, ms. */
const REFUSALS_MS = 900_000

/** First sentence of a 503 response; `undefined` if there was none. */
export const refusalIn = (mismatches: readonly Mismatch[]): string | undefined => {
  const [refused] = mismatches.flatMap(({ refusal }) => refusal ?? [])
  return refused?.split('. ')[0]
}

/** Decides after each round whether to repeat it. */
const createPollLimit = (now: () => number): ((mismatches: readonly Mismatch[]) => boolean) => {
  const end = now() + REFUSALS_MS
  let answeredUntil: number | undefined
  return (mismatches) => {
    if (mismatches.length === 0) return false
    answeredUntil = refusalIn(mismatches) === undefined ? (answeredUntil ?? now() + WRONG_ANSWERS_MS) : undefined
    return now() < Math.min(end, answeredUntil ?? end)
  }
}

/**
 * Repeats `ask` until all answers are as expected or time is up, and returns the last answers.
 * @throws the signal's reason when the process stops, because missing answers are then no mismatches
 */
export const pollUntilExpected = async <T extends { mismatches: readonly Mismatch[] }>(
  { clock, lifecycle: { signal } }: Pick<Context, 'clock' | 'lifecycle'>,
  pauseMs: number,
  ask: () => Promise<T>,
): Promise<T> => {
  const again = createPollLimit(clock.now)
  for (;;) {
    const answers = await ask()
    signal.throwIfAborted()
    if (!again(answers.mismatches)) return answers
    await clock.sleep(pauseMs, signal)
  }
}
