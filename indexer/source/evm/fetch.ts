/**
 * Fetches a block from one node: header with transactions, receipts and, if offered, traces in one POST, then whatever depends
 * on that answer. Everything is verified against the block's hash, so that a lying node, and a balancer that answers from
 * several nodes or branches, is detected.
 */

import { messageOf } from '../../../platform/errors.ts'
import { RpcAbsent, RpcError, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Candidate, Node } from '../../../platform/rpc/pool.ts'
import type { BodyTaker, Call, Outcome } from '../../../platform/rpc/post.ts'
import type { EvmDialect } from '../../../schema/networks.ts'
import { read } from '../answers.ts'
import { checkHeader, checkTraces, placeReceipts } from './check.ts'
import { createdIn } from './created.ts'
import {
  isRawHeader,
  isReceiptList,
  type RawBlock,
  type RawHeader,
  type RawTrace,
  rawHeader,
  rawReceipt,
  receiptList,
} from './raw.ts'
import type { BlockQuestion, ReadBlock } from './threads/read.ts'
import type { BlockReader, BlockReading } from './threads/reader.ts'
import { type TraceMethod, tracesIn } from './traces.ts'
import type { Verifier } from './verify/index.ts'

/** The requested block. With a hash, only that block is asked for. */
export type BlockAt = { number: number; hash?: string }

/** How to check a block, and what earlier attempts have shown. */
export type FetchOptions = {
  dialect: EvmDialect
  verifier: Verifier
  /** Hosts, usable or not, that may offer traces; `undefined` if traces are not wanted. */
  tracing: (() => readonly string[]) | undefined
  lacking: Lacking
}

/** What nodes lacked for one block, over all attempts; other failures are not counted. */
export type Lacking = {
  /** Number of times there were fewer receipts than transactions, which is permanent on some Ethermint nodes. */
  receipts: number
  /** Number of times each host answered that it has pruned the state that traces need. */
  pruned: Map<string, number>
  /** Why the last attempt failed, if it was for want of traces. */
  traces: string | undefined
}

/** Attempts with missing receipts before the block is accepted without them. */
const MIN_MISSING_RECEIPTS = 4
/** Answers of a host that it has pruned a state until that counts. */
const CONFIRMATIONS = 2
/** JSON-RPC error code: internal error. */
const INTERNAL_ERROR = -32_603
/** JSON-RPC error code: method not found. */
const NO_METHOD = -32_601

const nullableHeader = rawHeader.nullable()
const TRACER = { tracer: 'callTracer' }

/** A number in JSON-RPC notation: hex without leading zeros. */
export const quantity = (value: number) => `0x${value.toString(16)}`

/** Methods for the traces of a block, in the order they are tried. */
const traceMethods = (at: BlockAt): readonly TraceMethod[] => [
  'trace_block',
  at.hash === undefined ? 'debug_traceBlockByNumber' : 'debug_traceBlockByHash',
]

/**
 * Whether an endpoint may offer traces of a block: it has not reported that it lacks them.
 * @param usual whether nodes of the network usually offer traces. If not, an unreachable endpoint that never gave any is not
 *   waited for.
 */
export const offersTraces =
  (at: BlockAt, usual: boolean) =>
  ({ lacks, offers, blockedMs }: Candidate): boolean =>
    traceMethods(at).some((method) => !lacks(method) && (usual || offers(method) || blockedMs() === 0))

/** Next trace method to ask this node for, `undefined` if it offers none. */
const traceMethod = (node: Node, at: BlockAt): TraceMethod | undefined =>
  traceMethods(at).find((method) => !node.lacks(method))

const traceCall = (method: TraceMethod, at: BlockAt): Call => {
  if (method === 'trace_block') return { method, params: [quantity(at.number)] }
  return { method, params: [at.hash ?? quantity(at.number), TRACER] }
}

const readTraces = (method: TraceMethod, outcome: Outcome, block: RawHeader): RawTrace[] => {
  if ('error' in outcome) throw outcome.error
  try {
    return tracesIn(method, outcome.result, block)
  } catch (error) {
    throw new RpcInconsistent('trace_shape', error instanceof Error ? error.message.slice(0, 200) : 'unreadable')
  }
}

/** Whether every host that offers traces has pruned the state of this block. */
const isPrunedEverywhere = (node: Node, lacking: Lacking, tracing: readonly string[]): boolean => {
  lacking.pruned.set(node.host, (lacking.pruned.get(node.host) ?? 0) + 1)
  return tracing.every((host) => (lacking.pruned.get(host) ?? 0) >= CONFIRMATIONS)
}

/** Makes the pool try another node. The node did nothing wrong; it just has no such method. */
const tryOtherNode = ({ host }: Node) =>
  new RpcError('missing', NO_METHOD, `${host} offers no traces, and another node does`)

type Traced = { method: TraceMethod; outcome: Outcome }

/** Tries trace methods until the node knows one; `undefined` if it knows none. */
const askTraces = async (node: Node, at: BlockAt, asked: Traced | undefined): Promise<Traced | undefined> => {
  let { method, outcome } = asked ?? {}
  while (method && outcome && 'error' in outcome && outcome.error.kind === 'missing') {
    method = traceMethod(node, at)
    outcome = method ? (await node.batch([traceCall(method, at)]))[0] : undefined
  }
  return method && outcome && { method, outcome }
}

/**
 * Traces by the method that was asked together with the block, or by the next one if the node lacks it.
 * @returns `undefined` when no node of the network can give them, because each has reported that it lacks the methods or the
 *   state. A time-out, a limit or an empty answer does not count as that: it throws, and the block is asked for again.
 */
const tracesOf = async (
  node: Node,
  at: BlockAt,
  block: RawHeader,
  asked: Traced | undefined,
  { dialect, lacking, tracing }: Omit<FetchOptions, 'tracing' | 'verifier'> & { tracing: () => readonly string[] },
): Promise<RawTrace[] | undefined> => {
  const answer = await askTraces(node, at, asked)
  if (!answer) {
    if (tracing().length === 0) return undefined
    throw tryOtherNode(node)
  }
  const { method, outcome } = answer
  const pruned = 'error' in outcome && outcome.error.kind === 'pruned'
  if (pruned && isPrunedEverywhere(node, lacking, tracing())) return undefined
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
    const receipts = read(asked, receiptList, 'receipts', isReceiptList)
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

/**
 * Runtime code of contracts created in a block. A node that has pruned the old state is asked for the current code.
 * @param number of the block, in JSON-RPC notation.
 */
const codesOf = async (node: Node, created: readonly string[], number: string) => {
  const codes = new Map<string, string>()
  for (const when of [number, 'latest']) {
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

/** Calls for a block, for one POST. */
const callsFor = (node: Node, at: BlockAt, traced: boolean) => {
  const id = at.hash ?? quantity(at.number)
  const method = traced ? traceMethod(node, at) : undefined
  const byReceipts = !node.lacks('eth_getBlockReceipts')
  const calls: Call[] = [
    { method: at.hash === undefined ? 'eth_getBlockByNumber' : 'eth_getBlockByHash', params: [id, true] },
    ...(byReceipts ? [{ method: 'eth_getBlockReceipts', params: [id] }] : []),
    ...(method ? [traceCall(method, at)] : []),
  ]
  return { id, method, byReceipts, calls }
}

/** A block as a node returned it, checked. */
export type FetchedBlock = Omit<RawBlock, 'tokenMetadata'>

/** Checks a node's answers and combines them into the block. */
const blockOf = async (
  node: Node,
  at: BlockAt,
  { dialect, verifier, tracing, lacking }: FetchOptions,
  { id, method, byReceipts }: ReturnType<typeof callsFor>,
  outcomes: readonly Outcome[],
): Promise<FetchedBlock> => {
  const block = read(outcomes[0], nullableHeader, 'block', isRawHeader)
  const outcome = method ? outcomes.at(-1) : undefined
  const asked = method && outcome ? { method, outcome } : undefined
  if (block === null) {
    // Another node may have the block but no traces, so it has to be known whether this one offers them.
    await askTraces(node, at, asked)
    throw new RpcAbsent(`block ${id}`)
  }
  checkHeader(block, at)
  verifier.header(block)
  verifier.transactions(block)

  const found = await receiptsOf(node, block, byReceipts ? outcomes[1] : undefined, dialect)
  if (found.length < block.transactions.length) lacking.receipts += 1
  const patient = lacking.receipts < MIN_MISSING_RECEIPTS
  const placed = placeReceipts(block, found, { dialect, patient })
  verifier.receipts(block, placed)
  const receipts = placed.filter((receipt) => receipt !== undefined)

  const traces =
    tracing &&
    (await tracesOf(node, at, block, asked, { dialect, lacking, tracing }).catch((error: unknown) => {
      lacking.traces = messageOf(error)
      throw error
    }))
  const codes = traces ? new Map<string, string>() : await codesOf(node, createdIn(block, receipts), block.number)
  return { block, receipts, traces, codes }
}

/**
 * Fetches and checks a block.
 * @throws RpcAbsent when the node does not know the block; RpcInconsistent when the parts do not fit together; RpcError and
 *   RpcTransportError of the node and the network.
 */
export const fetchBlock = async (node: Node, at: BlockAt, options: FetchOptions): Promise<FetchedBlock> => {
  options.lacking.traces = undefined
  const questions = callsFor(node, at, options.tracing !== undefined)
  return blockOf(node, at, options, questions, await node.batch(questions.calls))
}

/** Options for reading blocks in threads. */
export type Threaded = {
  reader: BlockReader
  /** Whether enough blocks are under way to make threads worthwhile. */
  busy: () => boolean
  question: Omit<BlockQuestion, 'at' | 'method'>
}

/** A block read by a thread, with the code of created contracts if it has no traces. */
export type ThreadedBlock = { read: ReadBlock; codes: ReadonlyMap<string, string> }

/**
 * Like `fetchBlock`, but a thread reads the answer if it contains the whole block. Answers that the thread refuses are read
 * here.
 * @throws like `fetchBlock`; RpcInconsistent when the thread died of the answer or was late.
 */
export const fetchInThread = async (
  node: Node,
  at: BlockAt,
  options: FetchOptions,
  { reader, busy, question }: Threaded,
): Promise<ThreadedBlock | FetchedBlock> => {
  options.lacking.traces = undefined
  const questions = callsFor(node, at, options.tracing !== undefined)
  const { calls, method, byReceipts } = questions
  const traceable = () => method !== undefined || (options.tracing?.().length ?? 0) === 0
  const held: { reading?: BlockReading } = {}
  const take: BodyTaker = async (body) => {
    if (!busy() || !reader.takes(body)) return { body }
    const reading = await reader.read(body, { ...question, at, method })
    held.reading = reading
    if ('refused' in reading) return { body: reading.refused }
    if ('block' in reading) return { outcomes: calls.map(() => ({ result: null })) }
    const error = new RpcError('transient', INTERNAL_ERROR, reading.failure)
    return { outcomes: calls.map(() => ({ error })) }
  }
  const outcomes = await node.batch(calls, byReceipts && traceable() ? take : undefined)
  const { reading } = held
  if (!reading || 'refused' in reading) return blockOf(node, at, options, questions, outcomes)
  if ('failure' in reading) throw new RpcInconsistent('unread', `the answer for block ${at.number}: ${reading.failure}`)
  if (!traceable()) throw tryOtherNode(node)
  const { block } = reading
  return { read: block, codes: await codesOf(node, block.created, quantity(block.number)) }
}
