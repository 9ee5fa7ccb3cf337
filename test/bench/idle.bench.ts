/**
 * Cost of `npm start` without requests: processor time of the process in seconds a minute, without the local chain,
 * which is a separate process (`chain`). The ceiling is 3 % of a core. Twice: on a chain that mines an empty block every twelve
 * seconds (`quiet`), and with the demonstration, whose chain goes on trading (`demonstration`). `threads` are the busiest by name,
 * and `statements` the store's statements, calls a minute. Each of the two takes some five minutes.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '../../deploy/demo/node/anvil.ts'
import { freePort } from '../kit/free-port.ts'
import { STARTED } from '../kit/processes/terminal.ts'
import { until } from '../kit/until.ts'
import { numberOf } from './api/load.ts'
import type { BenchResult } from './run.ts'

const ROOT = join(import.meta.dirname, '../..')
const CEILING_S = 1.8
/** Maximum time to end, ms. */
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

/** Calls of the store so far, by statement and place. A busy thread leaves its figures out, and is asked again. */
const statementsOf = async (metricsUrl: string): Promise<Map<string, number>> => {
  const text = await until('all threads answer', async () => {
    const found = await fetch(metricsUrl).then((response) => response.text())
    return /^assay_store_seconds_count\{.*thread="scorer"/m.test(found) && found
  })
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
  threads: threadsOf(pid),
})

/** Increases between two counts, per minute, descending; `least` and more. */
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

const MODES = ['quiet', 'demonstration'] as const
type Mode = (typeof MODES)[number]

/** A chain of empty blocks at Ethereum's interval; a block is final two later. */
const startQuietChain = () =>
  startAnvil({ arguments: ['--chain-id', '1', '--block-time', '12', '--slots-in-an-epoch', '1'] })

const measure = async (mode: Mode, seconds: number, settle: number): Promise<BenchResult> => {
  const data = mkdtempSync(join(tmpdir(), 'assay-bench-idle-'))
  const port = await freePort()
  const chain = mode === 'quiet' ? await startQuietChain() : undefined
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'deploy/assay.js'), 'up'], {
    cwd: ROOT,
    env: {
      PATH,
      HOME,
      ASSAY_DATA: data,
      ASSAY_PORT: String(port),
      // Like the demonstration: heads are announced.
      ...(chain && { ETH_RPC_URL: `${chain.url},${chain.url.replace(/^http/, 'ws')}`, ETH_START_BLOCK: '0' }),
    },
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
    await until(`npm start is done (${mode})`, isOver, 900_000)
    const pid = child.pid ?? 0
    const rest = (s: number, what: string) => {
      process.stderr.write(`${mode}: ${what} ${s} s\n`)
      return new Promise((resolve) => setTimeout(resolve, s * 1_000))
    }
    await rest(settle, 'rests')
    const metricsUrl = `http://127.0.0.1:${port}/metrics`
    const sampled = async () => ({
      ...(await sample(pid, metricsUrl)),
      chain: chain ? readStat(`/proc/${chain.pid}/stat`).seconds : childrenOf(pid),
    })
    const before = await sampled()
    await rest(seconds, 'measures')
    const after = await sampled()
    const perMinute = (one: number) => Number(((one * 60) / seconds).toFixed(2))
    const figure = perMinute(after.own - before.own)
    return {
      mode,
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
    await chain?.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Arguments: `--seconds=120 --settle=90`, duration of the measurement and of the wait before it; `--only=quiet` or `demonstration`. */
export const run = async (args: readonly string[] = []): Promise<BenchResult[]> => {
  const only = args.find((one) => one.startsWith('--only='))?.slice('--only='.length)
  const results: BenchResult[] = []
  for (const mode of MODES) {
    if (only !== undefined && only !== mode) continue
    results.push(await measure(mode, numberOf(args, 'seconds', 120), numberOf(args, 'settle', 90)))
  }
  return results
}
