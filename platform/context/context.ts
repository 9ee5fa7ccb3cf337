import type { Clock } from './clock.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Dependencies that every part gets. Configuration is passed separately, only the values that a part needs. */
export type Context = {
  log: Logger
  metrics: Metrics
  clock: Clock
  lifecycle: Lifecycle
}
