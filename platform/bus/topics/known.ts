import { type Clock, steadyTime } from '../../context/clock.ts'
import { unavailable } from '../errors.ts'

const STEP_MS = 50

/**
 * Waits until brokers know a topic, and who leads it: they learn of that a moment after the creation was acknowledged.
 * The time that questions take counts, because one takes as long as a whole call while no broker answers.
 * @throws RetryableError ASSAY_BUS_UNAVAILABLE after `ms`
 */
export const untilKnown = async (
  clock: Clock,
  topic: string,
  isKnown: () => Promise<boolean>,
  ms: number,
): Promise<void> => {
  const time = steadyTime(clock.now)
  const end = time() + ms
  while (!(await isKnown())) {
    if (time() >= end) throw unavailable(`create topic ${topic}`)
    await clock.sleep(STEP_MS)
  }
}
