/** Parses call traces of both formats into one flat list. */
import { z } from 'zod'
import { isNone, isObject, type Json } from '../guards.ts'
import type { RawHeader, RawTrace } from './raw.ts'

/** Methods for the traces of a block. */
export type TraceMethod = 'trace_block' | 'debug_traceBlockByHash' | 'debug_traceBlockByNumber'

const text = z.string()
const opt = z.string().nullish()

/** `trace_block` (OpenEthereum's trace module; Erigon, Nethermind, Besu, Reth, anvil). */
const parityAction = z.looseObject({
  callType: opt,
  creationMethod: opt,
  from: opt,
  to: opt,
  value: opt,
  input: opt,
  init: opt,
  address: opt,
  refundAddress: opt,
  balance: opt,
})
const parityResult = z.looseObject({ address: opt, code: opt, output: opt })
const parityTrace = z.looseObject({
  type: text,
  action: parityAction,
  result: parityResult.nullish(),
  error: opt,
  traceAddress: z.array(z.number()),
  transactionHash: opt,
  transactionPosition: z.number().nullish(),
  blockHash: opt,
})
const parityTraces = z.array(parityTrace)
type ParityTrace = z.output<typeof parityTrace>

/** A frame of geth's `callTracer`; nested `calls` are parsed when they are reached. */
const callFrame = z.looseObject({
  type: text,
  from: text,
  to: opt,
  value: opt,
  input: opt,
  output: opt,
  error: opt,
  calls: z.array(z.unknown()).nullish(),
})
/** Some nodes return bare frames, without the transaction. */
const callTraces = z.array(
  z.union([
    z.looseObject({ txHash: opt, result: callFrame }),
    callFrame.transform((result) => ({ txHash: null, result })),
  ]),
)

/** Names of a shape's optional texts. */
const optionalOf = (shape: Readonly<Record<string, z.ZodType>>): string[] =>
  Object.keys(shape).filter((name) => shape[name] === opt)
const hasOptional = (value: Json, names: readonly string[]): boolean => {
  for (const name of names) if (!isNone(value[name]) && typeof value[name] !== 'string') return false
  return true
}
const ACTION = optionalOf(parityAction.shape)
const RESULT = optionalOf(parityResult.shape)
const TRACE = optionalOf(parityTrace.shape)
const FRAME = optionalOf(callFrame.shape)

const isNumber = (value: unknown): boolean => Number.isFinite(value)

/**
 * Whether an answer matches `parityTraces`, without copying it. Blocks have thousands of frames, so the schema is only used for
 * the error message of an invalid one.
 */
const isParityTraces = (value: unknown): value is ParityTrace[] =>
  Array.isArray(value) &&
  value.every(
    (trace) =>
      isObject(trace) &&
      typeof trace.type === 'string' &&
      isObject(trace.action) &&
      hasOptional(trace.action, ACTION) &&
      (isNone(trace.result) || (isObject(trace.result) && hasOptional(trace.result, RESULT))) &&
      hasOptional(trace, TRACE) &&
      Array.isArray(trace.traceAddress) &&
      trace.traceAddress.every(isNumber) &&
      (isNone(trace.transactionPosition) || isNumber(trace.transactionPosition)),
  )

type CallFrame = z.output<typeof callFrame>
/** Whether a frame matches `callFrame`. */
const isCallFrame = (value: unknown): value is CallFrame =>
  isObject(value) &&
  typeof value.type === 'string' &&
  typeof value.from === 'string' &&
  hasOptional(value, FRAME) &&
  (isNone(value.calls) || Array.isArray(value.calls))

const frameOf = (value: unknown): CallFrame => (isCallFrame(value) ? value : callFrame.parse(value))

type CallTraces = z.output<typeof callTraces>
/** Parses traces as `callTraces`. @throws ZodError */
const callTracesOf = (answer: unknown): CallTraces => {
  if (!Array.isArray(answer)) return callTraces.parse(answer)
  const traces: CallTraces = []
  for (const trace of answer) {
    if (isObject(trace) && isCallFrame(trace.result) && (isNone(trace.txHash) || typeof trace.txHash === 'string')) {
      traces.push({ txHash: isNone(trace.txHash) ? null : String(trace.txHash), result: trace.result })
    } else if (isCallFrame(trace)) traces.push({ txHash: null, result: trace })
    else return callTraces.parse(answer)
  }
  return traces
}

type OptionalText = string | null | undefined
/** Optional fields; most frames have few of them. */
const optionalFields = (
  input: OptionalText,
  output: OptionalText,
  error: OptionalText,
): Pick<RawTrace, 'input' | 'output' | 'error'> => {
  const fields: Pick<RawTrace, 'input' | 'output' | 'error'> = {}
  if (input) fields.input = input
  if (output) fields.output = output
  if (error) fields.error = error
  return fields
}

const KINDS = {
  CALL: 'call',
  CALLCODE: 'callcode',
  DELEGATECALL: 'delegatecall',
  STATICCALL: 'staticcall',
  CREATE: 'create',
  CREATE2: 'create2',
  SELFDESTRUCT: 'suicide',
  SUICIDE: 'suicide',
} as const satisfies Record<string, RawTrace['type']>

const KIND_BY_NAME: ReadonlyMap<string, RawTrace['type']> = new Map(Object.entries(KINDS))
const kindOf = (name: string): RawTrace['type'] | undefined =>
  KIND_BY_NAME.get(name) ?? KIND_BY_NAME.get(name.toUpperCase())

const parityKind = ({ type, action }: ParityTrace): RawTrace['type'] | undefined =>
  type === 'call'
    ? kindOf(action.callType ?? 'call')
    : kindOf(type === 'create' ? (action.creationMethod ?? type) : type)

/**
 * Frames of `trace_block`, in the given order, which is call order. Block rewards belong to no transaction and are skipped.
 * @throws ZodError on an unknown shape; RangeError on frames of another block.
 */
export const fromTraceBlock = (answer: unknown, blockHash: string): RawTrace[] => {
  const frames: RawTrace[] = []
  let txIndex = -1
  let frameIndex = 0
  let failedDepth = Number.POSITIVE_INFINITY
  for (const trace of isParityTraces(answer) ? answer : parityTraces.parse(answer)) {
    if (trace.blockHash && trace.blockHash.toLowerCase() !== blockHash.toLowerCase()) {
      throw new RangeError(`a trace of block ${trace.blockHash}`)
    }
    const { transactionHash, transactionPosition, action, result, error } = trace
    const type = parityKind(trace)
    if (!transactionHash || transactionPosition === null || transactionPosition === undefined || !type) continue
    if (transactionPosition !== txIndex) {
      txIndex = transactionPosition
      frameIndex = 0
      failedDepth = Number.POSITIVE_INFINITY
    }
    const depth = trace.traceAddress.length
    if (depth <= failedDepth) failedDepth = error ? depth : Number.POSITIVE_INFINITY
    frameIndex += 1
    frames.push({
      txIndex,
      txHash: transactionHash,
      frameIndex,
      depth,
      type,
      from: (type === 'suicide' ? action.address : action.from) ?? '',
      to: (type === 'suicide' ? action.refundAddress : (result?.address ?? action.to)) ?? '',
      value: (type === 'suicide' ? action.balance : action.value) ?? '0x0',
      reverted: depth >= failedDepth,
      ...optionalFields(action.input ?? action.init, result?.code ?? result?.output, error),
    })
  }
  return frames
}

/**
 * Frames of `debug_traceBlockBy*` with `{ tracer: 'callTracer' }`, flattened depth first.
 * @param txHashes the block's transactions: newer nodes name the transaction of each result, older ones rely on the order.
 * @throws ZodError on an unknown shape; RangeError on traces of other transactions.
 */
export const fromCallTracer = (answer: unknown, txHashes: readonly string[]): RawTrace[] => {
  const frames: RawTrace[] = []
  callTracesOf(answer).forEach(({ txHash, result }, txIndex) => {
    const hash = txHashes[txIndex]
    if (!hash || (txHash && txHash.toLowerCase() !== hash.toLowerCase())) {
      throw new RangeError(`a trace of transaction ${txHash ?? txIndex}`)
    }
    let frameIndex = 0
    const walk = (frame: CallFrame, depth: number, inherited: boolean) => {
      const reverted = inherited || Boolean(frame.error)
      const type = kindOf(frame.type)
      frameIndex += 1
      if (type) {
        frames.push({
          txIndex,
          txHash: hash,
          frameIndex,
          depth,
          type,
          from: frame.from,
          to: frame.to ?? '',
          value: frame.value ?? '0x0',
          reverted,
          ...optionalFields(frame.input, frame.output, frame.error),
        })
      }
      for (const call of frame.calls ?? []) walk(frameOf(call), depth + 1, reverted)
    }
    walk(result, 0, false)
  })
  return frames
}

/**
 * Parses the traces of a block.
 * @throws ZodError on an unknown shape; RangeError on frames of another block or of other transactions.
 */
export const tracesIn = (method: TraceMethod, answer: unknown, block: RawHeader): RawTrace[] =>
  method === 'trace_block'
    ? fromTraceBlock(answer, block.hash)
    : fromCallTracer(
        answer,
        block.transactions.map(({ hash }) => hash),
      )
