import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

/** Values of metrics, as one thread passes them to another. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

/**
 * Metrics of one thread. Factories are idempotent by name, so that modules can ask for the same metric without sharing
 * state. A test compares the names with dashboards, alert rules and docs/operate/metrics.md.
 */
export type Metrics = {
  registry: Registry
  counter: <L extends string>(name: string, help: string, labels?: readonly L[]) => Counter<L>
  gauge: <L extends string>(name: string, help: string, labels?: readonly L[]) => Gauge<L>
  /** Buckets in seconds by default, 1 ms to 60 s. */
  histogram: <L extends string>(name: string, help: string, labels?: readonly L[], buckets?: number[]) => Histogram<L>
  /** Values of this thread. */
  snapshot: () => Promise<Snapshot>
  /** Includes another thread's values in `text`. */
  join: (other: () => Promise<Snapshot>) => void
  /** Values of this thread and of joined threads in Prometheus's text format, each metric once. */
  text: () => Promise<string>
}

/** The content type of `text`. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Merges snapshots into one text: threads share metrics, and the format allows each metric only once. */
const textOf = (snapshots: readonly Snapshot[]): Promise<string> => {
  const byName = new Map<string, Snapshot[number]>()
  for (const metric of snapshots.flat()) {
    const known = byName.get(metric.name)
    byName.set(metric.name, { ...metric, values: [...(known?.values ?? []), ...metric.values] })
  }
  const registry = new Registry()
  // A registry only needs a metric's name and values.
  for (const metric of byName.values())
    registry.registerMetric({ ...metric, get: async () => metric } as unknown as Metric)
  return registry.metrics()
}

/** @param thread label added to every value, to distinguish the threads of a process. */
export const createMetrics = (thread?: string): Metrics => {
  const registry = new Registry()
  if (thread !== undefined) registry.setDefaultLabels({ thread })
  const known = new Map<string, unknown>()
  const others: (() => Promise<Snapshot>)[] = []
  const once = <T>(name: string, create: () => T): T => {
    const metric = (known.get(name) as T | undefined) ?? create()
    known.set(name, metric)
    return metric
  }
  const snapshot = async () => (await registry.getMetricsAsJSON()) as Snapshot
  return {
    registry,
    counter: (name, help, labels = []) =>
      once(name, () => new Counter({ name, help, labelNames: labels, registers: [registry] })),
    gauge: (name, help, labels = []) =>
      once(name, () => new Gauge({ name, help, labelNames: labels, registers: [registry] })),
    histogram: (name, help, labels = [], buckets = SECONDS) =>
      once(name, () => new Histogram({ name, help, labelNames: labels, buckets, registers: [registry] })),
    snapshot,
    join: (other) => {
      others.push(other)
    },
    text: async () => textOf(await Promise.all([snapshot(), ...others.map((other) => other())])),
  }
}

/** Metrics of Node that are the same in every thread of the process. */
const OF_PROCESS = /^process_|^nodejs_(version_info|active_)/

/** How often the event loop delay is sampled, ms. Each sample wakes the thread, even an idle one. */
const LOOP_PRECISION_MS = 50

/**
 * Measures Node: event loop, heap and garbage collection of this thread, and, if `process` is set, CPU, memory and files of
 * the process.
 */
export const measureNode = ({ registry }: Metrics, { process }: { process: boolean }): void => {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS })
  if (process) return
  for (const { name } of registry.getMetricsAsArray()) if (OF_PROCESS.test(name)) registry.removeSingleMetric(name)
}

/** Sets `assay_build_info`, which is always 1 and has version and revision as labels. */
export const measureBuild = (metrics: Metrics, build: { version: string; revision: string }): void => {
  const info = metrics.gauge('assay_build_info', 'Version of Assay and revision of its sources; always 1', [
    'version',
    'revision',
    'node',
  ])
  info.set({ ...build, node: process.version }, 1)
}
