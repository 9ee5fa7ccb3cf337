/** How sources of all families handle the answers of nodes. */
import { z } from 'zod'
import { BugError, OperatorError } from '../../platform/errors.ts'
import { RpcAbsent, RpcError, RpcInconsistent } from '../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../platform/rpc/pool.ts'
import type { Outcome } from '../../platform/rpc/post.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'

/**
 * Parses an answer by a schema. An answer of another shape counts as a contradiction.
 * @param is faster check than the schema; answers that fail it are parsed by the schema.
 */
export const read = <T>(
  outcome: Outcome | undefined,
  schema: z.ZodType<T>,
  what: string,
  is?: (result: unknown) => result is T,
): T => {
  if (!outcome) throw new RpcInconsistent('shape', `${what}: no answer`)
  if ('error' in outcome) throw outcome.error
  if (is?.(outcome.result)) return outcome.result
  const parsed = schema.safeParse(outcome.result)
  if (parsed.success) return parsed.data
  throw new RpcInconsistent('shape', `${what}: ${z.prettifyError(parsed.error).slice(0, 200)}`)
}

/** Turns errors of a node into retryable ones: the block exists, so another node may have it. */
export const retryOnOther = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof RpcError && error.kind === 'answer') {
      throw new RpcError('transient', error.rpcCode, error.message, error.data)
    }
    throw error
  }
}

/** The result, or `undefined` when no node knows it. */
export const orAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof RpcAbsent) return undefined
    throw error
  }
}

/** Checks that all nodes are on the network's chain. @throws OperatorError ASSAY_SOURCE_WRONG_CHAIN */
export const verifyChain = async (
  network: Network,
  pool: Pick<RpcPool, 'everywhere'>,
  idOf: (node: Node) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> => {
  const { chainId } = networkInfo(network)
  if (chainId === null) throw new BugError('ASSAY_SOURCE_NO_CHAIN_ID', `${network} has no chain id.`)
  const found = await pool.everywhere(async (node) => ({ host: node.host, id: await retryOnOther(idOf(node)) }), {
    signal,
  })
  const wrong = found.find(({ id }) => id !== chainId)
  if (wrong) {
    throw new OperatorError(
      'ASSAY_SOURCE_WRONG_CHAIN',
      `The node ${wrong.host} is on chain ${wrong.id}, but ${network} is chain ${chainId}. Nothing was indexed. Correct ${network}_RPC_URL.`,
    )
  }
}
