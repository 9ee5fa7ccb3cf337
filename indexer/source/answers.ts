/** How sources of any family take what a node answers. */
import { z } from 'zod'
import { RpcError, RpcInconsistent } from '../../platform/rpc/errors.ts'
import type { Outcome } from '../../platform/rpc/post.ts'

/** Reads an outcome of a node by a schema; an answer of another shape is as bad as a contradiction. */
export const read = <T>(outcome: Outcome | undefined, schema: z.ZodType<T>, what: string): T => {
  if (!outcome) throw new RpcInconsistent('shape', `${what}: no answer`)
  if ('error' in outcome) throw outcome.error
  const parsed = schema.safeParse(outcome.result)
  if (parsed.success) return parsed.data
  throw new RpcInconsistent('shape', `${what}: ${z.prettifyError(parsed.error).slice(0, 200)}`)
}

/** Errors of a node while fetching are never the answer: the block exists, and another node may have it. */
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
