/**
 * Parameters as literals, for chDB only: its binding runs one parameterised statement at a time per process
 * (chdb-io/chdb-node#51), so that a slow one would hold up every look-up. A value becomes one quoted string, cast to the
 * declared type by the engine, exactly as the server treats HTTP parameters; `test/contract/store` compares the two.
 */
import type { QueryParams } from '../store.ts'

/** Name and type of a bound value. There is one way to match each text, so that no statement takes longer than its length. */
export const PLACEHOLDER = /\{(\w+)\s*:\s*([^{}\s][^{}]*)\}/g
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
const ESCAPES: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\0': '\\0', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const TO_ESCAPE = /[\\'\0\n\r\t]/
const ALL_TO_ESCAPE = new RegExp(TO_ESCAPE, 'g')

const escaped = (text: string): string =>
  TO_ESCAPE.test(text) ? text.replace(ALL_TO_ESCAPE, (character) => ESCAPES[character] ?? character) : text
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

/** A value of an array inside a literal: its own quotes are escaped. Lists of addresses are most of what statements are made of. */
const itemText = (item: unknown): string =>
  typeof item === 'string' && !TO_ESCAPE.test(item) ? `\\'${item}\\'` : escaped(valueText(item, true))

/** The text of a value as a literal. */
const literal = (value: unknown): string =>
  Array.isArray(value) ? `'[${value.map(itemText).join(',')}]'` : quoted(valueText(value, false))

/** @throws TypeError for a missing parameter, a value that has no text, or an identifier that is none. */
export const inlineParams = (sql: string, params: QueryParams | undefined): string =>
  params === undefined
    ? sql
    : sql.replace(PLACEHOLDER, (_, name: string, type: string) => {
        if (!Object.hasOwn(params, name)) throw new TypeError(`parameter ${name} is missing`)
        const value = params[name]
        if (type !== 'Identifier')
          return type === 'String' ? literal(value) : `CAST(${literal(value)}, ${quoted(type)})`
        const text = valueText(value, false)
        if (!IDENTIFIER.test(text)) throw new TypeError(`parameter ${name} is no identifier`)
        return `\`${text}\``
      })
