/**
 * What `npm start` costs while nobody asks anything: processor time of the process a minute, after the demonstration is over,
 * without the local chain, whose nodes are processes of their own (`chain`). The figure is in seconds a minute; the ceiling is
 * 3 % of a core. `threads` are the busiest of them, by name, and `statements` what the store was asked, calls a minute. It takes
 * some five minutes: the demonstration, 90 s of rest, 120 s of measuring.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../kit/free-port.ts'
import { STARTED } from '../kit/processes/terminal.ts'
import { until } from '../kit/until.ts'
import { numberOf } from './api.load.ts'
import type { BenchResult } from './run.ts'

const ROOT = join(import.meta.dirname, '../..')
const CEILING_S = 1.8
/** How long it may take to end, ms. */
const PATIENCE_MS = 60_000
/** Clock ticks of /proc a second (USER_HZ, the same on every Linux). */
const TICKS = 100

/** Name, parent and processor seconds of a line of /proc/<pid>/stat. */
const readStat = (path: string) => {
  const text = readFileSync(path, 'utf8')
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS
  return { name: text.slice(text.indexOf('(') + 1, end), parent: Number(fields[1]), seconds }
}
const tryStat = (path: string) => {
  try {
    return [readStat(path)]
  } catch {
    return []
  }
}

const threadsOf = (pid: number): Map<string, number> => {
  const byName = new Map<string, number>()
  for (const { name, seconds } of readdirSync(`/proc/${pid}/task`).flatMap((id) =>
    tryStat(`/proc/${pid}/task/${id}/stat`),
  ))
    byName.set(name, (byName.get(name) ?? 0) + seconds)
  return byName
}
const childrenOf = (pid: number): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => tryStat(`/proc/${id}/stat`))
    .filter(({ parent, name }) => parent === pid && name === 'anvil')
    .reduce((sum, { seconds }) => sum + seconds, 0)

/** Calls of the store so far, by what is asked of it and where. */
const statementsOf = async (metricsUrl: string): Promise<Map<string, number>> => {
  const text = await fetch(metricsUrl).then((response) => response.text())
  const byRoute = new Map<string, number>()
  for (const [, labels = '', value] of text.matchAll(/^assay_store_seconds_count\{(.*)\} (\S+)$/gm)) {
    const label = (name: string) => labels.match(`${name}="(.*?)"`)?.[1] ?? ''
    const route = `${label('kind')} ${label('route')}`
    byRoute.set(route, (byRoute.get(route) ?? 0) + Number(value))
  }
  return byRoute
}

const sample = async (pid: number, metricsUrl: string) => ({
  statements: await statementsOf(metricsUrl),
  own: readStat(`/proc/${pid}/stat`).seconds,
  chain: childrenOf(pid),
  threads: threadsOf(pid),
})

/** What grew from one count to the other, a minute, the most first; `least` and more. */
const grown = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  perMinute: (one: number) => number,
  least: number,
) =>
  Object.fromEntries(
    [...after]
      .map(([name, value]) => [name, perMinute(value - (before.get(name) ?? 0))] as const)
      .filter(([, value]) => value >= least)
      .toSorted((a, b) => b[1] - a[1]),
  )

/** Arguments: `--seconds=120 --settle=90`, how long is measured and how long is waited before. */
export const run = async (args: readonly string[] = []): Promise<BenchResult> => {
  const seconds = numberOf(args, 'seconds', 120)
  const settle = numberOf(args, 'settle', 90)
  const data = mkdtempSync(join(tmpdir(), 'assay-bench-idle-'))
  const port = await freePort()
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'deploy/assay.js'), 'up'], {
    cwd: ROOT,
    env: { PATH, HOME, ASSAY_DATA: data, ASSAY_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    let output = ''
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString()
    })
    const isOver = () => {
      if (child.exitCode !== null) throw new Error(`npm start ended with code ${child.exitCode}: ${output}`)
      return output.includes(STARTED)
    }
    await until('the demonstration is over', isOver, 900_000)
    const pid = child.pid ?? 0
    const rest = (s: number, what: string) => {
      process.stderr.write(`${what} ${s} s\n`)
      return new Promise((resolve) => setTimeout(resolve, s * 1_000))
    }
    await rest(settle, 'The demonstration is over. Rests')
    const metricsUrl = `http://127.0.0.1:${port}/metrics`
    const before = await sample(pid, metricsUrl)
    await rest(seconds, 'Measures')
    const after = await sample(pid, metricsUrl)
    const perMinute = (one: number) => Number(((one * 60) / seconds).toFixed(2))
    const figure = perMinute(after.own - before.own)
    return {
      figure,
      ceiling: CEILING_S,
      ratio: Number((figure / CEILING_S).toFixed(2)),
      unit: 'seconds of processor time a minute',
      chain: perMinute(after.chain - before.chain),
      threads: grown(before.threads, after.threads, perMinute, 0.05),
      statements: grown(before.statements, after.statements, perMinute, 0.1),
      load: loadavg().map((value) => Number(value.toFixed(1))),
    }
  } finally {
    child.kill('SIGINT')
    const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    await ended
    clearTimeout(patience)
    rmSync(data, { recursive: true, force: true })
  }
}
