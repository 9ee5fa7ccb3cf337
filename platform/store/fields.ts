/**
 * Splits long lists for a server. Parameters travel as form fields, and a field holds 128 KiB by default
 * (`http_max_field_value_size`), about 2,900 addresses: a longer list becomes several fields, which the statement joins.
 */
import type { QueryParams } from './store.ts'

const FIELD_BYTES = 120_000
const LIST = /\{(\w+)(\s*:\s*Array\([^{}]+\))\}/g

/** Maximum size of an item: every character escaped, two quotes and a comma. */
const bytesOf = (item: unknown): number => 2 * Buffer.byteLength(String(item)) + 3

const piecesOf = (list: readonly unknown[]): unknown[][] => {
  const pieces: unknown[][] = []
  let left = 0
  for (const item of list) {
    const bytes = bytesOf(item)
    if (bytes > left) {
      pieces.push([])
      left = FIELD_BYTES
    }
    pieces.at(-1)?.push(item)
    left -= bytes
  }
  return pieces
}

/** The statement and its parameters, with lists that exceed a field split up. */
export const inFields = (sql: string, params: QueryParams): { query: string; query_params: QueryParams } => {
  const fields: QueryParams = { ...params }
  const joined = new Map<string, (type: string) => string>()
  for (const [name, value] of Object.entries(params)) {
    const pieces = Array.isArray(value) ? piecesOf(value) : []
    if (pieces.length < 2) continue
    delete fields[name]
    const names = pieces.map((_, nth) => `${name}_${nth}`)
    for (const [nth, piece] of pieces.entries()) fields[`${name}_${nth}`] = piece
    joined.set(name, (type) => `arrayConcat(${names.map((piece) => `{${piece}${type}}`).join(', ')})`)
  }
  return {
    query: sql.replace(LIST, (placeholder, name: string, type: string) => joined.get(name)?.(type) ?? placeholder),
    query_params: fields,
  }
}
