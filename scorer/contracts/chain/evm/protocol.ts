import type { ChainCall, Moment, Overrides } from '../call.ts'
/** What travels between the process and the thread the EVM runs in. All hex is 0x-prefixed lower case. */

/** The block everything is pinned to. `id` names its state: equal ids share what was read. */
export type Pinned = {
  id: string
  chainId: number
  height: number
  time: number
  /** Wei for one unit of gas; 0 on networks without one. */
  baseFee: bigint
  /** Gas of all transactions of the block. */
  gasLimit: number
  /** Who proposed the block, 20 bytes of hex. */
  coinbase: string
  /** The block's randomness, 32 bytes of hex. */
  prevRandao: string
}
/** Calls one after the other on one state, each at its moment; the pinned block's when none is given. */
export type Job = { id: number; pinned: Pinned; blocks: { call: ChainCall; moment?: Moment }[]; overrides: Overrides }
/** Part of the state as the node has it. Slots are 32-byte hex. */
export type StateQuestion = { address: string; slot?: string }
/** An account as the node has it, hex; code `0x` for an account without. */
export type AccountState = { balance: string; nonce: string; code: string }
/** What the node has; `missing` says why it is not known, and then nothing can be run on it. */
export type StateAnswer = AccountState | { value: string } | { missing: string }

/** What a thread is told: a job, and what it asked for. */
export type ToThread = { kind: 'run'; job: Job } | { kind: 'state'; question: number; answer: StateAnswer }
/** What a thread says. It asks for state when the code reads it, so a job may take many turns. */
export type FromThread =
  | { kind: 'ask'; job: number; question: number; state: StateQuestion }
  /** `undefined` in the place of a call that failed. `failure`: why nothing could be run. */
  | { kind: 'done'; job: number; results?: (string | undefined)[]; failure?: string }
