/** Metrics, alert rules, dashboards and runbooks name the same things, and Prometheus understands them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../../api/answers/answer.ts'
import { createMetrics, measureBuild, measureNode } from '../../platform/context/metrics.ts'
import { OWN_FUNCTIONS } from '../../platform/store/analyst/own-functions.ts'
import { EXTENSIONS } from '../../schema/records/extensions.ts'
import { OPERATION_LIST } from '../../schema/records/operations.ts'
import { measuredMetrics, observabilityFiles } from '../docs/observability.ts'
import { ALERTS, runbookOf } from './alerts.ts'
import { DASHBOARDS, NOT_SHOWN } from './dashboards.ts'

const ROOT = join(import.meta.dirname, '../..')
const METRICS = new Set(measuredMetrics().map(({ name }) => name))
const panels = DASHBOARDS.flatMap(({ uid, rows }) =>
  Object.values(rows)
    .flat()
    .map((panel) => ({ uid, ...panel })),
)
const expressions = panels.flatMap(({ uid, title, lines }) =>
  Object.entries(lines).map(([legend, expr]) => ({ where: `${uid}: ${title}: ${legend}`, expr, legend })),
)

/** Metrics that an expression reads; those of a histogram and of Node by the name they are measured under. */
const readBy = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:assay|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
    METRICS.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''),
  )

test('the files are those that `npm run docs` writes', () => {
  for (const [path, text] of observabilityFiles()) expect(readFileSync(join(ROOT, path), 'utf8'), path).toBe(text)
})

test('every metric in alerts and dashboards exists', async () => {
  const metrics = createMetrics('api')
  measureNode(metrics, { process: true })
  measureBuild(metrics, { version: '0', revision: '0' })
  const known = new Set([...METRICS, ...(await metrics.snapshot()).map(({ name }) => name)])
  const wrong = [...expressions, ...ALERTS.map(({ name, expr }) => ({ where: name, expr }))].flatMap(
    ({ where, expr }) => readBy(expr).flatMap((name) => (known.has(name) ? [] : [`${where} reads ${name}`])),
  )
  expect(wrong).toEqual([])
})

test('every metric is on a dashboard, or excluded with a reason', () => {
  const shown = new Set(expressions.flatMap(({ expr }) => readBy(expr)))
  expect([...METRICS].filter((name) => !shown.has(name)).toSorted()).toEqual(Object.keys(NOT_SHOWN).toSorted())
})

test('every metric name in the sources is listed', () => {
  const rooms = ['platform', 'indexer', 'scorer', 'api', 'deploy']
  const files = rooms.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(?:observability|docs)\//.test(file))
      .map((file) => readFileSync(join(ROOT, room, file), 'utf8')),
  )
  const named = new Set(files.flatMap((text) => [...text.matchAll(/'(assay_[a-z0-9_]+)'/g)].map(([, name]) => name)))
  const functions = new Set(OWN_FUNCTIONS.map(({ name }) => name))
  expect([...named].filter((name = '') => !METRICS.has(name) && !functions.has(name))).toEqual([])
})

test('operations and outcomes named in alerts and dashboards are those of the API', () => {
  const counted = new Set<string>([...OPERATION_LIST.map(({ id }) => id), ...EXTENSIONS.map(({ id }) => id), 'other'])
  const texts = [...expressions.map(({ expr }) => expr), ...ALERTS.map((alert) => JSON.stringify(alert))]
  const valuesOf = (label: string) =>
    texts.flatMap((text) =>
      [...text.matchAll(new RegExp(`[{, ]${label}!?=\\\\*"(\\w+)`, 'g'))].map(([, value = '']) => value),
    )
  expect(valuesOf('operation').length).toBeGreaterThan(0)
  expect(valuesOf('operation').filter((value) => !counted.has(value))).toEqual([])
  expect(valuesOf('outcome').filter((value) => !(value in ERROR_STATUS) && !['ok', 'error'].includes(value))).toEqual(
    [],
  )
})

test('legends and summaries use only labels of their expression', () => {
  const wrong = [
    ...expressions.map(({ where, legend, expr }) => ({ where, text: legend, expr })),
    ...ALERTS.map(({ name, summary, expr }) => ({ where: name, text: summary.replaceAll('$labels.', ''), expr })),
  ].flatMap(({ where, text, expr }) =>
    [...text.matchAll(/\{\{ ?(\w+) ?\}\}/g)].flatMap(([, label = '']) => {
      const kept =
        !/\bby \(/.test(expr) ||
        [...expr.matchAll(/\bby \(([^)]*)\)/g)].some(([, labels = '']) => labels.split(', ').includes(label))
      return kept ? [] : [`${where}: ${label}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('every alert has a runbook with checks and remedies, and every runbook has an alert', () => {
  const pages = readdirSync(join(ROOT, 'docs/operate/runbooks')).filter((file) => file !== 'README.md')
  expect(pages.toSorted()).toEqual(ALERTS.map((alert) => `${runbookOf(alert)}.md`).toSorted())
  for (const alert of ALERTS) {
    const page = readFileSync(join(ROOT, 'docs/operate/runbooks', `${runbookOf(alert)}.md`), 'utf8')
    expect(page).toMatch(new RegExp(`^# ${alert.name}\n[^]*\n## Look\n\n1\\. [^]*\n## Do\n\n\\* `))
    for (const [, title] of page.matchAll(/(?<!\*)\*([A-Z][^*]+)\*(?!\*)/g)) {
      const titles = [
        ...panels.map((panel) => panel.title),
        ...DASHBOARDS.map((one) => one.title.replace('Assay: ', '')),
      ]
      for (const part of title?.split(/\* and \*/) ?? [])
        expect(
          titles.some((one) => one.startsWith(part)),
          `${alert.name}: ${part}`,
        ).toBe(true)
    }
    for (const [name] of page.matchAll(/\bassay_[a-z0-9_]+/g))
      expect(
        readBy(name).every((one) => METRICS.has(one)),
        name,
      ).toBe(true)
    for (const [, link = ''] of page.matchAll(/\]\(([^)#]+)/g))
      expect(existsSync(join(ROOT, 'docs/operate/runbooks', link)), link).toBe(true)
  }
})

const promtool = (args: string[], input?: string) =>
  spawnSync('promtool', args, { cwd: import.meta.dirname, encoding: 'utf8', ...(input !== undefined && { input }) })
const missing = promtool(['--version']).status === 0 ? '' : ' (skipped: no promtool)'

test.skipIf(missing)(`every alert fires and stays silent as its tests expect${missing}`, () => {
  const { status, stdout, stderr } = promtool(['test', 'rules', 'alerts.test.yml'])
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 })
})

test.skipIf(missing)(`Prometheus parses every expression of the dashboards${missing}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rules-'))
  const file = join(folder, 'panels.yml')
  const rules = expressions.map(({ expr }, index) => ({
    record: `panel_${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  const { status, stdout, stderr } = promtool(['check', 'rules', file])
  rmSync(folder, { recursive: true })
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 })
})

test.skipIf(missing)(`Prometheus parses the metrics of a process with threads${missing}`, async () => {
  const main = createMetrics('api')
  const other = createMetrics('scorer')
  for (const metrics of [main, other]) {
    metrics.counter('assay_trial_total', 'Trials', ['network']).inc({ network: 'ETH' })
    metrics.histogram('assay_trial_seconds', 'Time').observe(1)
    measureNode(metrics, { process: metrics === main })
  }
  measureBuild(main, { version: '0', revision: '0' })
  main.join(other.snapshot)
  const { status, stdout, stderr } = promtool(['check', 'metrics'], await main.text())
  // 3 stands for advice about names; those of Node are not ours.
  const advice = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('assay_'))
  expect({ parsed: status === 0 || status === 3, advice }).toEqual({ parsed: true, advice: [] })
})
