/** What is particular about version 3 of toncenter's API: questions stand in the URL, and answers in no envelope. */
import { z } from 'zod'
import { RpcAbsent } from '../../../../platform/rpc/errors.ts'
import type { HttpApi } from '../../../../platform/rpc/http-api.ts'
import type { Node } from '../../../../platform/rpc/pool.ts'
import { read } from '../../answers.ts'

/** An index states what went wrong; toncenter before it, that a limit is reached, in the words of version 2. */
const refused = z.union([
  z.looseObject({ error: z.string().min(1) }).transform(({ error }) => error),
  z.looseObject({ ok: z.literal(false), result: z.string() }).transform(({ result }) => result),
])

/** The one question that has a body. */
export const RUN = 'runGetMethod'

/** How calls are put to version 3 and what its errors look like, for `createHttpApi`. */
export const V3_HTTP = {
  errorIn: (answer) => refused.safeParse(answer).data,
  errorsHaveStatus: true,
  // Names of addresses beside each answer, which nobody reads here.
  headers: { 'X-No-Address-Book': 'true' },
  put: ({ method, params: [asked = {}] }) =>
    method === RUN
      ? { path: method, body: asked }
      : { path: method, query: z.record(z.string(), z.string()).parse(asked) },
} satisfies HttpApi

type Question = { method: string; params: Record<string, unknown> }

const ABSENT = /not found/i

/** Asks side by side; answers come in the order of the questions. @throws RpcAbsent when the index lacks what is asked about. */
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
 * One question, put as `askAll` puts several.
 * @throws RpcAbsent when the index lacks what is asked about
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
