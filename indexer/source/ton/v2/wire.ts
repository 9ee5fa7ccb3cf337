/** The wire format of toncenter's API version 2: calls and errors. */
import { z } from 'zod'
import { RpcAbsent } from '../../../../platform/rpc/errors.ts'
import type { HttpApi } from '../../../../platform/rpc/http-api.ts'
import type { Node } from '../../../../platform/rpc/pool.ts'
import type { Outcome } from '../../../../platform/rpc/post.ts'
import { read } from '../../answers.ts'

const refused = z.looseObject({ ok: z.literal(false), error: z.unknown().optional(), result: z.unknown().optional() })

/** The error in an answer, `undefined` if it is none. Texts about limits are under `result`. */
const errorIn = (answer: unknown): string | undefined => {
  const found = refused.safeParse(answer)
  if (!found.success) return undefined
  const text = [found.data.error, found.data.result].find((one) => typeof one === 'string' && one !== '')
  return typeof text === 'string' ? text : 'internal error without a reason'
}

/** Every call goes to one path, in an envelope with its method. */
export const V2_HTTP = {
  errorIn,
  errorsHaveStatus: true,
  requestOf: ({ method, params }) => ({
    path: 'jsonRPC',
    body: { jsonrpc: '2.0', id: '1', method, params: params[0] ?? {} },
  }),
} satisfies HttpApi

/** The node does not have the block: not yet, never, or no longer. */
const ABSENT =
  /block not found|cannot find block|cannot compute block|not in db|block is not applied|node not synced|seqno not in db|state .*(gc'd|not available)|LITE_SERVER_NOTREADY/i

/** Envelope of every answer. */
const answered = <T>(result: z.ZodType<T>) => z.looseObject({ ok: z.literal(true), result })

const take = <T>(outcome: Outcome | undefined, schema: z.ZodType<T>, what: string): T => {
  if (outcome && 'error' in outcome && ABSENT.test(outcome.error.message)) throw new RpcAbsent(what)
  return read(outcome, answered(schema), what).result
}

/** One call; `params` are passed unchanged. */
export type Question = { method: string; params: Record<string, unknown> }

const named = ({ method, params }: Question): string => `${method} ${JSON.stringify(params)}`

/** Asks concurrently; answers are in the order of the calls. @throws RpcAbsent when the node lacks one of the blocks. */
export const askAll = async <T>(node: Node, questions: readonly Question[], schema: z.ZodType<T>): Promise<T[]> => {
  if (questions.length === 0) return []
  const outcomes = await node.batch(questions.map(({ method, params }) => ({ method, params: [params] })))
  return questions.map((question, index) => take(outcomes[index], schema, named(question)))
}

/** @throws RpcAbsent when the node does not have the block. */
export const ask = async <T>(node: Node, question: Question, schema: z.ZodType<T>): Promise<T> => {
  const [answer] = await askAll(node, [question], schema)
  return answer as T
}
