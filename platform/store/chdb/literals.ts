/**
 * Parameters as literals, for chDB only: its binding runs one parameterised statement at a time per process
 * (chdb-io/chdb-node#51), so that a slow one would hold up every look-up. A value becomes one quoted string, cast to the
 * declared type by the engine, exactly as the server treats HTTP parameters; `test/contract/store` compares the two.
 */
import type { QueryParams } from '../store.ts'

const PLACEHOLDER = /\{(\w+)\s*:\s*([^{}]+)\}/g
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
const ESCAPES: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\0': '\\0', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (text: string): string => text.replace(/[\\'\0\n\r\t]/g, (character) => ESCAPES[character] ?? character)
const quoted = (text: string): string => `'${escaped(text)}'`

/** Text of a value as ClickHouse parses it in the declared type; strings inside arrays are quoted. */
const valueText = (value: unknown, nested: boolean): string => {
  switch (typeof value) {
    case 'string':
      return nested ? quoted(value) : value
    case 'bigint':
      return value.toString()
    case 'number':
      if (Number.isFinite(value)) return String(value)
      break
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (Array.isArray(value)) return `[${value.map((item) => valueText(item, true)).join(',')}]`
      if (value instanceof Date) return String(value.getTime() / 1_000)
  }
  throw new TypeError(`no ClickHouse parameter: ${typeof value}`)
}

/** @throws TypeError for a missing parameter, a value that has no text, or an identifier that is none. */
export const inlineParams = (sql: string, params: QueryParams | undefined): string =>
  params === undefined
    ? sql
    : sql.replace(PLACEHOLDER, (_, name: string, type: string) => {
        if (!Object.hasOwn(params, name)) throw new TypeError(`parameter ${name} is missing`)
        const text = valueText(params[name], false)
        if (type !== 'Identifier') return type === 'String' ? quoted(text) : `CAST(${quoted(text)}, ${quoted(type)})`
        if (!IDENTIFIER.test(text)) throw new TypeError(`parameter ${name} is no identifier`)
        return `\`${text}\``
      })
