import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Devnet, playScenario, startDevnet } from '../../../deploy/demo/index.ts'
import { type DevnetOptions, FINALITY_DEPTH } from '../../../deploy/demo/node/devnet.ts'
import { createRpc, quantity, type Rpc, toQuantity } from '../../../deploy/demo/node/rpc.ts'
import { filesOf } from '../../../deploy/demo/node/state.ts'
import { createLog } from '../../../platform/context/log.ts'
import { chainsWith } from '../../kit/processes/chains.ts'
import { until } from '../../kit/until.ts'

const log = createLog('silent')
const dataDir = mkdtempSync(join(tmpdir(), 'assay-resume-'))
const started: Devnet[] = []

const start = async (given: Partial<DevnetOptions> = {}): Promise<Devnet> => {
  const options = { dataDir, log, signal: new AbortController().signal, blockTimeMs: 40, ...given }
  const devnet = await startDevnet(options)
  started.push(devnet)
  return devnet
}
const heightOf = async (rpc: Rpc) => quantity.parse(await rpc.call('eth_blockNumber'))

/** Everything an indexer reads of the blocks up to `height`. */
const historyOf = async (rpc: Rpc, height: number) => {
  const numbers = Array.from({ length: height + 1 }, (_, index) => toQuantity(index))
  return {
    blocks: await rpc.batch(numbers.map((number) => ['eth_getBlockByNumber', [number, true]])),
    receipts: await rpc.batch(numbers.map((number) => ['eth_getBlockReceipts', [number]])),
    traces: await rpc.batch(numbers.map((number) => ['trace_block', [number]])),
    logs: await rpc.call('eth_getLogs', { fromBlock: '0x0', toBlock: toQuantity(height) }),
  }
}
const ownedBy = async (rpc: Rpc) => {
  const accounts = (await rpc.call('eth_accounts')) as string[]
  return rpc.batch(
    accounts.flatMap((account) => [
      ['eth_getBalance', [account, 'latest']] as const,
      ['eth_getTransactionCount', [account, 'latest']] as const,
    ]),
  )
}

/** Waits for `grown` more blocks; the test's own deadline ends it otherwise. */
const grow = async (rpc: Rpc, grown: number) => {
  const goal = (await heightOf(rpc)) + grown
  await expect.poll(() => heightOf(rpc), { timeout: 60_000, interval: 50 }).toBeGreaterThanOrEqual(goal)
}

beforeAll(async () => {
  const devnet = await start()
  await playScenario({ rpcUrl: devnet.rpcUrl, dataDir, log })
  await devnet.stop()
})

// Also after a failure: what a test left running would be the next one's failure.
afterEach(async () => {
  await Promise.allSettled(started.splice(0).map((devnet) => devnet.stop()))
})
afterAll(() => {
  for (const pid of chainsWith(dataDir)) process.kill(pid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

test('a stopped chain resumes with the same blocks, receipts, traces, logs and accounts, and continues', async () => {
  const first = await start()
  expect(first.resumed).toBe(true)
  const before = createRpc(first.rpcUrl)
  first.produce()
  await grow(before, 2 * FINALITY_DEPTH)
  const seen = await heightOf(before)
  const history = await historyOf(before, seen)
  await first.stop()
  await expect(first.done).resolves.toBeUndefined()

  // Another second of the clock is no other chain.
  await delay(1_100)
  const second = await start()
  const after = createRpc(second.rpcUrl)
  const height = await heightOf(after)
  expect(height).toBeGreaterThanOrEqual(seen)
  expect(await historyOf(after, seen)).toEqual(history)
  const owned = await ownedBy(after)
  await second.stop()

  const third = await start()
  const again = createRpc(third.rpcUrl)
  expect(await heightOf(again)).toBe(height)
  expect(await ownedBy(again)).toEqual(owned)
  expect(await playScenario({ rpcUrl: third.rpcUrl, dataDir, log })).toMatchObject({ played: false, transactions: 0 })
  third.produce()
  await grow(again, 3)
  // A disk that takes nothing, as one that is full: blocks that would be final have to be on it, so that none is mined, until it does.
  const inTheWay = `${filesOf(dataDir).saved}.new`
  mkdirSync(inTheWay)
  const full = await heightOf(again)
  let ended: unknown
  third.done.catch((error) => {
    ended = error
  })
  await delay(40 * 4 * FINALITY_DEPTH)
  expect(await heightOf(again)).toBeLessThanOrEqual(full + FINALITY_DEPTH)
  rmdirSync(inTheWay)
  await grow(again, 2 * FINALITY_DEPTH)
  expect(ended).toBeUndefined()
  await third.stop()
})

test('sends no live transaction before it is allowed', async () => {
  let mayTransact = false
  const devnet = await start({ mayTransact: () => mayTransact })
  const rpc = createRpc(devnet.rpcUrl)
  const first = await heightOf(rpc)
  devnet.produce()
  await grow(rpc, FINALITY_DEPTH)
  const tradesAt = async (heights: number[]) => {
    const blocks = await rpc.batch(heights.map((height) => ['eth_getBlockByNumber', [toQuantity(height), false]]))
    return (blocks as { transactions: string[] }[]).flatMap(({ transactions }) => transactions)
  }
  expect(await tradesAt(Array.from({ length: FINALITY_DEPTH }, (_, index) => first + 1 + index))).toEqual([])
  mayTransact = true
  await until('somebody trades', async () => (await tradesAt([await heightOf(rpc)])).length > 0)
  await devnet.stop()
})

test('a killed process loses no block: the next start takes them from the orphaned node', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'scenario.child.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const rpc = createRpc(String(line).trim())
  await grow(rpc, 5)
  await expect(start()).rejects.toMatchObject({ code: 'ASSAY_DEMO_IN_USE' })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const height = await heightOf(rpc)
  const head = await rpc.call('eth_getBlockByNumber', toQuantity(height), true)

  const next = await start()
  const resumed = createRpc(next.rpcUrl)
  expect(await heightOf(resumed)).toBe(height)
  expect(await resumed.call('eth_getBlockByNumber', toQuantity(height), true)).toEqual(head)
  await next.stop()
})

test('reports a killed node, and keeps all final blocks', async () => {
  const devnet = await start()
  const rpc = createRpc(devnet.rpcUrl)
  devnet.produce()
  await grow(rpc, 2 * FINALITY_DEPTH + 3)
  const final = (await rpc.call('eth_getBlockByNumber', 'finalized', false)) as { number: string; hash: string }
  const { pid } = JSON.parse(readFileSync(filesOf(dataDir).process, 'utf8')) as { pid: number }
  process.kill(pid, 'SIGKILL')
  await expect(devnet.done).rejects.toMatchObject({ code: 'ASSAY_DEMO_NODE_SILENT' })

  const next = await start()
  const resumed = createRpc(next.rpcUrl)
  expect(await resumed.call('eth_getBlockByNumber', final.number, false)).toMatchObject({ hash: final.hash })
  await next.stop()
})

test('refuses a port in use before anything starts', async () => {
  const devnet = await start()
  const port = Number(new URL(devnet.rpcUrl).port)
  const elsewhere = mkdtempSync(join(tmpdir(), 'assay-port-'))
  const options = { dataDir: elsewhere, log, signal: new AbortController().signal, blockTimeMs: 1_000 }
  await expect(startDevnet({ ...options, port })).rejects.toMatchObject({ code: 'ASSAY_DEMO_PORT_TAKEN' })
  await devnet.stop()
  rmSync(elsewhere, { recursive: true, force: true })
})
