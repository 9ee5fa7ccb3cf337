import type { Clock } from './clock.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/** What every part is given first. Configuration values are passed beside it, only those a part needs. */
export type Context = {
  log: Logger
  metrics: Metrics
  clock: Clock
  lifecycle: Lifecycle
}
