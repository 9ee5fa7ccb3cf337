import type { Context } from '../../../platform/context/context.ts'
import { messageOf, OperatorError, RetryableError } from '../../../platform/errors.ts'
import type { Budget } from '../../../platform/rpc/budget.ts'
import { isLoopback } from '../../../platform/rpc/endpoint.ts'
import { RpcAbsent } from '../../../platform/rpc/errors.ts'
import { createRpcPool, type Node, type RpcPool } from '../../../platform/rpc/pool.ts'
import type { Block } from '../../../schema/block.ts'
import { ETHEREUM_DIALECT } from '../../../schema/networks/evm.ts'
import { type EvmDialect, type Network, networkInfo } from '../../../schema/networks.ts'
import { type PackedBlock, packBlock } from '../../../schema/packed.ts'
import { retryOnOther, verifyChain } from '../answers.ts'
import type { Source } from '../source.ts'
import { createTokenLookup, tokensIn, type View } from '../tokens.ts'
import { createBloom } from './bloom.ts'
import {
  type BlockAt,
  type FetchedBlock,
  type FetchOptions,
  fetchBlock,
  fetchInThread,
  type Lacking,
  offersTraces,
  type ThreadedBlock,
} from './fetch.ts'
import { createHeads } from './heads.ts'
import type { RawBlock } from './raw.ts'
import { packRead } from './threads/packed.ts'
import type { BlockReader } from './threads/reader.ts'
import { createVerifier } from './verify/index.ts'

type Decode = (network: Network, raw: RawBlock) => Block

/** Which nodes to read, and what to ask them for. */
export type EvmSourceOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  /** http(s) URLs for requests, ws(s) URLs for subscriptions to new heads. */
  urls: readonly string[]
  decode: Decode
  /** Ask nodes for call traces if they offer them. @default true */
  traces?: boolean
  /** Ask tokens for name, symbol and decimals. @default true */
  tokenMetadata?: boolean
  /**
   * Time between two polls of the head without a subscription, ms.
   * @default a quarter of the block time, 100 to 3_000
   */
  pollMs?: number
  /** How the network's nodes differ from Ethereum's. @default the network's dialect */
  dialect?: EvmDialect
  /** With several hosts: how long one has to be the only one that answers before its final block is accepted, ms; never if absent. */
  aloneAfterMs?: number | undefined
  /** Request limits of each endpoint. */
  budget?: Budget | undefined
  /** A shared pool. @default a pool of its own */
  pool?: RpcPool
  /** Threads that read blocks while several are fetched at a time. @default none: blocks are read in this thread */
  reader?: BlockReader | undefined
}

/** A source that can also return undecoded blocks, which tests of decoders compare rows with. */
export type EvmSource = Source & {
  /** The block as nodes returned it, checked but not decoded. */
  raw: (at: BlockAt, signal?: AbortSignal) => Promise<RawBlock | undefined>
  rotate: () => void
}

const MIN_POLL_MS = 100
/** Minimum number of attempts at a block: each node can be asked twice for what it may lack. */
const MIN_ATTEMPTS = 8
const ATTEMPTS_EACH = 3
const MAX_POLL_MS = 3_000

const isSocket = (url: string) => /^wss?:/.test(url)

/**
 * A source for an EVM chain behind JSON-RPC.
 * @throws OperatorError ASSAY_SOURCE_NO_HTTP when no URL is http(s).
 */
export const createEvmSource = ({
  context,
  network,
  urls,
  decode,
  traces = true,
  tokenMetadata = true,
  dialect = networkInfo(network).dialect ?? ETHEREUM_DIALECT,
  reader,
  ...rest
}: EvmSourceOptions): EvmSource => {
  const info = networkInfo(network)
  const http = urls.filter((url) => !isSocket(url))
  if (http.length === 0 && !rest.pool) {
    throw new OperatorError(
      'ASSAY_SOURCE_NO_HTTP',
      `${network}_RPC_URL names no http(s) URL, and blocks are fetched over HTTP. Nothing was started. Add one next to the WebSocket URL.`,
    )
  }
  const pool = rest.pool ?? createRpcPool({ context, network, urls: http, budget: rest.budget })
  const pollMs = rest.pollMs ?? Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, info.blockTimeMs / 4))
  const views = (calls: readonly View[], signal?: AbortSignal) => {
    const requests = calls.map((call) => ({ method: 'eth_call', params: [call, 'latest'] }))
    return pool.attempt((node) => node.batch(requests), { signal, attempts: 3, deadlineMs: 10_000 })
  }
  const tokens = tokenMetadata ? createTokenLookup({ views, window: info.reorgWindow }) : undefined
  const impersonation = pool.hosts.every(isLoopback)
  const verifier = createVerifier(dialect, createBloom(), { impersonation })
  const { pool: sameChain, ...heads } = createHeads({
    context,
    network,
    pool,
    rule: info.finality,
    window: info.reorgWindow,
    verifier,
    sockets: urls.filter(isSocket),
    pollMs,
    aloneAfterMs: rest.aloneAfterMs,
  })
  const untraced = context.metrics.counter(
    'assay_source_blocks_without_traces_total',
    'Blocks fetched without call traces although they were requested',
    ['network'] as const,
  )

  /** Fetches a block from one node after another, read by `work`. `undefined` when none has it. */
  const fetched = async <F>(
    at: BlockAt,
    signal: AbortSignal | undefined,
    work: (node: Node, options: FetchOptions) => Promise<F>,
  ): Promise<F | undefined> => {
    const lacking: Lacking = { receipts: 0, pruned: new Map(), traces: undefined }
    const mayTrace = offersTraces(at, info.traces)
    const tracing = traces ? () => pool.hostsThat(mayTrace) : undefined
    try {
      const options = { dialect, verifier, tracing, lacking }
      return await sameChain.attempt((node) => retryOnOther(work(node, options)), {
        signal,
        attempts: Math.max(MIN_ATTEMPTS, ATTEMPTS_EACH * pool.hosts.length),
        ...(traces ? { prefer: mayTrace } : {}),
      })
    } catch (error) {
      if (error instanceof RpcAbsent) return undefined
      if (!(error instanceof RetryableError)) throw error
      const awaited = tracing?.().length ?? 0
      // Responding endpoints were passed over, because they offer no traces.
      const silent = error.code === 'ASSAY_RPC_UNAVAILABLE' && awaited > 0 && awaited < pool.hosts.length
      if (lacking.traces !== undefined || silent) {
        throw new RetryableError(
          'ASSAY_SOURCE_TRACES_UNAVAILABLE',
          `No node of ${network} returned the traces of block ${at.number}, although some support traces or do not answer (last: ${lacking.traces ?? messageOf(error.cause ?? error)}). The block was not stored without them and is fetched again. If it persists, check the limits of the endpoints, or remove those that trace unreliably or are down from ${network}_RPC_URL.`,
          { cause: error },
        )
      }
      throw error
    }
  }

  /** Adds token names to the block. */
  const withTokenNames = async (at: BlockAt, found: FetchedBlock, signal?: AbortSignal): Promise<RawBlock> => {
    if (traces && !found.traces) untraced.inc({ network })
    const tokenMetadata = (await tokens?.forBlock(at.number, tokensIn(found.receipts), signal)) ?? []
    return { ...found, tokenMetadata }
  }

  const raw: EvmSource['raw'] = async (at, signal) => {
    const found = await fetched(at, signal, (node, options) => fetchBlock(node, at, options))
    return found && withTokenNames(at, found, signal)
  }

  /** Adds to a thread's block what only further requests show. */
  const completed = async ({ read, codes }: ThreadedBlock, signal?: AbortSignal): Promise<PackedBlock> => {
    if (traces && read.traces === 0) untraced.inc({ network })
    const shown = new Map(read.shown.map(({ token, standard }) => [token, standard]))
    const names = (await tokens?.forBlock(read.number, shown, signal)) ?? []
    return packRead(network, read, codes, names)
  }

  let underWay = 0
  const packed = async (threads: BlockReader, at: BlockAt, signal?: AbortSignal): Promise<PackedBlock | undefined> => {
    const question = { network, dialect, impersonation, tokens: tokens !== undefined }
    const threaded = { reader: threads, busy: () => underWay > 1, question }
    underWay += 1
    try {
      const found = await fetched(at, signal, (node, options) => fetchInThread(node, at, options, threaded))
      if (!found) return undefined
      return 'read' in found
        ? await completed(found, signal)
        : packBlock(decode(network, await withTokenNames(at, found, signal)))
    } finally {
      underWay -= 1
    }
  }

  return {
    network,
    ...heads,
    raw,
    rotate: pool.rotate,
    verify: (signal) =>
      verifyChain(network, pool, async (node) => Number(await node.request('eth_chainId', [])), signal),
    block: async (at, signal) => {
      const found = await raw(at, signal)
      return found && decode(network, found)
    },
    ...(reader && { packed: (at, signal) => packed(reader, at, signal) }),
    close: async () => undefined,
  }
}
