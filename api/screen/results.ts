/** Results of a job as NDJSON or CSV, a piece at a time. */
import { z } from 'zod'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Operation } from '../../schema/networks.ts'
import { OPERATIONS } from '../../schema/records/operations.ts'
import { cellOf } from './cells.ts'
import type { Job } from './jobs.ts'
import type { UploadFormat } from './rows.ts'

const ANSWERED = readSql(import.meta.url, './sql/answered-rows.sql')
const PIECE = 1_000

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

/** Columns of its own that a record has in CSV: its fields, those of inner objects with a dot. */
const fieldsOf = (operation: Operation): string[] => {
  const schema: Json = z.toJSONSchema(OPERATIONS[operation].record, { io: 'output' })
  const parts = isObject(schema.$defs) ? schema.$defs : {}
  const whole = (node: unknown): Json => {
    if (!isObject(node)) return {}
    const part = typeof node.$ref === 'string' ? parts[node.$ref.replace('#/$defs/', '')] : undefined
    return isObject(part) ? whole(part) : node
  }
  const walk = (node: Json, path: string): string[] =>
    Object.entries(isObject(node.properties) ? node.properties : {}).flatMap(([name, inner]) => {
      const below = whole(inner)
      return isObject(below.properties) ? walk(below, `${path}${name}.`) : [`${path}${name}`]
    })
  // These are columns of the row already.
  return walk(whole(schema), '').filter((path) => !['message', 'walletAddress', 'contractAddress'].includes(path))
}

const FIRST = ['row', 'network', 'walletAddress', 'reference', 'httpStatus', 'error', 'errorMessage']

const valueAt = (record: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record)

const flat = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : value === undefined || value === null
      ? null
      : JSON.stringify(value)

const csvLine = (fields: readonly (readonly string[])[], { body, ...row }: AnsweredRow): string => {
  const record: unknown = JSON.parse(body)
  const failed = row.status !== 200
  const cells = [
    row.row,
    row.network,
    row.address,
    row.reference,
    row.status,
    failed ? flat(valueAt(record, ['error'])) : '',
    failed ? flat(valueAt(record, ['message'])) : '',
    ...fields.map((path) => (failed ? '' : flat(valueAt(record, path)))),
  ]
  return `${cells.map(cellOf).join(',')}\r\n`
}

const jsonLine = ({ row, network, address, reference, status, body }: AnsweredRow): string => {
  const head = JSON.stringify({ row, network, walletAddress: address, ...(reference !== '' && { reference }), status })
  return `${head.slice(0, -1)},"result":${body}}\n`
}

/** Text of the results from a row on. The first piece of CSV names the columns. */
export async function* resultsOf(store: Store, job: Job, format: UploadFormat, from: number): AsyncGenerator<string> {
  const columns = fieldsOf(job.operation)
  const fields = columns.map((path) => path.split('.'))
  if (format === 'csv' && from === 1) yield `${[...FIRST, ...columns].map(cellOf).join(',')}\r\n`
  for (let at = from; at <= job.rows; at += PIECE) {
    const parameters = { upload: job.upload, from: at, limit: PIECE }
    const rows = z.array(answeredRow).parse(await store.query(ANSWERED, parameters, { route: 'screen_answered' }))
    yield rows.map((row) => (format === 'csv' ? csvLine(fields, row) : jsonLine(row))).join('')
  }
}
