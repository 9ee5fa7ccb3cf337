/**
 * `calculate: true` for wallets whose histories precede the index, as a caller of `assay up` sees it: milliseconds until the answer if
 * the past must be fetched, by kind of node, and again for the same wallets, when it is already there. The node serves a chain of
 * twenty million blocks (test/kit/chain/mainnet) from this process and delays each answer. The ceiling is the same node answering
 * exactly the requests it received, all sent at once and not read; `oneByOne` is the same, one after the other.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMainnet } from '../kit/chain/mainnet/chain.ts'
import type { Call, Limits } from '../kit/chain/mainnet/limits.ts'
import { PLANS } from '../kit/chain/mainnet/limits.ts'
import { type MainnetNode, startMainnetNode } from '../kit/chain/mainnet/node.ts'
import { addressOf, createSchedule, saverOf } from '../kit/chain/mainnet/residents.ts'
import { freePort } from '../kit/free-port.ts'
import { until } from '../kit/until.ts'
import { numberOf } from './api/load.ts'
import type { BenchResult } from './run.ts'

const ROOT = join(import.meta.dirname, '../..')
const KEY = 'enterprise-key-of-the-bench'
const HISTORY = 100
const PATIENCE_MS = 300_000

/** Kinds of nodes, and how many of the wallets are requested: a narrow range of logs takes long for each. */
const WAYS: readonly { what: string; limits: Limits; part: number }[] = [
  { what: 'ots_*', limits: PLANS.erigon, part: 1 },
  { what: 'trace_filter', limits: { without: ['ots_'] }, part: 1 },
  { what: 'archive alone', limits: { without: ['ots_', 'trace_filter'] }, part: 1 },
  { what: 'ots_*, logs of 10,000 blocks a call', limits: { logBlocks: 10_000 }, part: 0.1 },
]

const rounded = (value: number) => Math.round(value * 10) / 10
const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Following the head continues meanwhile, and belongs to no wallet. */
const followsHead = (calls: readonly Call[]): boolean =>
  calls.every(({ method, params = [] }) => method === 'eth_getBlockByNumber' && !String(params[0]).startsWith('0x'))

/** `assay up` on the node, caught up. */
const install = async (node: MainnetNode) => {
  const data = mkdtempSync(join(tmpdir(), 'assay-bench-past-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'deploy/assay.js'), 'up'], {
    cwd: ROOT,
    env: {
      ...{ PATH, HOME, ASSAY_DATA: data, ASSAY_PORT: String(port), ASSAY_BOOTSTRAP_KEYS: `enterprise:${KEY}` },
      ...{ ETH_RPC_URL: node.url, ASSAY_HISTORY_BLOCKS: String(HISTORY), ASSAY_WALLET_PASTS_WAIT_MS: '60000' },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGINT')
    await ended
    rmSync(data, { recursive: true, force: true })
  }
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`assay up ended with code ${child.exitCode}`)
    // Not /ready: the chain stands still, which is no reason to wait.
    return fetch(`${url}/status`)
      .then((answer) => answer.json() as Promise<{ networks: { catchingUp?: unknown }[] }>)
      .then(({ networks: [network] }) => network !== undefined && network.catchingUp === undefined)
      .catch(() => false)
  }
  await until('the installation has caught up', isReady, PATIENCE_MS).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body: JSON.stringify({ network: 'ETH', ...body }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { coverage?: { wallet: { past: string } } }
  }
  return { post, stop }
}

/** Arguments: `--height=20000000 --wallets=30 --saved=30 --delay=20`: blocks, wallets, actions of each before, ms of each answer. */
export const run = async (args: readonly string[] = []): Promise<BenchResult[]> => {
  const [height, wallets] = [numberOf(args, 'height', 20_000_000), numberOf(args, 'wallets', 30)]
  const [saved, delayMs] = [numberOf(args, 'saved', 30), numberOf(args, 'delay', 20)]
  const chain = await createMainnet({ height, schedule: createSchedule(height, { saved, savers: wallets }) })
  const results: BenchResult[] = []
  for (const { what, limits, part } of WAYS) {
    const node = await startMainnetNode(chain, limits)
    let asked: Call[][] = []
    const record = (calls: readonly Call[]) => void (followsHead(calls) || asked.push([...calls]))
    const installation = await install(node)
    try {
      const send = (calls: readonly Call[]) =>
        fetch(node.url, { method: 'POST', body: JSON.stringify(calls) }).then((answer) => answer.arrayBuffer())
      const calculate = (walletAddress: string) =>
        timed(() => installation.post('/fraud/check', { walletAddress, calculate: true }))
      const count = Math.max(1, Math.round(wallets * part))
      const everybody = Array.from({ length: count }, (_, index) => addressOf(saverOf(index)))
      // Only the first caller waits for this: probing of the node, and code that runs for the first time.
      await calculate(addressOf('honest'))
      const times = { fetched: [] as number[], again: [] as number[], bare: [] as number[], oneByOne: [] as number[] }
      const posts: Call[][][] = []
      let whole = 0
      node.limits = { ...limits, delayMs, onPost: record }
      for (const address of everybody) {
        asked = []
        times.fetched.push(await calculate(address))
        posts.push(asked)
      }
      node.limits = { ...limits, delayMs }
      // Later, when receivers of their payments are rescored because of it.
      for (const address of everybody) times.again.push(await calculate(address))
      for (const [index, address] of everybody.entries()) {
        const own = posts[index] ?? []
        times.bare.push(await timed(() => Promise.all(own.map(send))))
        times.oneByOne.push(
          await timed(async () => {
            for (const calls of own) await send(calls)
          }),
        )
        const { coverage } = await installation.post('/fraud/explain', { walletAddress: address })
        whole += coverage?.wallet.past === 'whole' ? 1 : 0
      }
      const [p50, bare] = [percentile(times.fetched, 0.5), percentile(times.bare, 0.5)]
      const each = (of: (calls: Call[][]) => number) => Math.round(posts.reduce((sum, one) => sum + of(one), 0) / count)
      results.push({
        what,
        figure: p50,
        ceiling: bare,
        ratio: Math.round((bare / p50) * 1_000) / 1_000,
        unit: 'ms',
        p95: percentile(times.fetched, 0.95),
        oneByOne: percentile(times.oneByOne, 0.5),
        nothingToFetch: { p50: percentile(times.again, 0.5), p95: percentile(times.again, 0.95) },
        wallets: count,
        whole,
        postsEach: each((one) => one.length),
        callsEach: each((one) => one.flat().length),
        answerMs: delayMs,
        blocks: height,
      })
      process.stderr.write(`${JSON.stringify(results.at(-1))}\n`)
    } finally {
      await installation.stop()
      await node.stop()
    }
  }
  return results
}
