/**
 * One block from one node: header with transactions, receipts and, where offered, traces in one POST, then whatever
 * only that answer tells to ask for. Everything is verified against the block's hash, so that a node that lies, and a
 * balancer that answers from several nodes or branches, is noticed.
 */

import { z } from 'zod'
import { RpcAbsent, RpcError, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import type { Call, Outcome } from '../../../platform/rpc/post.ts'
import type { EvmDialect } from '../../../schema/networks.ts'
import { checkHeader, checkTraces, placeReceipts } from './check.ts'
import { type RawBlock, type RawHeader, type RawReceipt, type RawTrace, rawHeader, rawReceipt } from './raw.ts'
import { fromCallTracer, fromTraceBlock } from './traces.ts'
import type { Verifier } from './verify/index.ts'

export type BlockAt = { number: number; hash?: string }

export type FetchOptions = { dialect: EvmDialect; verifier: Verifier; traces: boolean; lacking: Lacking }

/**
 * How often each thing that some nodes lack for good was found lacking for one block: receipts on Ethermint, old state for
 * traces. Kept over the attempts of that block, apart from whatever else went wrong in them.
 */
export type Lacking = { receipts: number; traces: number }

/** Times something has to be found lacking before the block is taken without it. */
const PATIENCE = 4

const TRACER = { tracer: 'callTracer' }
const receiptList = z.array(rawReceipt).nullable()

export const quantity = (value: number) => `0x${value.toString(16)}`

/** Reads an outcome of this node by a schema; an answer of another shape is as bad as a contradiction. */
export const read = <T>(outcome: Outcome | undefined, schema: z.ZodType<T>, what: string): T => {
  if (!outcome) throw new RpcInconsistent('shape', `${what}: no answer`)
  if ('error' in outcome) throw outcome.error
  const parsed = schema.safeParse(outcome.result)
  if (parsed.success) return parsed.data
  throw new RpcInconsistent('shape', `${what}: ${z.prettifyError(parsed.error).slice(0, 200)}`)
}

type TraceMethod = 'trace_block' | 'debug_traceBlockByHash' | 'debug_traceBlockByNumber'

/** What to ask this node for traces, `undefined` once it has said that it offers none. */
const traceMethod = (node: Node, at: BlockAt): TraceMethod | undefined => {
  const debug = at.hash === undefined ? 'debug_traceBlockByNumber' : 'debug_traceBlockByHash'
  return (['trace_block', debug] as const).find((method) => !node.lacks(method))
}

const traceCall = (method: TraceMethod, at: BlockAt): Call => {
  if (method === 'trace_block') return { method, params: [quantity(at.number)] }
  return { method, params: [at.hash ?? quantity(at.number), TRACER] }
}

const readTraces = (method: TraceMethod, outcome: Outcome, block: RawHeader): RawTrace[] => {
  if ('error' in outcome) throw outcome.error
  try {
    if (method === 'trace_block') return fromTraceBlock(outcome.result, block.hash)
    const hashes = block.transactions.map((transaction) => transaction.hash)
    return fromCallTracer(outcome.result, hashes)
  } catch (error) {
    throw new RpcInconsistent('trace_shape', error instanceof Error ? error.message.slice(0, 200) : 'unreadable')
  }
}

/** Traces by the method asked for together with the block, or by the next one if the node lacks that. */
const tracesOf = async (
  node: Node,
  at: BlockAt,
  block: RawHeader,
  asked: { method: TraceMethod; outcome: Outcome } | undefined,
  { dialect, lacking }: Pick<FetchOptions, 'dialect' | 'lacking'>,
): Promise<RawTrace[] | undefined> => {
  let { method, outcome } = asked ?? {}
  while (method && outcome && 'error' in outcome && outcome.error.kind === 'missing') {
    method = traceMethod(node, at)
    outcome = method ? (await node.batch([traceCall(method, at)]))[0] : undefined
  }
  if (!method || !outcome) return undefined
  const untold = 'error' in outcome || outcome.result === null
  if (untold) {
    lacking.traces += 1
    if (lacking.traces >= PATIENCE) return undefined
  }
  if ('result' in outcome && outcome.result === null) {
    throw new RpcInconsistent('traces_absent', `block ${block.hash} came without traces`)
  }
  const traces = readTraces(method, outcome, block)
  checkTraces(block, traces, dialect)
  return traces
}

const receiptsOf = async (node: Node, block: RawHeader, asked: Outcome | undefined, dialect: EvmDialect) => {
  if (block.transactions.length === 0) return []
  if (asked && !('error' in asked && asked.error.kind === 'missing')) {
    const receipts = read(asked, receiptList, 'receipts')
    if (receipts === null && !dialect.ethermint) {
      throw new RpcInconsistent('receipts_absent', `block ${block.hash} came without receipts`)
    }
    return receipts ?? []
  }
  const outcomes = await node.batch(
    block.transactions.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const receipts = outcomes.map((outcome) => read(outcome, rawReceipt.nullable(), 'receipt'))
  return receipts.filter((receipt) => receipt !== null)
}

/** Runtime code of contracts that transactions created directly; a node that forgot the old state is asked for today's. */
const codesOf = async (node: Node, block: RawHeader, receipts: readonly RawReceipt[]) => {
  const creators = new Set(block.transactions.filter(({ to }) => !to).map(({ hash }) => hash))
  const created = receipts.flatMap(({ transactionHash, contractAddress, status }) =>
    contractAddress && creators.has(transactionHash) && status !== '0x0' ? [contractAddress.toLowerCase()] : [],
  )
  const codes = new Map<string, string>()
  for (const when of [block.number, 'latest']) {
    const open = created.filter((address) => !codes.has(address))
    if (open.length === 0) break
    const outcomes = await node.batch(open.map((address) => ({ method: 'eth_getCode', params: [address, when] })))
    outcomes.forEach((outcome, index) => {
      const address = open[index]
      if (address && 'result' in outcome && typeof outcome.result === 'string') codes.set(address, outcome.result)
    })
  }
  return codes
}

/**
 * @throws RpcAbsent when the node does not know the block; RpcInconsistent when the parts do not fit together;
 *   RpcError and RpcTransportError as the node and the network have it.
 */
export const fetchBlock = async (
  node: Node,
  at: BlockAt,
  { dialect, verifier, traces: wanted, lacking }: FetchOptions,
): Promise<Omit<RawBlock, 'tokenMetadata'>> => {
  const id = at.hash ?? quantity(at.number)
  const method = wanted ? traceMethod(node, at) : undefined
  const byReceipts = !node.lacks('eth_getBlockReceipts')
  const calls: Call[] = [
    { method: at.hash === undefined ? 'eth_getBlockByNumber' : 'eth_getBlockByHash', params: [id, true] },
    ...(byReceipts ? [{ method: 'eth_getBlockReceipts', params: [id] }] : []),
    ...(method ? [traceCall(method, at)] : []),
  ]
  const outcomes = await node.batch(calls)
  const block = read(outcomes[0], rawHeader.nullable(), 'block')
  if (block === null) throw new RpcAbsent(`block ${id}`)
  checkHeader(block, at)
  verifier.header(block)
  verifier.transactions(block)

  const found = await receiptsOf(node, block, byReceipts ? outcomes[1] : undefined, dialect)
  if (found.length < block.transactions.length) lacking.receipts += 1
  const patient = lacking.receipts < PATIENCE
  const placed = placeReceipts(block, found, { dialect, patient })
  verifier.receipts(block, placed)
  const receipts = placed.filter((receipt) => receipt !== undefined)

  const outcome = method ? outcomes.at(-1) : undefined
  const traces = await tracesOf(node, at, block, method && outcome ? { method, outcome } : undefined, {
    dialect,
    lacking,
  })
  const codes = traces ? new Map<string, string>() : await codesOf(node, block, receipts)
  return { block, receipts, traces, codes }
}

/** Errors of a node while fetching are never the answer: the block exists, and another node may tell it. */
export const elsewhere = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof RpcError && error.kind === 'final') {
      throw new RpcError('transient', error.rpcCode, error.message, error.data)
    }
    throw error
  }
}
