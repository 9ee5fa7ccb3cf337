/** Types of calls for nodes and the in-process EVM. */

/**
 * A node or a pool of nodes: sends one question and returns its result. @throws the transport's errors, also for
 * JSON-RPC errors
 */
export type Requester = { request: (args: { method: string; params: unknown[] }) => Promise<unknown> }

/** State override of one account, as `eth_call` takes it; all hex. Missing fields are as the node has them. */
export type Override = {
  code?: string
  balance?: string
  nonce?: string
  /** Slot to value, both 32-byte hex. */
  stateDiff?: Record<string, string>
}
/** State overrides by lower-case address. */
export type Overrides = Record<string, Override>
/**
 * Block overrides of a simulation; `time` in Unix seconds. Sequences also override the proposer, the randomness and the
 * base fee (wei) when given; they default to those of the pinned block.
 */
export type Moment = { number: number; time: number; coinbase?: string; prevRandao?: string; baseFee?: bigint }
/** A call in JSON-RPC form: quantities are hex, `value` in wei. */
export type ChainCall = { from?: string; to: string; data: string; value?: string; gas?: string; gasPrice?: string }

/** Hex data as in JSON-RPC. */
export const HEX = /^0x[0-9a-f]*$/i
/** Whether a node's answer is hex data. */
export const isHex = (value: unknown): value is string => typeof value === 'string' && HEX.test(value)
