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
/** Block fields a simulation pretends. `time` in unix seconds. */
export type Moment = { number: number; time: number }
export type ChainCall = { from?: string; to: string; data: string; value?: string; gas?: string; gasPrice?: string }
