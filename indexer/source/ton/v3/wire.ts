/** The wire format of toncenter's API version 3: parameters are in the URL, and answers have no envelope. */
import { z } from 'zod'
import { RpcAbsent } from '../../../../platform/rpc/errors.ts'
import type { HttpApi } from '../../../../platform/rpc/http-api.ts'
import type { Node } from '../../../../platform/rpc/pool.ts'
import { read } from '../../answers.ts'

/** Errors of an index, and of toncenter before it (about limits), in the format of version 2. */
const refused = z.union([
  z.looseObject({ error: z.string().min(1) }).transform(({ error }) => error),
  z.looseObject({ ok: z.literal(false), result: z.string() }).transform(({ result }) => result),
])

/** The only call with a body. */
export const RUN = 'runGetMethod'

/** Calls and errors of version 3, for `createHttpApi`. */
export const V3_HTTP = {
  errorIn: (answer) => refused.safeParse(answer).data,
  errorsHaveStatus: true,
  // Leaves out the address book, which is not used.
  headers: { 'X-No-Address-Book': 'true' },
  requestOf: ({ method, params: [asked = {}] }) =>
    method === RUN
      ? { path: method, body: asked }
      : { path: method, query: z.record(z.string(), z.string()).parse(asked) },
} satisfies HttpApi

type Question = { method: string; params: Record<string, unknown> }

const ABSENT = /not found/i

/** Asks concurrently; answers are in the order of the calls. @throws RpcAbsent when the index lacks an object. */
export const askAll = async <T>(node: Node, questions: readonly Question[], schema: z.ZodType<T>): Promise<T[]> => {
  if (questions.length === 0) return []
  const outcomes = await node.batch(questions.map(({ method, params }) => ({ method, params: [params] })))
  return questions.map(({ method, params }, index) => {
    const outcome = outcomes[index]
    const what = `${method} ${JSON.stringify(params)}`
    if (outcome && 'error' in outcome && ABSENT.test(outcome.error.message)) throw new RpcAbsent(what)
    return read(outcome, schema, what)
  })
}

/**
 * One call, like `askAll`.
 * @throws RpcAbsent when the index lacks the object
 */
export const ask = async <T>(
  node: Node,
  method: string,
  params: Record<string, unknown>,
  schema: z.ZodType<T>,
): Promise<T> => {
  const [answer] = await askAll(node, [{ method, params }], schema)
  return answer as T
}
