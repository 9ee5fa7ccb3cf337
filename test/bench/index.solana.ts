/**
 * Blocks per second of the real indexer on Solana: blocks of votes and of recorded transactions, read over loopback from a
 * node in a separate process and published on the embedded bus. Compared with reading the same answers and parsing their
 * JSON, and with the rate of the live chain.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createIndexer } from '../../indexer/index.ts'
import { decodeBlock } from '../../indexer/source/solana/decode/index.ts'
import { createSolanaSource } from '../../indexer/source/solana/index.ts'
import { openEmbeddedBus } from '../../platform/bus/embedded.ts'
import { networkInfo } from '../../schema/networks.ts'
import { fixturesFolder } from '../kit/chain/recorded-chain.ts'
import { testContext } from '../kit/context.ts'
import type { BenchResult } from './run.ts'

const CONCURRENCY = 8

const startNode = async (args: readonly string[]) => {
  const main = join(import.meta.dirname, '../kit/chain/solana/solana-node.main.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error('the node did not start'))),
  ])) as [string]
  const [url = '', bytes, number, slot] = line.split(' ')
  return {
    url,
    bytes: Number(bytes),
    first: Number(number),
    slot: Number(slot),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Duration of work in seconds, and processor seconds of this process. */
const timed = async (work: () => Promise<unknown>): Promise<{ seconds: number; processor: number }> => {
  const began = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - began) / 1_000, processor: (user + system) / 1e6 }
}

/** Reads the same slots with the same concurrency and parses their JSON, nothing else. */
const readOnly = async (url: string, from: number, count: number): Promise<void> => {
  const call = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const ask = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    // The node closes idle connections after seconds, even at the moment they are reused.
    const answer = await ask().catch(ask)
    return (await answer.json()) as { result: number[] }
  }
  const { result: slots } = await call('getBlocksWithLimit', [from, count + 1, { commitment: 'confirmed' }])
  const options = { commitment: 'confirmed', transactionDetails: 'full', maxSupportedTransactionVersion: 1 }
  let next = 1
  const reader = async () => {
    while (next <= count) await call('getBlock', [slots[next++], options])
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, reader))
}

/** @param args blocks (60), votes (900) and other transactions (500) of each */
export const runSolana = async ([blocks = '60', votes = '900', others = '500']: string[]): Promise<BenchResult> => {
  const fixtures = fixturesFolder('solana')
  if (!fixtures) {
    throw new Error('No recorded blocks: set ASSAY_FIXTURES to a folder whose folder `solana` holds recorded answers.')
  }
  const count = Number(blocks)
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const node = await startNode([fixtures, blocks, votes, others])
  let peak = 0
  let rows = 0
  try {
    const context = testContext()
    const bus = await openEmbeddedBus(context, { path: folder })
    const source = createSolanaSource({
      context,
      network: 'SOLANA',
      urls: [node.url],
      decode: (network, raw) => {
        const block = decodeBlock(network, raw)
        rows = Object.values(block.rows).reduce((sum, list) => sum + list.length, 0)
        peak = Math.max(peak, process.memoryUsage().rss)
        return block
      },
    })
    const options = { startBlock: node.first + 1, concurrency: CONCURRENCY }
    const indexer = createIndexer({ context, network: 'SOLANA', source, bus, options })
    const running: { failed?: unknown } = {}
    const indexing = await timed(async () => {
      indexer.run().catch((error) => Object.assign(running, { failed: error }))
      while ((indexer.status().indexed ?? 0) < node.first + count && !('failed' in running)) {
        await context.clock.sleep(5)
      }
    })
    if ('failed' in running) throw running.failed
    await context.lifecycle.close()
    await source.close()
    await bus.close()
    const reading = await timed(() => readOnly(node.url, node.slot, count))
    const live = 1_000 / networkInfo('SOLANA').blockTimeMs
    return {
      figure: Number((count / indexing.seconds).toFixed(2)),
      ceiling: Number((count / reading.seconds).toFixed(2)),
      ratio: Number((reading.seconds / indexing.seconds).toFixed(3)),
      unit: 'blocks/s',
      network: 'SOLANA',
      live,
      timesLive: Number((count / indexing.seconds / live).toFixed(2)),
      processorMsPerBlock: {
        indexing: Math.round((indexing.processor / count) * 1_000),
        reading: Math.round((reading.processor / count) * 1_000),
      },
      bytesPerBlock: node.bytes,
      rowsPerBlock: rows,
      peakMegabytes: Math.round(peak / 1e6),
      notes: [
        `${count} blocks of ${votes} votes and ${others} recorded transactions, ${CONCURRENCY} at a time, the node in a process of its own`,
        'the ceiling reads the same answers over HTTP and parses their JSON, nothing else',
      ],
    }
  } finally {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
