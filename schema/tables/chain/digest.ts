/**
 * A digest of the rows of a block that database and program compute alike: the sum, modulo 2^64, of the first eight bytes of each
 * row's MD5. The order of rows does not matter; duplicate rows count twice.
 */
import { createHash } from 'node:crypto'
import type { TableName } from '../../block.ts'
import { CHAIN_TABLES } from './chain.ts'

const SEPARATOR = '\u001f'
const BITS = 64

const columnsOf = new Map<TableName, readonly (readonly [string, string])[]>(
  CHAIN_TABLES.map(({ name, columns }) => [
    name,
    Object.entries(columns).map(([column, { type }]) => [column, type] as const),
  ]),
)

/** Rows of one table of one block. */
export type RowDigest = { rows: number; digest: bigint }

/** Digest of rows in the form they have on the bus. */
export const digestOf = (table: TableName, rows: readonly object[]): RowDigest => {
  const columns = columnsOf.get(table) ?? []
  let digest = 0n
  for (const row of rows) {
    const values = new Map<string, unknown>(Object.entries(row))
    const text = columns.map(([column]) => String(values.get(column))).join(SEPARATOR)
    digest += createHash('md5').update(text).digest().readBigUInt64LE()
  }
  return { rows: rows.length, digest: BigInt.asUintN(BITS, digest) }
}

/** SELECT of `block_number`, `rows` and `digest` for the blocks of a table that match `where`. */
export const digestSelect = (table: TableName, where: string): string => {
  const values = (columnsOf.get(table) ?? []).map(([column, type]) =>
    type.startsWith('DateTime') ? `toString(toUnixTimestamp(${column}))` : `toString(${column})`,
  )
  return `SELECT block_number, count() AS rows, toString(sum(reinterpretAsUInt64(substring(MD5(concat(${values.join(`, '${SEPARATOR}', `)})), 1, 8)))) AS digest
FROM ${table}
WHERE ${where}
GROUP BY block_number`
}
