/**
 * Failures of JSON-RPC calls, classified by how to handle them. Providers word the same refusal in many ways and reuse codes,
 * so both code and text count (codes: JSON-RPC 2.0 section 5.1, EIP-1474).
 */

/** - `limited`: too many requests. `missing`: the node or its plan does not offer the method. `pruned`: the node no longer
 *    has the state. `transient`: another node, or a later try, may work.
 *  - `answer`: the error is the answer (a revert, bad parameters).
 *
 *  `missing` and `pruned` describe a node's abilities. They are matched strictly, because they lead to blocks that are
 *  stored without traces: a time-out stays a time-out even if its text advertises a paid tier. */
export type RpcErrorKind = 'limited' | 'missing' | 'pruned' | 'transient' | 'answer'

/** A JSON-RPC error, as the node sent it. */
export class RpcError extends Error {
  readonly kind: RpcErrorKind
  readonly rpcCode: number
  /** Revert data and the like, unchanged. */
  readonly data: unknown

  constructor(kind: RpcErrorKind, rpcCode: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.kind = kind
    this.rpcCode = rpcCode
    this.data = data
  }
}

/** Why a POST brought no JSON-RPC response. */
export type TransportFailure = 'timeout' | 'network' | 'http' | 'limited'

/** A POST brought no JSON-RPC response. */
export class RpcTransportError extends Error {
  readonly failure: TransportFailure
  /** The server's `Retry-After`, ms. */
  readonly retryAfterMs: number | undefined

  constructor(failure: TransportFailure, message: string, retryAfterMs?: number) {
    super(message)
    this.name = 'RpcTransportError'
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}

/** An answer that contradicts itself or another one. Thrown by checks; the pool counts it and retries. */
export class RpcInconsistent extends Error {
  /** Short name of the check, a metric label. */
  readonly check: string

  constructor(check: string, message: string) {
    super(message)
    this.name = 'RpcInconsistent'
    this.check = check
  }
}

/** The node does not know the requested object. The pool tries other nodes, and rethrows it if none knows it. */
export class RpcAbsent extends Error {
  constructor(what: string) {
    super(`no node knows ${what}`)
    this.name = 'RpcAbsent'
  }
}

type Rule = { kind: RpcErrorKind; codes?: readonly number[]; text?: RegExp }

/** The first match decides. */
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

/** Classifies an error by code and text. Unknown errors are answers: other nodes would give the same. */
export const rpcError = (code: number, message: string, data?: unknown): RpcError => {
  const rule = RULES.find((each) => each.codes?.includes(code) || each.text?.test(message))
  return new RpcError(rule?.kind ?? 'answer', code, message, data)
}

/** Whether the server refused the batch as a whole. */
export const refusesBatch = (error: RpcError): boolean => /batch/i.test(error.message)
