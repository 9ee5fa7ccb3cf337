import { type Clock, steadyTime } from '../../context/clock.ts'
import { unavailable } from '../errors.ts'

const STEP_MS = 50

/**
 * Waits until the brokers know a topic and its leaders, which happens a moment after its creation was acknowledged. The
 * duration of each check counts, because one takes as long as a whole call while no broker answers.
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
