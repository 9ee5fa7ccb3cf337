/** Streams the results of a job as NDJSON, CSV or Parquet. */
import { z } from 'zod'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Operation } from '../../schema/networks.ts'
import { OPERATIONS } from '../../schema/records/operations.ts'
import { createParquet } from '../console/page/base/parquet.js'
import { cellOf } from './cells.ts'
import type { Job } from './jobs.ts'

const ANSWERED = readSql(import.meta.url, './sql/answered-rows.sql')
const PIECE = 1_000
/** Pieces per Parquet row group. */
const PIECES_PER_GROUP = 10

/** Values of the parameter `format`. */
export const RESULT_FORMATS = ['ndjson', 'csv', 'parquet'] as const
/** A result format. */
export type ResultFormat = (typeof RESULT_FORMATS)[number]

const answeredRow = z.object({
  row: z.number(),
  network: z.string(),
  address: z.string(),
  reference: z.string(),
  status: z.number(),
  body: z.string(),
})
type AnsweredRow = z.output<typeof answeredRow>

type Json = { [key: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

type ResultColumn = { name: string; kind: 'whole' | 'number' | 'text' }

/** Column kind of a field. Everything that is not always a number becomes text, as in CSV. */
const kindOf = ({ type, anyOf }: Json): ResultColumn['kind'] => {
  const [only, ...others] = (Array.isArray(anyOf) ? anyOf : [{ type }])
    .map((one: unknown) => (isObject(one) ? one.type : undefined))
    .filter((one) => one !== 'null')
  return others.length === 0 && only === 'integer'
    ? 'whole'
    : others.length === 0 && only === 'number'
      ? 'number'
      : 'text'
}

/** Columns of the record fields. Nested fields are joined by dots. */
const fieldsOf = (operation: Operation): ResultColumn[] => {
  const schema: Json = z.toJSONSchema(OPERATIONS[operation].record, { io: 'output' })
  const parts = isObject(schema.$defs) ? schema.$defs : {}
  const whole = (node: unknown): Json => {
    if (!isObject(node)) return {}
    const part = typeof node.$ref === 'string' ? parts[node.$ref.replace('#/$defs/', '')] : undefined
    return isObject(part) ? whole(part) : node
  }
  const walk = (node: Json, path: string): ResultColumn[] =>
    Object.entries(isObject(node.properties) ? node.properties : {}).flatMap(([name, inner]) => {
      const below = whole(inner)
      return isObject(below.properties)
        ? walk(below, `${path}${name}.`)
        : [{ name: `${path}${name}`, kind: kindOf(below) }]
    })
  // Already in the common columns.
  return walk(whole(schema), '').filter(({ name }) => !['message', 'walletAddress', 'contractAddress'].includes(name))
}

/** Columns common to all operations. */
const COMMON_COLUMNS: readonly ResultColumn[] = [
  { name: 'row', kind: 'whole' },
  { name: 'network', kind: 'text' },
  { name: 'walletAddress', kind: 'text' },
  { name: 'reference', kind: 'text' },
  { name: 'httpStatus', kind: 'whole' },
  { name: 'error', kind: 'text' },
  { name: 'errorMessage', kind: 'text' },
]

const valueAt = (record: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record)

const flat = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : value === undefined || value === null
      ? null
      : JSON.stringify(value)

/** Values of a row in the order of the columns. */
const cellsOf = (fields: readonly (readonly string[])[], { body, ...row }: AnsweredRow) => {
  const record: unknown = JSON.parse(body)
  const failed = row.status !== 200
  return [
    row.row,
    row.network,
    row.address,
    row.reference,
    row.status,
    failed ? flat(valueAt(record, ['error'])) : null,
    failed ? flat(valueAt(record, ['message'])) : null,
    ...fields.map((path) => (failed ? null : flat(valueAt(record, path)))),
  ]
}
const csvLine = (cells: ReturnType<typeof cellsOf>): string => `${cells.map(cellOf).join(',')}\r\n`
/** Cells for Parquet: booleans become text. */
const parquetCells = (cells: ReturnType<typeof cellsOf>) =>
  cells.map((cell) => (typeof cell === 'boolean' ? String(cell) : cell))

const jsonLine = ({ row, network, address, reference, status, body }: AnsweredRow): string => {
  const head = JSON.stringify({ row, network, walletAddress: address, ...(reference !== '' && { reference }), status })
  return `${head.slice(0, -1)},"result":${body}}\n`
}

/** Answered rows of a job, from a row on, in pieces. */
async function* piecesOf(store: Store, job: Job, from: number): AsyncGenerator<AnsweredRow[]> {
  for (let at = from; at <= job.rows; at += PIECE) {
    const parameters = { upload: job.upload, from: at, limit: PIECE }
    yield z.array(answeredRow).parse(await store.query(ANSWERED, parameters, { route: 'screen_answered' }))
  }
}

async function* parquetOf(store: Store, job: Job): AsyncGenerator<Uint8Array> {
  const columns = fieldsOf(job.operation)
  const fields = columns.map(({ name }) => name.split('.'))
  const file = createParquet([...COMMON_COLUMNS, ...columns])
  let pieces = 0
  for await (const rows of piecesOf(store, job, 1)) {
    file.add(rows.map((row) => parquetCells(cellsOf(fields, row))))
    if (++pieces % PIECES_PER_GROUP === 0) yield file.group()
  }
  if (pieces % PIECES_PER_GROUP !== 0) yield file.group()
  yield file.end()
}

async function* textOf(store: Store, job: Job, format: 'csv' | 'ndjson', from: number): AsyncGenerator<string> {
  const columns = fieldsOf(job.operation)
  const fields = columns.map(({ name }) => name.split('.'))
  if (format === 'csv' && from === 1) yield csvLine([...COMMON_COLUMNS, ...columns].map(({ name }) => name))
  for await (const rows of piecesOf(store, job, from))
    yield rows.map((row) => (format === 'csv' ? csvLine(cellsOf(fields, row)) : jsonLine(row))).join('')
}

/** The results from a row on; Parquet always has all rows. CSV from row 1 begins with a header line. */
export const resultsOf = (store: Store, job: Job, format: ResultFormat, from: number) =>
  format === 'parquet' ? parquetOf(store, job) : textOf(store, job, format, from)
