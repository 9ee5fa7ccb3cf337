/**
 * Reads a block from a single answer with its header and transactions, receipts and traces: bytes in, packed rows out, with the
 * same checks, verification and decoder as elsewhere. It only accepts complete and valid answers. All others (errors, gaps,
 * contradictions) are left to `fetch.ts`, which handles them.
 */
import { textOf } from '../../../../platform/rpc/transport.ts'
import {
  type BlockRef,
  type CreationRow,
  type Rows,
  type TableName,
  touchedAddresses,
} from '../../../../schema/block.ts'
import type { EvmDialect, Network } from '../../../../schema/networks.ts'
import { type PackedLines, packLines } from '../../../../schema/packed.ts'
import { tokensIn } from '../../tokens.ts'
import { createBloom } from '../bloom.ts'
import { checkHeader, checkTraces, placeReceipts } from '../check.ts'
import { createdIn } from '../created.ts'
import { decodeBlock } from '../decode/index.ts'
import { type TokenPlace, tokenPlaces } from '../decode/tokens.ts'
import { isRawHeader, isReceiptList, type RawReceipt, type TokenMetadata } from '../raw.ts'
import { type TraceMethod, tracesIn } from '../traces.ts'
import { createVerifier, type Verifier } from '../verify/index.ts'

/** The request that the answer belongs to. */
export type BlockQuestion = {
  network: Network
  dialect: EvmDialect
  /** Accept transactions without a signature, because every node of the network is on this machine. */
  impersonation: boolean
  at: { number: number; hash?: string }
  /** Method that traces were asked with, after header and receipts; `undefined` if they were not asked for. */
  method: TraceMethod | undefined
  /** Whether to return the tokens of the block. */
  tokens: boolean
}

/** A token of the block, and its first position. */
export type ShownToken = TokenPlace & Pick<TokenMetadata, 'token' | 'standard'>

/** A block without what only further requests show: token names, and code of contracts in blocks without traces. */
export type ReadBlock = BlockRef &
  PackedLines & {
    traces: 0 | 1
    /** Addresses that the block touched, separated by spaces. */
    touched: string
    /** Contracts whose code has to be asked for, and their rows; empty with traces. */
    created: string[]
    creations: CreationRow[]
    shown: ShownToken[]
  }

const resultOf = (answer: unknown, id: number): unknown => {
  if (!Array.isArray(answer)) return undefined
  const own: unknown = answer.find(
    (one: unknown) => typeof one === 'object' && one !== null && 'id' in one && one.id === id,
  )
  return typeof own === 'object' && own !== null && 'result' in own ? own.result : undefined
}

const shownIn = (number: number, receipts: readonly RawReceipt[]): ShownToken[] => {
  const placeOf = tokenPlaces(number, receipts)
  return [...tokensIn(receipts)].map(([token, standard]) => ({ token, standard, ...placeOf(token) }))
}

const verifiers = new Map<string, Verifier>()
const verifierOf = ({ dialect, impersonation }: BlockQuestion): Verifier => {
  const key = JSON.stringify([dialect, impersonation])
  const verifier = verifiers.get(key) ?? createVerifier(dialect, createBloom(), { impersonation })
  verifiers.set(key, verifier)
  return verifier
}

/**
 * Reads the answer to a batch.
 * @param answer the parsed answer: call 0 is for the block, 1 for its receipts, 2 for its traces.
 * @returns `undefined` when a part is missing or of another shape.
 * @throws RpcInconsistent when the parts do not fit; RangeError and SyntaxError of the decoder.
 */
const readAnswer = (answer: unknown, question: BlockQuestion): ReadBlock | undefined => {
  const { network, dialect, at, method } = question
  const verifier = verifierOf(question)
  const [block, receipts] = [resultOf(answer, 0), resultOf(answer, 1)]
  if (!isRawHeader(block) || !isReceiptList(receipts)) return undefined
  checkHeader(block, at)
  verifier.header(block)
  verifier.transactions(block)
  const placed = placeReceipts(block, receipts, { dialect, patient: true })
  verifier.receipts(block, placed)
  const whole = placed.filter((receipt) => receipt !== undefined)
  const traces = method && tracesIn(method, resultOf(answer, 2), block)
  if (traces) checkTraces(block, traces, dialect)
  const raw = { block, receipts: whole, traces, codes: new Map<string, string>(), tokenMetadata: [] }
  const decoded = decodeBlock(network, raw)
  const { number, hash, parentHash, time } = decoded
  const touched = touchedAddresses([decoded]).join(' ')
  const created = traces ? [] : createdIn(block, whole)
  const creations = created.length > 0 ? decoded.rows.creations : []
  const rows: { [T in TableName]?: Rows[T][] } = created.length > 0 ? { ...decoded.rows, creations: [] } : decoded.rows
  const shown = question.tokens ? shownIn(number, whole) : []
  const lines = packLines(rows)
  return { number, hash, parentHash, time, traces: traces ? 1 : 0, touched, created, creations, shown, ...lines }
}

/** @returns `undefined` when the answer is not a complete block that matches its hash, or cannot be decoded. */
export const readBlock = (body: Buffer, question: BlockQuestion): ReadBlock | undefined => {
  try {
    return readAnswer(JSON.parse(textOf(body)), question)
  } catch {
    return undefined
  }
}
