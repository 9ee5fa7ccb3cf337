import { type Clock, systemClock } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { createLifecycle } from '../../platform/context/lifecycle.ts'
import { createLog } from '../../platform/context/log.ts'
import { createMetrics } from '../../platform/context/metrics.ts'

/** A silent context for one test. */
export const testContext = (clock: Clock = systemClock): Context => ({
  log: createLog('silent'),
  metrics: createMetrics(),
  clock,
  lifecycle: createLifecycle(),
})

/** Sum of a counter's values over all labels, or over matching ones. */
export const counted = async (context: Context, name: string, labels: Record<string, string> = {}): Promise<number> => {
  const metric = context.metrics.registry.getSingleMetric(name)
  const { values } = (await metric?.get()) ?? { values: [] }
  return values
    .filter((one) => Object.entries(labels).every(([label, value]) => String(one.labels[label as never]) === value))
    .reduce((sum, one) => sum + one.value, 0)
}
