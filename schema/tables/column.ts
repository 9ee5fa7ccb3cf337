/**
 * Columns as data. A column states its ClickHouse type and its meaning once; the DDL of every table and view that has it,
 * its comments, the data dictionary and the TypeScript type of a row follow from here.
 */

export type Column<Json = unknown> = {
  /** ClickHouse type. */
  readonly type: string
  readonly comment: string
  /** Compression, where the table wants another than the default. */
  readonly codec?: string
  /** SQL expression for rows that leave the column out. */
  readonly default?: string
  /** Never set. Carries the type of the value in a row of JSON lines. */
  readonly json?: Json
}

export type Columns = Readonly<Record<string, Column>>

/** A row of JSON lines of these columns: 64-bit and wider integers are text, times Unix seconds. */
export type RowOf<C extends Columns> = {
  -readonly [Name in keyof C]: C[Name] extends Column<infer Json> ? Json : never
}

type Options = { codec?: string; default?: string }

const columnOf =
  <Json>(type: string) =>
  (comment: string, options: Options = {}): Column<Json> => ({ type, comment, ...options })

export const text = columnOf<string>('String')
/** Text of few different values. */
export const word = columnOf<string>('LowCardinality(String)')
/** Text that is one of `values`. The comment names them. */
export const oneOf = <const Value extends string>(_values: readonly Value[], comment: string): Column<Value> =>
  columnOf<Value>('LowCardinality(String)')(comment)
export const flag = columnOf<0 | 1>('UInt8')
export const uint8 = columnOf<number>('UInt8')
export const uint16 = columnOf<number>('UInt16')
export const uint32 = columnOf<number>('UInt32')
export const int16 = columnOf<number>('Int16')
export const float64 = columnOf<number>('Float64')
export const uint64 = columnOf<string>('UInt64')
export const uint256 = columnOf<string>('UInt256')
export const int256 = columnOf<string>('Int256')
export const time = columnOf<number>("DateTime('UTC')")
/** Time with milliseconds. */
export const instant = columnOf<string>("DateTime64(3, 'UTC')")
/** A column of any other type. */
export const column = <Json = string>(type: string, comment: string, options: Options = {}): Column<Json> => ({
  type,
  comment,
  ...options,
})

/** Network codes in every table are those of `schema/networks`. */
export const network = word('Network code, as in table networks')
