import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Metrics of one process. Factories are idempotent by name, so that modules ask for what they need without sharing
 * state: the registry is the state. Names are frozen by a test against dashboards and alert rules.
 */
export type Metrics = {
  registry: Registry
  counter: <L extends string>(name: string, help: string, labels?: readonly L[]) => Counter<L>
  gauge: <L extends string>(name: string, help: string, labels?: readonly L[]) => Gauge<L>
  /** Buckets in seconds by default, 1 ms to 60 s. */
  histogram: <L extends string>(name: string, help: string, labels?: readonly L[], buckets?: number[]) => Histogram<L>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const known = new Map<string, unknown>()
  const once = <T>(name: string, create: () => T): T => {
    const metric = (known.get(name) as T | undefined) ?? create()
    known.set(name, metric)
    return metric
  }
  return {
    registry,
    counter: (name, help, labels = []) =>
      once(name, () => new Counter({ name, help, labelNames: labels, registers: [registry] })),
    gauge: (name, help, labels = []) =>
      once(name, () => new Gauge({ name, help, labelNames: labels, registers: [registry] })),
    histogram: (name, help, labels = [], buckets = SECONDS) =>
      once(name, () => new Histogram({ name, help, labelNames: labels, buckets, registers: [registry] })),
  }
}
