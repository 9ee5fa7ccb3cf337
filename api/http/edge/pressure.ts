/** Detects an overloaded event loop. A single pause, such as a garbage collection, does not count as overload. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Lifecycle } from '../../../platform/context/lifecycle.ts'
import { errorAnswer } from '../../answers/answer.ts'

/** Length of a sample, ms. */
const SAMPLE_MS = 250
/** Resolution of the histogram, ms: the delay that it reports for an idle loop. */
const RESOLUTION_MS = 50
/** Consecutive late samples that count as overload. */
const SAMPLES = 2
/** Sampling stops after this many samples without a request: timers would wake an otherwise idle thread. */
const UNASKED = 20

/** The answer to a request that is shed. */
export const SHED = errorAnswer('OVERLOADED', 'The server is busy. Try again shortly.', [], { 'retry-after': '1' })

/** Counts consecutive late samples, each given by its mean delay. */
export const createLag = (maxDelayMs: number) => {
  let late = 0
  return {
    sample: (meanDelayMs: number): void => {
      late = meanDelayMs > maxDelayMs ? late + 1 : 0
    },
    isHigh: (): boolean => late >= SAMPLES,
  }
}

/**
 * Samples the event loop of this thread as long as the returned function is called, until the lifecycle ends.
 * @param maxDelayMs mean delay above which a sample is late; 0 disables the check
 */
export const watchEventLoop = (lifecycle: Pick<Lifecycle, 'onClose'>, maxDelayMs: number): (() => boolean) => {
  if (maxDelayMs === 0) return () => false
  const lag = createLag(maxDelayMs)
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let unasked = 0
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearInterval(timer)
    timer = undefined
    histogram.disable()
    lag.sample(0)
  }
  const start = () => {
    histogram.reset()
    histogram.enable()
    timer = setInterval(() => {
      // Without a turn of the loop there is no mean. The late timer itself is counted in the next sample.
      if (histogram.count > 0) lag.sample(histogram.mean / 1e6 - RESOLUTION_MS)
      histogram.reset()
      unasked += 1
      if (unasked > UNASKED) stop()
    }, SAMPLE_MS)
    timer.unref()
  }
  let ended = false
  lifecycle.onClose('event loop', () => {
    ended = true
    stop()
  })
  return () => {
    unasked = 0
    if (!timer && !ended) start()
    return lag.isHigh()
  }
}
