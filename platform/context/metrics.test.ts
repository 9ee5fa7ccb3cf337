import { expect, test } from 'vitest'
import { createMetrics, measureBuild, measureNode } from './metrics.ts'

/** Names of metrics and series of a text, in its order. */
const read = (text: string) => {
  const lines = text.split('\n')
  return {
    names: lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []),
    series: lines.flatMap((line) => /^([a-z]\S*(?: [^"]*"[^"]*)*?) \S+$/.exec(line)?.[1] ?? []),
  }
}

test('merges the metrics of several threads, each metric and series once', async () => {
  const main = createMetrics('api')
  const others = ['scorer', 'indexer'].map((thread) => createMetrics(thread))
  for (const [index, metrics] of [main, ...others].entries()) {
    metrics.counter('assay_trial_total', 'Trials', ['network']).inc({ network: 'ETH' }, index + 1)
    metrics.histogram('assay_trial_seconds', 'Time', [], [1]).observe(2)
    measureNode(metrics, { process: metrics === main })
  }
  measureBuild(main, { version: '1.2.3', revision: 'abc' })
  for (const other of others) main.join(other.snapshot)
  const text = await main.text()
  const { names, series } = read(text)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(series).size).toBe(series.length)
  expect(text.match(/^assay_trial_total.*$/gm)).toEqual([
    'assay_trial_total{network="ETH",thread="api"} 1',
    'assay_trial_total{network="ETH",thread="scorer"} 2',
    'assay_trial_total{network="ETH",thread="indexer"} 3',
  ])
  expect(text).toContain('assay_trial_seconds_bucket{le="+Inf",thread="indexer"} 1')
  expect(text.match(/^nodejs_eventloop_lag_p99_seconds\{/gm)).toHaveLength(3)
  expect(text.match(/^nodejs_heap_size_used_bytes\{/gm)).toHaveLength(3)
  expect(text.match(/^process_resident_memory_bytes\{/gm)).toEqual(['process_resident_memory_bytes{'])
  expect(text).toMatch(/^assay_build_info\{version="1\.2\.3",revision="abc",node="v\d+[^"]*",thread="api"\} 1$/m)
})

test('leaves out a thread that does not respond', async () => {
  const main = createMetrics()
  main.gauge('assay_trial', 'Trial').set(1)
  main.join(async () => [])
  expect(await main.text()).toContain('assay_trial 1')
})
