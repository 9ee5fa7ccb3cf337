/** Messages between the process and the EVM's thread. All hex is 0x-prefixed and lower-case. */
import type { ChainCall, Moment, Overrides } from '../call.ts'

/** The pinned block. `id` identifies its state: equal ids share reads. */
export type Pinned = {
  id: string
  chainId: number
  height: number
  time: number
  /** Base fee in wei; 0 on networks without one. */
  baseFee: bigint
  /** Block gas limit. */
  gasLimit: number
  /** Proposer of the block, 20 bytes of hex. */
  coinbase: string
  /** The block's randomness, 32 bytes of hex. */
  prevRandao: string
}
/** Calls run one after the other on one state, each at its moment or at the pinned block's. */
export type Job = { id: number; pinned: Pinned; blocks: { call: ChainCall; moment?: Moment }[]; overrides: Overrides }
/** A request for a part of the state. Slots are 32-byte hex. */
export type StateQuestion = { address: string; slot?: string }
/** An account, hex; code is `0x` for an account without code. */
export type AccountState = { balance: string; nonce: string; code: string }
/** The node's answer. `missing`: why it is unknown; then the job fails. */
export type StateAnswer = AccountState | { value: string } | { missing: string }

/** Messages to a thread: a job, or state it asked for. */
export type ToThread = { kind: 'run'; job: Job } | { kind: 'state'; question: number; answer: StateAnswer }
/** Messages from a thread. It asks for state whenever code reads some, so a job may take many turns. */
export type FromThread =
  | { kind: 'ask'; job: number; question: number; state: StateQuestion }
  /** `results` holds `undefined` for failed calls. `failure`: why nothing could be run. */
  | { kind: 'done'; job: number; results?: (string | undefined)[]; failure?: string }
