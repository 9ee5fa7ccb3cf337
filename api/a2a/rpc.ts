/** The subset of JSON-RPC 2.0 that A2A uses: one request object, named parameters, no batches. */
import type { z } from 'zod'
import { ERRORS, envelope, type RpcId } from './protocol.ts'

/** A JSON-RPC error, thrown and answered instead of a result. */
export class RpcError extends Error {
  readonly error: { code: number; message: string }
  readonly data: unknown

  constructor(error: { code: number; message: string }, data?: unknown) {
    super(error.message)
    this.error = error
    this.data = data
  }
}

/** A request. The `id` of a notification is null, also in an error about it. */
export type RpcRequest = { id: RpcId; method: string; params: unknown; notification: boolean }

const issuesOf = (error: z.ZodError) =>
  error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message }))

/** The id for the response; `null` if it cannot be read (JSON-RPC 2.0, section 5). */
const idOf = (body: unknown): RpcId => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}

/** Nesting of arrays and objects. Deeper values can be parsed, but not serialized again for the history. */
const MAX_DEPTH = 100
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)))
const TOO_DEEP = [{ field: '', message: `is nested more than ${MAX_DEPTH} levels deep` }]

/** Reads a parsed body; `undefined` if it was not JSON. */
export const readRequest = (body: unknown): RpcRequest | { id: RpcId; refused: RpcError } => {
  if (body === undefined) return { id: null, refused: new RpcError(ERRORS.parse) }
  const id = idOf(body)
  if (isDeeper(body, MAX_DEPTH)) return { id, refused: new RpcError(ERRORS.request, TOO_DEEP) }
  const parsed = envelope.safeParse(body)
  if (!parsed.success) return { id, refused: new RpcError(ERRORS.request, issuesOf(parsed.error)) }
  const { method, params } = parsed.data
  return { id, method, params, notification: parsed.data.id === undefined }
}

/** @throws RpcError -32602 that names each invalid field */
export const paramsOf = <T>(schema: z.ZodType<T>, params: unknown): T => {
  const parsed = schema.safeParse(params ?? {})
  if (!parsed.success) throw new RpcError(ERRORS.params, issuesOf(parsed.error))
  return parsed.data
}
