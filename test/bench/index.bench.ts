/**
 * Blocks per second of the real indexer: recorded mainnet blocks, repeated into a chain (synthetic ones on TRON and TON), read over
 * loopback from a node in a separate process and published on the embedded bus. Compared with reading the same answers from the
 * same node, with the same concurrency, and parsing their JSON: an indexer that does nothing. Both in one run, alternating.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createIndexer } from '../../indexer/index.ts'
import { decodeBlock } from '../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../indexer/source/evm/index.ts'
import { type BlockReader, createBlockReader } from '../../indexer/source/evm/threads/reader.ts'
import type { Source } from '../../indexer/source/source.ts'
import { createTonSource } from '../../indexer/source/ton/index.ts'
import { createTronSource } from '../../indexer/source/tron/index.ts'
import { openEmbeddedBus } from '../../platform/bus/embedded.ts'
import type { Context } from '../../platform/context/context.ts'
import { NETWORK_CODES, type Network, networkInfo } from '../../schema/networks.ts'
import { fixturesFolder } from '../kit/chain/recorded-chain.ts'
import { testContext } from '../kit/context.ts'
import { runSolana } from './index.solana.ts'
import type { BenchResult } from './run.ts'

const CONCURRENCY = 32
const ROUNDS = 3
const HOUR_MS = 3_600_000
/** Number of blocks of the chain above the final one. */
const ABOVE_FINAL = 64

/** Parts of a family: a node, how its answers are read without our code, and the source. */
type Contender = {
  network: Network
  /** Program of the node below `test/kit`, with its arguments. */
  node: (blocks: number) => string[]
  /** POSTs that read a block, each a path and a body. */
  posts: (number: number) => { path: string; body: unknown }[]
  source: (context: Context, url: string, reader: BlockReader) => Source
  what: string
}

const recorded = (): string => {
  const fixtures = fixturesFolder('ethereum')
  if (fixtures) return fixtures
  throw new Error('No recorded blocks: set ASSAY_FIXTURES to a folder whose folder `ethereum` holds recorded answers.')
}

/**
 * Recorded blocks of Ethereum, also for other networks: of theirs no blocks with all receipts and traces are recorded. The way
 * of reading them differs (finality, traces, roots that are no tries), their content does not.
 */
const ethereumOf = (network: Network): Contender => ({
  network,
  node: (blocks) => {
    const { chainId, traces } = networkInfo(network)
    return ['chain/replay-node.main.ts', recorded(), `${blocks}`, `${traces ? 'traced' : 'bare'}`, `${chainId}`]
  },
  posts: (number) => {
    const at = `0x${number.toString(16)}`
    const calls = [
      { method: 'eth_getBlockByNumber', params: [at, true] },
      { method: 'eth_getBlockReceipts', params: [at] },
      ...(networkInfo(network).traces
        ? [{ method: 'debug_traceBlockByNumber', params: [at, { tracer: 'callTracer' }] }]
        : []),
    ]
    return [{ path: '/', body: calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })) }]
  },
  source: (context, url, reader) =>
    createEvmSource({ context, network, urls: [url], decode: decodeBlock, tokenMetadata: false, reader }),
  what: `recorded blocks of ETH${networkInfo(network).traces ? ' with traces' : ''}`,
})

/** Approximate content of an average TRON block in 2025 (our estimate). */
const TRON_TRANSACTIONS = 250
const TRON: Contender = {
  network: 'TRON',
  node: (blocks) => ['tron/node.main.ts', `${blocks}`, `${TRON_TRANSACTIONS}`],
  posts: (num) =>
    ['getblockbynum', 'gettransactioninfobyblocknum'].map((path) => ({ path: `/wallet/${path}`, body: { num } })),
  source: (context, url) => createTronSource({ context, network: 'TRON', urls: [url], tokenMetadata: false }),
  what: `made-up blocks of ${TRON_TRANSACTIONS} transactions`,
}

/** Approximate content made final by a masterchain block in 2025 (our estimate: 100 transactions a second, 2.5 blocks). */
const TON_TRANSACTIONS = 40
const TON: Contender = {
  network: 'TON',
  node: (blocks) => ['ton/node.main.ts', `${blocks}`, `${TON_TRANSACTIONS}`],
  posts: (seqno) => {
    const shard = '-9223372036854775808'
    const block = (workchain: number) => ({ workchain, shard, seqno })
    const calls = [
      { method: 'shards', params: { seqno } },
      ...[-1, 0].flatMap((workchain) => [
        { method: 'getBlockHeader', params: block(workchain) },
        { method: 'getBlockTransactionsExt', params: { ...block(workchain), count: 256 } },
      ]),
    ]
    return calls.map((call) => ({ path: '/api/v2/jsonRPC', body: { jsonrpc: '2.0', id: '1', ...call } }))
  },
  source: (context, url) => createTonSource({ context, network: 'TON', urls: [url], tokenMetadata: false }),
  what: `made-up blocks of ${TON_TRANSACTIONS} transactions in one shard`,
}
const CONTENDERS = [
  ...NETWORK_CODES.filter((network) => networkInfo(network).dialect !== null).map(ethereumOf),
  ...[TRON, TON],
]

/** The node in a separate process, so that building answers costs the measured process nothing. */
const startNode = async ([program = '', ...args]: readonly string[]) => {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, '../kit', program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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

/** Duration of work in seconds, and processor seconds of this process including its threads. */
type Taken = { seconds: number; processor: number }

const taking = async (work: () => Promise<unknown>): Promise<Taken> => {
  const began = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - began) / 1_000, processor: (user + system) / 1e6 }
}

/** Reads blocks `1..last` as the indexer does, and nothing else. @returns bytes read */
const readOnly = async (url: string, last: number, { posts }: Contender): Promise<number> => {
  const agent = new Agent({ keepAlive: true })
  let bytes = 0
  const post = async (path: string, body: unknown): Promise<void> => {
    const open = request(new URL(path, url), {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json' },
    })
    open.end(JSON.stringify(body))
    const [answer] = await once(open, 'response')
    const text = (await buffer(answer)).toString()
    bytes += text.length
    JSON.parse(text)
  }
  let next = 1
  const reader = async () => {
    while (next <= last) for (const { path, body } of posts(next++)) await post(path, body)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, reader))
  agent.destroy()
  return bytes
}

/** Indexes from block 1 until the final block is published; the time includes every step. */
const index = async (
  url: string,
  last: number,
  path: string,
  contender: Contender,
  reader: BlockReader,
): Promise<Taken> => {
  const context = testContext()
  const bus = await openEmbeddedBus(context, { path })
  const { network } = contender
  const source = contender.source(context, url, reader)
  const options = { startBlock: 1, concurrency: CONCURRENCY }
  const indexer = createIndexer({ context, network, source, bus, options })
  const running: { failed?: unknown } = {}
  const taken = await taking(async () => {
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

/** @param args blocks a round (600), `--network` with a code (ETH), `--threads` that decode blocks (those of this machine; 0 for none) */
export const run = async (args: string[] = []): Promise<BenchResult> => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { network: { type: 'string' }, threads: { type: 'string' } },
  })
  const threads = values.threads === undefined ? undefined : Number(values.threads)
  if (values.network === 'SOLANA') return runSolana(positionals)
  const last = Number(positionals[0] ?? 600)
  const contender = CONTENDERS.find(({ network }) => network === (values.network ?? 'ETH'))
  if (!contender) throw new Error(`Name one of: ${CONTENDERS.map(({ network }) => network).join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  // A process starts its threads once.
  const reader = createBlockReader(testContext(), { idleMs: HOUR_MS, ...(threads !== undefined && { threads }) })
  const node = await startNode(contender.node(last + ABOVE_FINAL))
  let perBlock = 0
  const times = { index: [] as Taken[], read: [] as Taken[] }
  try {
    const bytes = await readOnly(node.url, last, contender)
    perBlock = Math.round(bytes / last)
    await index(node.url, last, join(folder, 'warm-up'), contender, reader)
    for (let round = 0; round < ROUNDS; round++) {
      times.index.push(await index(node.url, last, join(folder, `bus-${round}`), contender, reader))
      times.read.push(await taking(() => readOnly(node.url, last, contender)))
    }
  } finally {
    await node.stop()
    await reader.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const best = (taken: Taken[]) => last / Math.min(...taken.map((one) => one.seconds))
  const processorMs = (taken: Taken[]) =>
    Number(((Math.min(...taken.map((one) => one.processor)) / last) * 1_000).toFixed(2))
  const [figure, ceiling] = [best(times.index), best(times.read)]
  const live = 1_000 / networkInfo(contender.network).blockTimeMs
  return {
    figure: Number(figure.toFixed(1)),
    ceiling: Number(ceiling.toFixed(1)),
    ratio: Number((figure / ceiling).toFixed(3)),
    unit: 'blocks/s',
    network: contender.network,
    processorMsPerBlock: { indexing: processorMs(times.index), reading: processorMs(times.read) },
    live: Number(live.toFixed(2)),
    timesLive: Number((figure / live).toFixed(1)),
    notes: [
      `${last} ${contender.what}, ${perBlock} bytes each, ${CONCURRENCY} at a time, best of ${ROUNDS}, the node in a process of its own`,
      'the ceiling reads the same answers over HTTP and parses their JSON, nothing else',
      `seconds indexing ${times.index.map((one) => one.seconds.toFixed(2))}, reading ${times.read.map((one) => one.seconds.toFixed(2))}`,
    ],
  }
}
