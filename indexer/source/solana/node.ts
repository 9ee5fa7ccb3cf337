/** Requests to one Solana node, and the meaning of its error codes. */
import { z } from 'zod'
import { RpcAbsent, RpcError, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import { type RawHeader, rawHeader } from './raw.ts'

/** Commitment level of an answer (Solana RPC documentation, "Configuring State Commitment"). */
export type Commitment = 'confirmed' | 'finalized'

/**
 * Solana's own error codes (agave, `rpc-client-api/src/custom_error.rs`) for an absent block: pruned (-32001, -32011), not there
 * yet (-32004, -32014, -32016), or none in that slot according to the node (-32007 skipped or lost in a jump, -32009 the same
 * of its archive). Another node may have it.
 */
const ABSENT = new Set([-32001, -32004, -32007, -32009, -32011, -32014, -32016])
/** According to the node, the slot has no block. */
const SKIPPED = new Set([-32007, -32009])
/** The block has a transaction of a version that was not requested. */
const UNSUPPORTED_VERSION = -32015
/** Versions have seven bits. */
const HIGHEST_VERSION = 127

/** The node lacks a block; `skipped` if it holds that the slot has none. */
export class SlotAbsent extends RpcAbsent {
  readonly skipped: boolean

  constructor(what: string, skipped: boolean) {
    super(what)
    this.skipped = skipped
  }
}

/** Classifies an error for the pool: absence, or a failure that another node may not have. */
const sorted = (error: unknown, what: string): unknown => {
  if (!(error instanceof RpcError)) return error
  if (ABSENT.has(error.rpcCode)) return new SlotAbsent(what, SKIPPED.has(error.rpcCode))
  return error.kind === 'answer' ? new RpcError('transient', error.rpcCode, error.message, error.data) : error
}

const ask = async <T>(node: Node, method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T> => {
  const what = `${method} ${JSON.stringify(params[0] ?? '')}`
  let result: unknown
  try {
    result = await node.request(method, params)
  } catch (error) {
    throw sorted(error, what)
  }
  // Older nodes without -32004, and some providers, return null for an absent block.
  if (result === null) throw new SlotAbsent(what, false)
  const parsed = schema.safeParse(result)
  if (parsed.success) return parsed.data
  throw new RpcInconsistent('shape', `${what}: ${z.prettifyError(parsed.error).slice(0, 200)}`)
}

const slots = z.array(z.int().nonnegative())

/** The newest slot of a commitment. */
export const askSlot = (node: Node, commitment: Commitment): Promise<number> =>
  ask(node, 'getSlot', [{ commitment }], z.int().nonnegative())

/** Hash of the cluster's first block, which identifies the cluster. */
export const askGenesisHash = (node: Node): Promise<string> => ask(node, 'getGenesisHash', [], z.string())

const inOrder = (what: string, found: readonly number[], from: number): readonly number[] => {
  if (found.every((slot, index) => slot >= from && (index === 0 || slot > (found[index - 1] ?? slot)))) return found
  throw new RpcInconsistent('slots', `${what} lists slots that were not asked for or are out of order`)
}

/** Slots with a block in `from..to`, ascending. */
export const askBlocks = async (node: Node, from: number, to: number): Promise<readonly number[]> => {
  const found = await ask(node, 'getBlocks', [from, to, { commitment: 'confirmed' }], slots)
  return inOrder(`getBlocks ${from}`, found, from)
}

/** The first `count` slots with a block from `from` on, however far apart. */
export const askNext = async (node: Node, from: number, count: number): Promise<readonly number[]> => {
  const found = await ask(node, 'getBlocksWithLimit', [from, count, { commitment: 'confirmed' }], slots)
  return inOrder(`getBlocksWithLimit ${from}`, found, from)
}

/** Highest transaction version to request. A node names a higher one when it meets it, which is requested from then on. */
export type Versions = { highest: number }

/** A block, without transactions or with all of them. */
export const askBlock = async (
  node: Node,
  slot: number,
  { full, versions }: { full: boolean; versions: Versions },
): Promise<RawHeader> => {
  const options = () => ({
    commitment: 'confirmed',
    encoding: 'json',
    transactionDetails: full ? 'full' : 'none',
    rewards: false,
    maxSupportedTransactionVersion: versions.highest,
  })
  try {
    return await ask(node, 'getBlock', [slot, options()], rawHeader)
  } catch (error) {
    if (!(error instanceof RpcError) || error.rpcCode !== UNSUPPORTED_VERSION) throw error
    const named = Number(/"?maxSupportedTransactionVersion"?: (\d+)/.exec(error.message)?.[1] ?? versions.highest + 1)
    if (named <= versions.highest || named > HIGHEST_VERSION) throw error
    versions.highest = named
    return await ask(node, 'getBlock', [slot, options()], rawHeader)
  }
}
