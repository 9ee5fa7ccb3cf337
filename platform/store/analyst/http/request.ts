/** Parses requests of ClickHouse's HTTP interface: statement, format, parameters and password. */
import type { IncomingMessage } from 'node:http'
import { inlineParams, PLACEHOLDER } from '../../chdb/literals.ts'
import { WireException } from './exception.ts'
import { MEDIA_TYPES } from './formats.ts'

type AnalystRequest = {
  statement: string
  /** The engine's name of the format, one of `MEDIA_TYPES`. */
  format: string
  /** The client's version of the native protocol; 0 if it did not send one. */
  protocol: number
}

/** Maximum length of a statement with its parameters, bytes. */
const MAX_STATEMENT_BYTES = 1_000_000

const tooLong = () =>
  new WireException(
    413,
    62,
    'SYNTAX_ERROR',
    `The statement is longer than ${MAX_STATEMENT_BYTES} bytes. Nothing was run.`,
  )

const FORMAT = /[\s)]FORMAT\s+(\w+)\s*$/i

const invalid = (code: number, type: string, message: string) => new WireException(400, code, type, message)

const SPECIAL: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', '0': '\0' }
/** Unescapes a parameter, which is written as in tab-separated text. */
const unescaped = (text: string): string => text.replace(/\\(.)/gs, (_, letter: string) => SPECIAL[letter] ?? letter)

/** Types whose values contain their own quotes. */
const QUOTED = /^(?:Array|Tuple|Map|Nested|JSON)\b/

const literal = (placeholder: string, name: string, type: string, value: string): string => {
  if (value === '\\N') return `CAST(NULL, '${type.replace(/[\\']/g, '\\$&')}')`
  return inlineParams(placeholder, { [name]: QUOTED.test(type) ? value : unescaped(value) })
}

/** Replaces every `{name:Type}` by its parameter. The result has to pass the guard like any other text. */
const withParams = (statement: string, query: URLSearchParams): string => {
  if (![...query.keys()].some((name) => name.startsWith('param_'))) return statement
  let added = 0
  return statement.replace(PLACEHOLDER, (placeholder, name: string, type: string) => {
    const value = query.get(`param_${name}`)
    if (value === null) throw invalid(456, 'UNKNOWN_QUERY_PARAMETER', `Parameter ${name} is missing. Nothing was run.`)
    added += value.length
    if (added > MAX_STATEMENT_BYTES) throw tooLong()
    try {
      return literal(placeholder, name, type, value)
    } catch (error) {
      throw invalid(
        457,
        'BAD_QUERY_PARAMETER',
        error instanceof Error ? error.message : `Parameter ${name} is not supported.`,
      )
    }
  })
}

const bodyOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    if (size > MAX_STATEMENT_BYTES) throw tooLong()
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks).toString()
}

const refuseEncodings = (message: IncomingMessage, query: URLSearchParams): void => {
  if (query.get('compress') === '1' || query.get('decompress') === '1') {
    throw invalid(
      432,
      'UNKNOWN_COMPRESSION_METHOD',
      'LZ4 compression is not supported. Set compress=false in the driver.',
    )
  }
  const encoding = message.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw invalid(432, 'UNKNOWN_COMPRESSION_METHOD', 'Send the statement without compression.')
  }
  if (message.headers['content-type']?.startsWith('multipart/')) {
    throw invalid(
      48,
      'NOT_IMPLEMENTED',
      'Send the statement as text: multipart forms and external data are not supported.',
    )
  }
}

/** Names of the connection's database. */
const DATABASES = new Set(['', 'default'])

/**
 * Parses a request. Settings among its parameters are ignored: limits are fixed, and drivers send settings by default.
 * @throws WireException for unsupported requests
 */
export const readRequest = async (message: IncomingMessage, query: URLSearchParams): Promise<AnalystRequest> => {
  refuseEncodings(message, query)
  const database = query.get('database') ?? String(message.headers['x-clickhouse-database'] ?? '')
  if (!DATABASES.has(database)) {
    throw new WireException(404, 81, 'UNKNOWN_DATABASE', 'The only database is default.')
  }
  const text = [query.get('query') ?? '', await bodyOf(message)].filter((part) => part.trim() !== '').join('\n')
  const whole = text.trim().replace(/;$/, '').trimEnd()
  const stated = FORMAT.exec(whole)
  const statement = stated ? whole.slice(0, stated.index + 1) : whole
  const header = message.headers['x-clickhouse-format']
  const format = stated?.[1] ?? query.get('default_format') ?? (typeof header === 'string' ? header : 'TabSeparated')
  if (!MEDIA_TYPES.has(format)) {
    throw invalid(73, 'UNKNOWN_FORMAT', `Format ${format.slice(0, 40)} is not supported. Nothing was run.`)
  }
  const protocol = Number(query.get('client_protocol_version') ?? 0)
  return {
    statement: withParams(statement, query),
    format,
    protocol: Number.isSafeInteger(protocol) && protocol > 0 ? protocol : 0,
  }
}

/** The password of a request: from a header, Basic authorization, or the URL. */
export const passwordOf = (message: IncomingMessage, query: URLSearchParams): string | undefined => {
  const key = message.headers['x-clickhouse-key']
  if (typeof key === 'string') return key
  const basic = /^Basic (.+)$/i.exec(message.headers.authorization ?? '')?.[1]
  if (basic !== undefined)
    return Buffer.from(basic, 'base64')
      .toString()
      .replace(/^[^:]*:?/, '')
  return query.get('password') ?? undefined
}
