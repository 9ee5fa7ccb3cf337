/** Writes the files of Prometheus and Grafana from `deploy/observability`, and docs/operate/metrics.md from the sources. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { ALERTS, type Alert, runbookOf } from '../observability/alerts.ts'
import { DASHBOARDS, grafanaOf } from '../observability/dashboards.ts'

const ROOT = join(import.meta.dirname, '../..')
const ROOMS = ['platform', 'indexer', 'scorer', 'api', 'deploy']
const GENERATED = '# Made by npm run docs from alerts.ts.\n'

const annotationsOf = (alert: Alert) => ({
  summary: alert.summary,
  runbook: `docs/operate/runbooks/${runbookOf(alert)}.md`,
})

/** Rules as Prometheus reads them. */
const rules = (): string =>
  GENERATED +
  stringify({
    groups: [
      {
        name: 'assay',
        rules: ALERTS.map((alert) => ({
          alert: alert.name,
          expr: alert.expr,
          for: `${alert.minutes}m`,
          labels: { severity: alert.severity },
          annotations: annotationsOf(alert),
        })),
      },
    ],
  })

const seriesOf = (series: Alert['fires']['series']) =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }))

/** Unit tests of the rules as promtool reads them. Annotations with a value are left to their rule. */
const ruleTests = (): string =>
  GENERATED +
  stringify({
    rule_files: ['alerts.yml'],
    evaluation_interval: '1m',
    tests: ALERTS.flatMap((alert) => {
      const minutes = Array.from({ length: alert.rests.at + 1 }, (_, minute) => minute)
      return [
        {
          name: `${alert.name} fires`,
          interval: '1m',
          input_series: seriesOf(alert.fires.series),
          promql_expr_test: [
            {
              expr: `count by (alertname, severity${Object.keys(alert.fires.labels)
                .map((label) => `, ${label}`)
                .join('')}) (ALERTS{alertname="${alert.name}", alertstate="firing"})`,
              eval_time: `${alert.fires.at}m`,
              exp_samples: [
                {
                  labels: `{${Object.entries({ alertname: alert.name, severity: alert.severity, ...alert.fires.labels })
                    .map(([label, value]) => `${label}="${value}"`)
                    .join(', ')}}`,
                  value: 1,
                },
              ],
            },
          ],
        },
        {
          name: `${alert.name} rests`,
          interval: '1m',
          input_series: seriesOf(alert.rests.series),
          alert_rule_test: minutes.map((minute) => ({ eval_time: `${minute}m`, alertname: alert.name })),
        },
      ]
    }),
  })

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))

/** A metric as the sources declare it. */
export type MeasuredMetric = { name: string; type: string; help: string }

/** Every metric of the sources: all are made by a call that names them in place. */
export const measuredMetrics = (): MeasuredMetric[] => {
  const made = /\b(counter|gauge|histogram)\(\s*'(assay_[a-z0-9_]+)',\s*'([^']*)'/g
  const found = new Map<string, MeasuredMetric>()
  for (const file of ROOMS.flatMap((room) => sourcesIn(join(ROOT, room)))) {
    for (const [, type = '', name = '', help = ''] of readFileSync(file, 'utf8').matchAll(made)) {
      found.set(name, { name, type, help })
    }
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

const metricsPage = (): string =>
  [
    '# Metrics',
    '',
    'Made by `npm run docs`. These metrics are at `/metrics` of each process, beside those of Node.js (`nodejs_*`, `process_*`). Label `thread` names',
    'the thread of a process. Dashboards and alert rules are in `deploy/observability`; [runbooks](runbooks/README.md) explain the alerts.',
    '',
    '| metric | type | meaning |',
    '|---|---|---|',
    ...measuredMetrics().map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`),
    '',
  ].join('\n')

const runbookIndex = (): string =>
  [
    '# Runbooks',
    '',
    'Made by `npm run docs`. Each alert of `deploy/observability` has a page. Severity `page` needs action now, `ticket` within a working day. For error',
    'codes in logs, in `/status` and in alerts, [errors.md](../../use/errors.md) names the next step.',
    '',
    '| alert | severity | meaning |',
    '|---|---|---|',
    ...ALERTS.map((alert) => {
      const meaning = alert.summary.replaceAll(/\{\{ \$(?:labels\.)?(\w+)[^}]*\}\}/g, (_, name: string) => `<${name}>`)
      return `| [${alert.name}](${runbookOf(alert)}.md) | ${alert.severity} | ${meaning.replaceAll('<', '`<').replaceAll('>', '>`')} |`
    }),
    '',
  ].join('\n')

/** Where Prometheus and Grafana find rules and dashboards; the chart cannot read files outside its folder. */
const PLACES = ['deploy/observability', 'deploy/helm/assay/observability']

/** Every file, by its path in the repository. */
export const observabilityFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ['deploy/observability/alerts.test.yml', ruleTests()],
    ['docs/operate/metrics.md', metricsPage()],
    ['docs/operate/runbooks/README.md', runbookIndex()],
    ...PLACES.flatMap((place): [string, string][] => [
      [`${place}/alerts.yml`, rules()],
      ...DASHBOARDS.map((dashboard): [string, string] => [
        `${place}/dashboards/${dashboard.uid}.json`,
        `${JSON.stringify(grafanaOf(dashboard), null, 2)}\n`,
      ]),
    ]),
  ])

/** Writes all files again. A test holds them equal to what this writes. */
export const writeObservability = (): void => {
  for (const place of PLACES) mkdirSync(join(ROOT, place, 'dashboards'), { recursive: true })
  for (const [path, text] of observabilityFiles()) writeFileSync(join(ROOT, path), text)
}
