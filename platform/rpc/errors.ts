/**
 * What can go wrong with one JSON-RPC call, sorted by what to do about it. Providers word the same refusal in many ways
 * and reuse codes, so code and text are both read (codes: JSON-RPC 2.0 section 5.1, EIP-1474).
 */

/** - `limited`: asked too much. `missing`: the node, or the plan it is rented by, has no such method. `pruned`: the node
 *    has forgotten the state the question is about. `transient`: another node, or later, may work.
 *  - `answer`: the error is the answer (a revert, bad parameters).
 *
 *  `missing` and `pruned` are about what a node can do. They are told from bad moments strictly, because they lead to
 *  blocks that are stored without traces: a time-out is a time-out even where its text advertises a paid tier. */
export type RpcErrorKind = 'limited' | 'missing' | 'pruned' | 'transient' | 'answer'

/** A JSON-RPC error object as the node sent it. */
export class RpcError extends Error {
  readonly kind: RpcErrorKind
  readonly rpcCode: number
  /** Revert data and the like, as sent. */
  readonly data: unknown

  constructor(kind: RpcErrorKind, rpcCode: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.kind = kind
    this.rpcCode = rpcCode
    this.data = data
  }
}

/** Why a POST gave no JSON-RPC answer at all. */
export type TransportFailure = 'timeout' | 'network' | 'http' | 'limited'

/** A POST that gave no JSON-RPC answer. */
export class RpcTransportError extends Error {
  readonly failure: TransportFailure
  /** Milliseconds the server asked us to wait. */
  readonly retryAfterMs: number | undefined

  constructor(failure: TransportFailure, message: string, retryAfterMs?: number) {
    super(message)
    this.name = 'RpcTransportError'
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}

/** An answer that contradicts itself or another one. Checks throw it; the pool counts it and retries. */
export class RpcInconsistent extends Error {
  /** Short name of the check, a metric label. */
  readonly check: string

  constructor(check: string, message: string) {
    super(message)
    this.name = 'RpcInconsistent'
    this.check = check
  }
}

/** The node does not know what was asked for. Other nodes are tried; when none knows it the caller gets this. */
export class RpcAbsent extends Error {
  constructor(what: string) {
    super(`no node knows ${what}`)
    this.name = 'RpcAbsent'
  }
}

type Rule = { kind: RpcErrorKind; codes?: readonly number[]; text?: RegExp }

/** First match decides. */
const RULES: readonly Rule[] = [
  { kind: 'answer', text: /execution reverted|out ?of ?gas|oog\b|invalid opcode|revert|EVM error|execution aborted/i },
  { kind: 'missing', codes: [-32601] },
  { kind: 'transient', text: /time.?out|timed out|deadline exceeded|took too long/i },
  {
    kind: 'limited',
    codes: [429, -32029, -32097],
    text: /rate.?limit|too many requests|request limit|throughput|compute units|quota|credits|capacity exceeded|throttl/i,
  },
  {
    kind: 'pruned',
    text: /missing trie node|historical state|no state available|\bstate\b.*\b(pruned|not available|unavailable)\b|\bpruned\b/i,
  },
  {
    kind: 'missing',
    codes: [-32004],
    text: /method\b.*\b(not found|not supported|not available|does not exist|not whitelisted|not allowed|disabled)|unsupported method|unknown method|not implemented|\b(not (available|supported|included|allowed)|upgrade)\b.*\b(tier|plan)\b|tracer not found|not supported tracer/i,
  },
  {
    kind: 'transient',
    codes: [-32603, -32001, -32002, -32005],
    text: /not found|unknown block|unavailable|not available|overload|syncing|busy|connection|try again|internal error|bad gateway/i,
  },
]

/**
 * The error of a call with its kind, read from code and text. What no rule knows is an answer: asking others would
 * bring the same.
 */
export const rpcError = (code: number, message: string, data?: unknown): RpcError => {
  const rule = RULES.find((each) => each.codes?.includes(code) || each.text?.test(message))
  return new RpcError(rule?.kind ?? 'answer', code, message, data)
}

/** A server that refuses a batch as a whole, not a call in it. */
export const refusesBatch = (error: RpcError): boolean => /batch/i.test(error.message)
