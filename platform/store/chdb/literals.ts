/**
 * Parameters as literals, for chDB only: its binding runs one parameterised statement at a time per process
 * (chdb-io/chdb-node#51), so a slow one would block every look-up. A value becomes one quoted string, which the engine
 * casts to the declared type, as the server treats HTTP parameters; `test/contract/store` compares the two.
 */
import type { QueryParams } from '../store.ts'

/** Name and type of a parameter. Only one way to match each text, so that matching takes linear time. */
export const PLACEHOLDER = /\{(\w+)\s*:\s*([^{}\s][^{}]*)\}/g
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
const ESCAPES: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\0': '\\0', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const TO_ESCAPE = /[\\'\0\n\r\t]/
const ALL_TO_ESCAPE = new RegExp(TO_ESCAPE, 'g')

const escaped = (text: string): string =>
  TO_ESCAPE.test(text) ? text.replace(ALL_TO_ESCAPE, (character) => ESCAPES[character] ?? character) : text
const quoted = (text: string): string => `'${escaped(text)}'`

/** A value as ClickHouse parses it in the declared type; strings inside arrays are quoted. */
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

/** An item of an array literal, with its quotes escaped. Fast path for addresses, which make up most of long statements. */
const itemText = (item: unknown): string =>
  typeof item === 'string' && !TO_ESCAPE.test(item) ? `\\'${item}\\'` : escaped(valueText(item, true))

/** A value as a literal. */
const literal = (value: unknown): string =>
  Array.isArray(value) ? `'[${value.map(itemText).join(',')}]'` : quoted(valueText(value, false))

/** @throws TypeError for a missing parameter, an unsupported value, or an invalid identifier. */
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
