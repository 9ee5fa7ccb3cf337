/** Calls as nodes and the in-process EVM take them, and what answers them. */

export type Requester = { request: (args: { method: string; params: unknown[] }) => Promise<unknown> }

export type Override = {
  code?: string
  balance?: string
  nonce?: string
  /** Slot to value, both 32-byte hex. */
  stateDiff?: Record<string, string>
}
export type Overrides = Record<string, Override>
/**
 * Block fields a simulation pretends. `time` in unix seconds. A sequence also pretends who proposed the block, its randomness and its
 * base fee (wei), where they are named: else they are those of the pinned block.
 */
export type Moment = { number: number; time: number; coinbase?: string; prevRandao?: string; baseFee?: bigint }
export type ChainCall = { from?: string; to: string; data: string; value?: string; gas?: string; gasPrice?: string }
