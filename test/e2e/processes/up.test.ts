/** `npm start` as a person meets it: verdicts on real EVM execution, a check that passes, Ctrl-C, and going on. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumPath, openBrowser } from '../../kit/browser/browser.ts'
import { type Painted, paintOf } from '../../kit/browser/paint.ts'
import { freePort } from '../../kit/free-port.ts'
import { chainsWith } from '../../kit/processes/chains.ts'
import { STARTED } from '../../kit/processes/terminal.ts'
import { sized } from '../../kit/thorough.ts'
import { until } from '../../kit/until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CLI = join(ROOT, 'deploy/assay.js')
/** A machine at rest takes 20 s. */
const VERDICTS_MS = 500_000

let data: string
let env: NodeJS.ProcessEnv
let running: { child: ChildProcess; output: () => string; ended: Promise<number | null> }

const start = () => {
  const child = spawn(process.execPath, [CLI, 'up'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      text += part
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  running = { child, output: () => text, ended }
}
const verdicts = () =>
  until(
    'the verdicts are shown',
    () => {
      if (running.child.exitCode !== null) throw new Error(`ended with ${running.child.exitCode}: ${running.output()}`)
      return running.output().includes(STARTED)
    },
    VERDICTS_MS,
  )
const api = () => JSON.parse(readFileSync(join(data, 'api.json'), 'utf8')).url as string
const keys = () => JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8')) as { business: string; enterprise: string }
const ask = (path: string, key: string, body: Record<string, unknown>) =>
  fetch(`${api()}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  })

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'assay-up-'))
  env = { PATH: process.env.PATH, HOME: process.env.HOME, ASSAY_DATA: data, ASSAY_PORT: String(await freePort()) }
})

afterAll(async () => {
  if (running?.child.exitCode === null) {
    const { child, ended } = running
    // Killed outright it would leave its chains behind.
    child.kill('SIGINT')
    const patience = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await ended
    clearTimeout(patience)
  }
  const left = chainsWith(data)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  rmSync(data, { recursive: true, force: true })
  expect(left).toEqual([])
})

/** Pages opened of each kind, in turn: the median of them counts. */
const OPENED = sized(3, 5)
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** The first page of the console, and the smallest answer of the same server, while the story is told and indexed. */
const paintsWhileIndexing = async () => {
  const origin = await until(
    'the API answers',
    () => (existsSync(join(data, 'api.json')) ? fetch(`${api()}/health`).then(api, () => undefined) : undefined),
    VERDICTS_MS,
  )
  const browser = await openBrowser()
  const pages: Painted[] = []
  const least: number[] = []
  for (let nth = 0; nth < OPENED; nth++) {
    least.push((await paintOf(browser, origin, '/health')).paint)
    pages.push(await paintOf(browser, origin, '/console/'))
  }
  const isIndexing = !running.output().includes(STARTED)
  await browser.close()
  return {
    isIndexing,
    least: median(least),
    paint: median(pages.map(({ paint }) => paint)),
    heading: median(pages.map(({ heading }) => heading)),
  }
}
let painted: Awaited<ReturnType<typeof paintsWhileIndexing>> | undefined

test('the first start plays the scenario and every verdict is as expected', async () => {
  start()
  const [, paints] = await Promise.all([verdicts(), chromiumPath ? paintsWhileIndexing() : undefined])
  painted = paints
  expect(running.output()).toContain('Everything is as expected.')
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'demo', '--check'], {
    cwd: ROOT,
    env,
  })
  expect(stdout).toContain('Everything is as expected.')
}, 700_000)

test.skipIf(!chromiumPath)('renders the console within a second while the demonstration is indexed', () => {
  const { isIndexing, least, paint, heading } = painted ?? expect.fail('nothing was painted')
  expect(isIndexing).toBe(true)
  // A machine at rest takes a tenth of it. What a busy one takes for the smallest answer is not the fault of the page.
  expect(paint).toBeLessThan(Math.max(1_000, 3 * least))
  expect(heading).toBeLessThan(Math.max(1_000, 6 * least))
})

test('all wallet operations answer about an actor, by tier', async () => {
  const scenario = JSON.parse(readFileSync(join(data, 'scenario.json'), 'utf8')) as { name: string; address: string }[]
  const trader = scenario.find(({ name }) => name === 'trader-1')?.address
  const body = { network: 'ETH', walletAddress: trader }
  const { business, enterprise } = keys()
  expect((await ask('/fraud/check', business, { ...body, calculate: true })).status).toBe(200)
  expect(await (await ask('/fraud/audit', business, body)).json()).toMatchObject({
    status: 'Not Fraud',
    walletAddress: trader,
  })
  expect((await ask('/users/credit-score', business, body)).status).toBe(403)
  expect(await (await ask('/users/credit-score', enterprise, body)).json()).toMatchObject({
    creditData: { walletAddress: trader },
  })
  expect(await (await ask('/segmentation/wallet-segment', enterprise, body)).json()).toMatchObject({
    message: 'Wallet segment retrieved',
  })
  expect((await fetch(`${api()}/ready`)).status).toBe(200)
})

test('serves the metrics of all threads as one text', async () => {
  const text = await (await fetch(`${api()}/metrics`)).text()
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(new Set(names).size).toBe(names.length)
  const threads = [...text.matchAll(/^nodejs_eventloop_lag_p99_seconds\{thread="(\w+)"\}/gm)].map(
    ([, thread]) => thread,
  )
  expect(threads).toEqual(['up', 'scorer', 'indexer'])
  for (const name of ['assay_build_info', 'assay_indexer_blocks_total', 'assay_ingest_rows_total'])
    expect(names).toContain(name)
})

test('the printed link signs in to the console once', async () => {
  const [, link] = /Console\s+\S+\/console\/#link=([\w-]+)/.exec(running.output()) ?? []
  const signIn = () =>
    fetch(`${api()}/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ link }),
    })
  expect(await (await signIn()).json()).toMatchObject({ tier: 'enterprise' })
  expect((await signIn()).status).toBe(401)
  expect(await (await fetch(`${api()}/console/`)).text()).toContain('main.js')
})

test('Ctrl-C ends it cleanly and the next start continues', async () => {
  const { business } = keys()
  const sanctioned = (
    JSON.parse(readFileSync(join(data, 'scenario.json'), 'utf8')) as { name: string; address: string }[]
  ).find(({ name }) => name === 'sanctioned')
  const request = { network: 'ETH', walletAddress: sanctioned?.address }
  const before = (await (await ask('/fraud/check', business, request)).json()) as {
    checked_times: number
    createdAt: string
  }
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(0)
  start()
  await verdicts()
  expect(running.output()).toContain('Resuming the chain of an earlier start')
  const after = (await (await ask('/fraud/check', business, request)).json()) as typeof before
  expect(after.createdAt).toBe(before.createdAt)
  expect(after.checked_times).toBeGreaterThan(before.checked_times)
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(0)
}, 700_000)
