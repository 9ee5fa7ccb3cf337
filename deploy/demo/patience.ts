/**
 * How long the demonstration asks again. A network that is still reading or scoring refuses to answer and says so (503), which on a
 * slow or busy machine takes minutes and is no mistake; an answer that is not as expected has less time to become so.
 */
import type { Context } from '../../platform/context/context.ts'
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

/** Whether to ask again, after each time that everybody was asked. */
const createPatience = (now: () => number): ((mismatches: readonly Mismatch[]) => boolean) => {
  const end = now() + REFUSED_MS
  let answeredUntil: number | undefined
  return (mismatches) => {
    if (mismatches.length === 0) return false
    answeredUntil = refusalIn(mismatches) === undefined ? (answeredUntil ?? now() + ANSWERED_MS) : undefined
    return now() < Math.min(end, answeredUntil ?? end)
  }
}

/**
 * Asks until all answers are as expected or time is up, and returns the last ones.
 * @throws the signal's reason when the process is to stop: what was not answered by then is no mismatch
 */
export const askPatiently = async <T extends { mismatches: readonly Mismatch[] }>(
  { clock, lifecycle: { signal } }: Pick<Context, 'clock' | 'lifecycle'>,
  pauseMs: number,
  ask: () => Promise<T>,
): Promise<T> => {
  const again = createPatience(clock.now)
  for (;;) {
    const answers = await ask()
    signal.throwIfAborted()
    if (!again(answers.mismatches)) return answers
    await clock.sleep(pauseMs, signal)
  }
}
