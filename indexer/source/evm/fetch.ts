/**
 * One block from one node: header with transactions, receipts and, where offered, traces in one POST, then whatever
 * only that answer tells to ask for. Everything is verified against the block's hash, so that a node that lies, and a
 * balancer that answers from several nodes or branches, is noticed.
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

/** Which block is asked for. With a hash, nodes are asked for that block and no other of its height. */
export type BlockAt = { number: number; hash?: string }

/** What is expected of a block, and what earlier attempts at it have shown. */
export type FetchOptions = {
  dialect: EvmDialect
  verifier: Verifier
  /** Hosts, set aside or not, that have not said that they offer no traces; `undefined` when traces are not wanted. */
  tracing: (() => readonly string[]) | undefined
  lacking: Lacking
}

/** What was found lacking for one block, kept over the attempts of that block, apart from whatever else went wrong in them. */
export type Lacking = {
  /** Times receipts were fewer than transactions, as they are for good on Ethermint. */
  receipts: number
  /** Times each host answered that it has forgotten the state that traces need. */
  pruned: Map<string, number>
  /** Why the last attempt brought no traces, if that is why it failed. */
  traces: string | undefined
}

/** Times receipts have to be found lacking before the block is taken without them. */
const PATIENCE = 4
/** Times a host has to answer that it has forgotten a state. */
const CONFIRMATIONS = 2
/** Stands for the code of an error of JSON-RPC: internal error. */
const UNREAD = -32_603
/** "Method not found" of JSON-RPC 2.0. */
const NO_METHOD = -32_601

const nullableHeader = rawHeader.nullable()
const TRACER = { tracer: 'callTracer' }

/** A number as JSON-RPC writes it: hex without zeros in front. */
export const quantity = (value: number) => `0x${value.toString(16)}`

/** What nodes may be asked for the traces of a block by, in order. */
const traceMethods = (at: BlockAt): readonly TraceMethod[] => [
  'trace_block',
  at.hash === undefined ? 'debug_traceBlockByNumber' : 'debug_traceBlockByHash',
]

/**
 * Whether an endpoint may give traces of a block asked for in this way: it has not said that it offers none.
 * @param usual whether nodes of the network offer traces. Where they do not, an endpoint that is away and never gave any is not waited for.
 */
export const offersTraces =
  (at: BlockAt, usual: boolean) =>
  ({ lacks, offers, blockedMs }: Candidate): boolean =>
    traceMethods(at).some((method) => !lacks(method) && (usual || offers(method) || blockedMs() === 0))

/** What to ask this node for traces, `undefined` once it has said that it offers none. */
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

/** Whether every host that offers traces has forgotten the state of this block. */
const isForgotten = (node: Node, lacking: Lacking, tracing: readonly string[]): boolean => {
  lacking.pruned.set(node.host, (lacking.pruned.get(node.host) ?? 0) + 1)
  return tracing.every((host) => (lacking.pruned.get(host) ?? 0) >= CONFIRMATIONS)
}

/** Another node is to be asked. The node contradicts nobody: it has no such method. */
const tracesElsewhere = ({ host }: Node) =>
  new RpcError('missing', NO_METHOD, `${host} offers no traces, and another node does`)

type Traced = { method: TraceMethod; outcome: Outcome }

/** What the node answers to the first method that it does not say is missing; `undefined` once it has said so of all of them. */
const askedOn = async (node: Node, at: BlockAt, asked: Traced | undefined): Promise<Traced | undefined> => {
  let { method, outcome } = asked ?? {}
  while (method && outcome && 'error' in outcome && outcome.error.kind === 'missing') {
    method = traceMethod(node, at)
    outcome = method ? (await node.batch([traceCall(method, at)]))[0] : undefined
  }
  return method && outcome && { method, outcome }
}

/**
 * Traces by the method asked for together with the block, or by the next one if the node lacks that.
 * @returns `undefined` when no node of the network can give them: each has said that it lacks the methods, or the state.
 *   A time-out, a limit or an empty answer is no such word; it throws, and the block is asked for again.
 */
const tracesOf = async (
  node: Node,
  at: BlockAt,
  block: RawHeader,
  asked: Traced | undefined,
  { dialect, lacking, tracing }: Omit<FetchOptions, 'tracing' | 'verifier'> & { tracing: () => readonly string[] },
): Promise<RawTrace[] | undefined> => {
  const answer = await askedOn(node, at, asked)
  if (!answer) {
    if (tracing().length === 0) return undefined
    throw tracesElsewhere(node)
  }
  const { method, outcome } = answer
  const pruned = 'error' in outcome && outcome.error.kind === 'pruned'
  if (pruned && isForgotten(node, lacking, tracing())) return undefined
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
 * Runtime code of contracts that were created in a block; a node that forgot the old state is asked for today's.
 * @param number of the block, as JSON-RPC has it.
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

/** What is asked of a node for a block, in one POST. */
const questionsOf = (node: Node, at: BlockAt, traced: boolean) => {
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

/** The block out of what a node answered to the questions. */
const blockOf = async (
  node: Node,
  at: BlockAt,
  { dialect, verifier, tracing, lacking }: FetchOptions,
  { id, method, byReceipts }: ReturnType<typeof questionsOf>,
  outcomes: readonly Outcome[],
): Promise<FetchedBlock> => {
  const block = read(outcomes[0], nullableHeader, 'block', isRawHeader)
  const outcome = method ? outcomes.at(-1) : undefined
  const asked = method && outcome ? { method, outcome } : undefined
  if (block === null) {
    // Another node may have the block and no traces: whether this one offers them has to be known then.
    await askedOn(node, at, asked)
    throw new RpcAbsent(`block ${id}`)
  }
  checkHeader(block, at)
  verifier.header(block)
  verifier.transactions(block)

  const found = await receiptsOf(node, block, byReceipts ? outcomes[1] : undefined, dialect)
  if (found.length < block.transactions.length) lacking.receipts += 1
  const patient = lacking.receipts < PATIENCE
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
 * @throws RpcAbsent when the node does not know the block; RpcInconsistent when the parts do not fit together;
 *   RpcError and RpcTransportError as the node and the network have it.
 */
export const fetchBlock = async (node: Node, at: BlockAt, options: FetchOptions): Promise<FetchedBlock> => {
  options.lacking.traces = undefined
  const questions = questionsOf(node, at, options.tracing !== undefined)
  return blockOf(node, at, options, questions, await node.batch(questions.calls))
}

/** How a thread reads blocks of a network. */
export type Threaded = {
  reader: BlockReader
  /** Whether threads are worth their start at present. */
  busy: () => boolean
  question: Omit<BlockQuestion, 'at' | 'method'>
}

/** A block that a thread read, with the code of what was created in it where it has no traces. */
export type ThreadedBlock = { read: ReadBlock; codes: ReadonlyMap<string, string> }

/**
 * As `fetchBlock`, with a thread to read the answer where it holds the whole block. What the thread does not take is read here.
 * @throws as `fetchBlock`; RpcInconsistent when the thread died of the answer or was late.
 */
export const fetchInThread = async (
  node: Node,
  at: BlockAt,
  options: FetchOptions,
  { reader, busy, question }: Threaded,
): Promise<ThreadedBlock | FetchedBlock> => {
  options.lacking.traces = undefined
  const questions = questionsOf(node, at, options.tracing !== undefined)
  const { calls, method, byReceipts } = questions
  const traceable = () => method !== undefined || (options.tracing?.().length ?? 0) === 0
  const held: { reading?: BlockReading } = {}
  const take: BodyTaker = async (body) => {
    if (!busy() || !reader.takes(body)) return { body }
    const reading = await reader.read(body, { ...question, at, method })
    held.reading = reading
    if ('refused' in reading) return { body: reading.refused }
    if ('block' in reading) return { outcomes: calls.map(() => ({ result: null })) }
    const error = new RpcError('transient', UNREAD, reading.failure)
    return { outcomes: calls.map(() => ({ error })) }
  }
  const outcomes = await node.batch(calls, byReceipts && traceable() ? take : undefined)
  const { reading } = held
  if (!reading || 'refused' in reading) return blockOf(node, at, options, questions, outcomes)
  if ('failure' in reading) throw new RpcInconsistent('unread', `the answer for block ${at.number}: ${reading.failure}`)
  if (!traceable()) throw tracesElsewhere(node)
  const { block } = reading
  return { read: block, codes: await codesOf(node, block.created, quantity(block.number)) }
}
