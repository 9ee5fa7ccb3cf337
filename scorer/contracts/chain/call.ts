/** Calls as nodes and the in-process EVM take them, and what answers them. */

/** A node, or a pool of them: one question, its result. @throws what the transport throws, also for answers that are errors */
export type Requester = { request: (args: { method: string; params: unknown[] }) => Promise<unknown> }

/**
 * What a simulation pretends of one account, as `eth_call` takes it; all hex. What is left out is as the node has it.
 */
export type Override = {
  code?: string
  balance?: string
  nonce?: string
  /** Slot to value, both 32-byte hex. */
  stateDiff?: Record<string, string>
}
/** Pretended state by address, lower case. */
export type Overrides = Record<string, Override>
/**
 * Block fields a simulation pretends. `time` in unix seconds. A sequence also pretends who proposed the block, its randomness and its
 * base fee (wei), where they are named: else they are those of the pinned block.
 */
export type Moment = { number: number; time: number; coinbase?: string; prevRandao?: string; baseFee?: bigint }
/** A call as JSON-RPC takes it: quantities are hex, `value` in wei. */
export type ChainCall = { from?: string; to: string; data: string; value?: string; gas?: string; gasPrice?: string }

/** Data as JSON-RPC writes it. */
export const HEX = /^0x[0-9a-f]*$/i
/** Whether what a node answered is data: anything may come. */
export const isHex = (value: unknown): value is string => typeof value === 'string' && HEX.test(value)
