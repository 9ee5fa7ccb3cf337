/** Questions to one Solana node, and what its error codes mean. */
import { z } from 'zod'
import { RpcAbsent, RpcError, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import { type RawHeader, rawHeader } from './raw.ts'

/** How sure a cluster is of what it answers (Solana RPC documentation, "Configuring State Commitment"). */
export type Commitment = 'confirmed' | 'finalized'

/**
 * Errors of Solana's own range (agave, `rpc-client-api/src/custom_error.rs`).
 * The node does not have the block: pruned (-32001, -32011), not there yet (-32004, -32014, -32016), or for it there is
 * none in that slot (-32007 skipped or lost in a jump, -32009 the same of its archive). Another node may have it.
 */
const ABSENT = new Set([-32001, -32004, -32007, -32009, -32011, -32014, -32016])
/** For the node the slot has no block. */
const SKIPPED = new Set([-32007, -32009])
/** The block holds a transaction of a version that was not asked for. */
const UNSUPPORTED_VERSION = -32015
/** Versions are seven bits. */
const HIGHEST_VERSION = 127

/** What a node lacks, and whether it takes the slot for skipped. */
export class SlotAbsent extends RpcAbsent {
  readonly skipped: boolean

  constructor(what: string, skipped: boolean) {
    super(what)
    this.skipped = skipped
  }
}

/** An error as the pool sorts them: absence, or a failure that another node may not have. */
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
  // Before -32004 existed, and behind some providers, a block that is not there is null.
  if (result === null) throw new SlotAbsent(what, false)
  const parsed = schema.safeParse(result)
  if (parsed.success) return parsed.data
  throw new RpcInconsistent('shape', `${what}: ${z.prettifyError(parsed.error).slice(0, 200)}`)
}

const slots = z.array(z.int().nonnegative())

/** The newest slot of a commitment. */
export const askSlot = (node: Node, commitment: Commitment): Promise<number> =>
  ask(node, 'getSlot', [{ commitment }], z.int().nonnegative())

/** Hash of the cluster's first block, which names the cluster: `verify` compares it. */
export const askGenesisHash = (node: Node): Promise<string> => ask(node, 'getGenesisHash', [], z.string())

const inOrder = (what: string, found: readonly number[], from: number): readonly number[] => {
  if (found.every((slot, index) => slot >= from && (index === 0 || slot > (found[index - 1] ?? slot)))) return found
  throw new RpcInconsistent('slots', `${what} lists slots that were not asked for or are out of order`)
}

/** Slots `from..to` that have a block, ascending. */
export const askBlocks = async (node: Node, from: number, to: number): Promise<readonly number[]> => {
  const found = await ask(node, 'getBlocks', [from, to, { commitment: 'confirmed' }], slots)
  return inOrder(`getBlocks ${from}`, found, from)
}

/** The first slots with a block from `from` on, however far apart they are. */
export const askNext = async (node: Node, from: number, count: number): Promise<readonly number[]> => {
  const found = await ask(node, 'getBlocksWithLimit', [from, count, { commitment: 'confirmed' }], slots)
  return inOrder(`getBlocksWithLimit ${from}`, found, from)
}

/** Versions of transactions to ask for. A node that meets a higher one names it, and it is asked for from then on. */
export type Versions = { highest: number }

/** A block without its transactions, or with all of them as instructions and balances. */
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
