/**
 * Blocks per second of the real indexer: recorded mainnet blocks, repeated into a chain, read over loopback from a node
 * in a process of its own and published on the embedded bus. Held against reading the same answers from the same node,
 * as many at a time, and parsing their JSON: what an indexer that does nothing would do. Both in one run, alternating.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { createIndexer } from '../../indexer/index.ts'
import { decodeBlock } from '../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../indexer/source/evm/index.ts'
import { openEmbeddedBus } from '../../platform/bus/embedded.ts'
import { fixturesFolder } from '../kit/chain/recorded-chain.ts'
import { testContext } from '../kit/context.ts'
import { runSolana } from './index.solana.ts'
import type { BenchResult } from './run.ts'

const CONCURRENCY = 32
const ROUNDS = 3
/** Blocks of the chain above the final one. */
const ABOVE_FINAL = 64

/** The node in a process of its own, so that building answers costs the measured process nothing. */
const startNode = async (folder: string, length: number) => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, '../kit/chain/replay-node.main.ts'), folder, `${length}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = once(child, 'exit')
  const [url] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error('the node did not start'))),
  ])) as [string]
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

/** Reads block and receipts of `1..last` in one POST each, as the indexer does, and nothing else. */
const readOnly = async (url: string, last: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true })
  const post = async (calls: { method: string; params: unknown[] }[]): Promise<void> => {
    const open = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
    open.end(JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))))
    const [answer] = await once(open, 'response')
    JSON.parse((await buffer(answer)).toString())
  }
  let next = 1
  const reader = async () => {
    while (next <= last) {
      const at = `0x${(next++).toString(16)}`
      await post([
        { method: 'eth_getBlockByNumber', params: [at, true] },
        { method: 'eth_getBlockReceipts', params: [at] },
      ])
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, reader))
  agent.destroy()
}

/** Indexes from block 1 until the final block is published; everything on the way there is in the time. */
const index = async (url: string, last: number, path: string): Promise<number> => {
  const context = testContext()
  const bus = await openEmbeddedBus(context, { path })
  const source = createEvmSource({ context, network: 'ETH', urls: [url], decode: decodeBlock, tokenMetadata: false })
  const options = { startBlock: 1, concurrency: CONCURRENCY }
  const indexer = createIndexer({ context, network: 'ETH', source, bus, options })
  const running: { failed?: unknown } = {}
  const taken = await seconds(async () => {
    indexer.run().catch((error) => Object.assign(running, { failed: error }))
    while ((indexer.status().indexed ?? 0) < last && !('failed' in running)) {
      if (indexer.status().stalled) throw new Error(`the indexer stands still at block ${indexer.status().indexed}`)
      await context.clock.sleep(5)
    }
  })
  if ('failed' in running) throw running.failed
  await context.lifecycle.close()
  await source.close()
  await bus.close()
  return taken
}

/** @param args blocks a round (600), or `--network SOLANA` with blocks a round, votes and other transactions of each. */
export const run = async (args: string[] = []): Promise<BenchResult> => {
  if (args[0] === '--network' && args[1] === 'SOLANA') return runSolana(args.slice(2))
  const [blocks = '600'] = args
  const last = Number(blocks)
  const fixtures = fixturesFolder('ethereum')
  if (!fixtures) {
    throw new Error(
      'No recorded blocks: set ASSAY_FIXTURES to a folder whose folder `ethereum` holds recorded answers.',
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const node = await startNode(fixtures, last + ABOVE_FINAL)
  const times = { index: [] as number[], read: [] as number[] }
  try {
    await readOnly(node.url, last)
    for (let round = 0; round < ROUNDS; round++) {
      times.index.push(await index(node.url, last, join(folder, `bus-${round}`)))
      times.read.push(await seconds(() => readOnly(node.url, last)))
    }
  } finally {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const best = (taken: number[]) => last / Math.min(...taken)
  const [figure, ceiling] = [best(times.index), best(times.read)]
  return {
    figure: Number(figure.toFixed(1)),
    ceiling: Number(ceiling.toFixed(1)),
    ratio: Number((figure / ceiling).toFixed(3)),
    unit: 'blocks/s',
    notes: [
      `${last} recorded blocks without traces, ${CONCURRENCY} at a time, best of ${ROUNDS}, the node in a process of its own`,
      'the ceiling reads the same answers over HTTP and parses their JSON, nothing else',
      `seconds indexing ${times.index.map((s) => s.toFixed(2))}, reading ${times.read.map((s) => s.toFixed(2))}`,
    ],
  }
}
