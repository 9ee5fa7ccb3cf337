/** Whether the event loop keeps up. One pause is no overload: a collection of garbage, or a core that others use for a moment. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Lifecycle } from '../../../platform/context/lifecycle.ts'
import { errorAnswer } from '../../answers/answer.ts'

/** Length of a sample, ms. */
const SAMPLE_MS = 250
/** Resolution of the histogram, ms: an idle loop is that late. */
const RESOLUTION_MS = 50
/** Samples in a row that must lag. */
const SAMPLES = 2
/** Samples after which the loop is left alone when nobody has asked: they wake a thread that does nothing else. */
const UNASKED = 20

/** The answer to what is shed. */
export const SHED = errorAnswer('OVERLOADED', 'The server is busy. Try again shortly.', [], { 'retry-after': '1' })

/** Whether whole samples in a row lag, given the mean delay of each as it ends. */
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
 * Watches the event loop of this thread while somebody asks, until the lifecycle ends.
 * @param maxDelayMs mean delay of a sample from which on it lags; 0 never lags
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
      // A sample in which the loop did not turn once has no mean: the timer itself is what came late, and is counted next.
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
