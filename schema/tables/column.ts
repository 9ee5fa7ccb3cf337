/**
 * Columns as data. A column states its ClickHouse type and its meaning once; the DDL of every table and view with it, its
 * comments, the data dictionary and the TypeScript type of a row derive from it.
 */

/** A column of any table or view. `Json` is its value in a row of JSON lines. */
export type Column<Json = unknown> = {
  /** ClickHouse type. */
  readonly type: string
  readonly comment: string
  /** Compression, if not the default. */
  readonly codec?: string
  /** SQL expression for rows without the column. */
  readonly default?: string
  /** Never set. Carries the type of the value in a row of JSON lines. */
  readonly json?: Json
}

/** Columns by name, in the order of the DDL. */
export type Columns = Readonly<Record<string, Column>>

/** A row of JSON lines with these columns: 64-bit and wider integers are text, times Unix seconds. */
export type RowOf<C extends Columns> = {
  -readonly [Name in keyof C]: C[Name] extends Column<infer Json> ? Json : never
}

type Options = { codec?: string; default?: string }

const columnOf =
  <Json>(type: string) =>
  (comment: string, options: Options = {}): Column<Json> => ({ type, comment, ...options })

/** Text with many different values. */
export const text = columnOf<string>('String')
/** Text with few different values. */
export const word = columnOf<string>('LowCardinality(String)')
/** Text out of `values`, which the comment names. */
export const oneOf = <const Value extends string>(_values: readonly Value[], comment: string): Column<Value> =>
  columnOf<Value>('LowCardinality(String)')(comment)
/** A boolean, stored as 1 or 0. */
export const flag = columnOf<0 | 1>('UInt8')
/** A whole number up to 255. */
export const uint8 = columnOf<number>('UInt8')
/** A whole number up to 65,535. */
export const uint16 = columnOf<number>('UInt16')
/** A whole number up to 4,294,967,295, such as a block number. */
export const uint32 = columnOf<number>('UInt32')
/** A whole number from -32,768 to 32,767. */
export const int16 = columnOf<number>('Int16')
/** A number that may be rounded: probabilities, shares, dollars. */
export const float64 = columnOf<number>('Float64')
/** A whole number of 64 bits. Text in rows, because a JSON number would be rounded. */
export const uint64 = columnOf<string>('UInt64')
/** An amount in base units. Text in rows. */
export const uint256 = columnOf<string>('UInt256')
/** An amount in base units that may be negative. Text in rows. */
export const int256 = columnOf<string>('Int256')
/** A time in whole seconds. Unix seconds in rows. */
export const time = columnOf<number>("DateTime('UTC')")
/** A time with milliseconds. */
export const instant = columnOf<string>("DateTime64(3, 'UTC')")
/** A column of any other type. */
export const column = <Json = string>(type: string, comment: string, options: Options = {}): Column<Json> => ({
  type,
  comment,
  ...options,
})

/** Network code, as in `schema/networks`. */
export const network = word('Network code, as in table networks')
