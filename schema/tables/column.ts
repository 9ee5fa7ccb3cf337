/**
 * Columns as data. A column states its ClickHouse type and its meaning once; the DDL of every table and view that has it,
 * its comments, the data dictionary and the TypeScript type of a row follow from here.
 */

/** A column, whatever table or view has it. `Json` is its value in a row of JSON lines. */
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

/** Columns by name, in the order of the DDL. */
export type Columns = Readonly<Record<string, Column>>

/** A row of JSON lines of these columns: 64-bit and wider integers are text, times Unix seconds. */
export type RowOf<C extends Columns> = {
  -readonly [Name in keyof C]: C[Name] extends Column<infer Json> ? Json : never
}

type Options = { codec?: string; default?: string }

const columnOf =
  <Json>(type: string) =>
  (comment: string, options: Options = {}): Column<Json> => ({ type, comment, ...options })

/** Text of many different values. */
export const text = columnOf<string>('String')
/** Text of few different values. */
export const word = columnOf<string>('LowCardinality(String)')
/** Text that is one of `values`. The comment names them. */
export const oneOf = <const Value extends string>(_values: readonly Value[], comment: string): Column<Value> =>
  columnOf<Value>('LowCardinality(String)')(comment)
/** A yes or no, stored as 1 or 0. */
export const flag = columnOf<0 | 1>('UInt8')
/** A whole number up to 255. */
export const uint8 = columnOf<number>('UInt8')
/** A whole number up to 65,535. */
export const uint16 = columnOf<number>('UInt16')
/** A whole number up to 4,294,967,295, such as a block number. */
export const uint32 = columnOf<number>('UInt32')
/** A whole number from -32,768 to 32,767. */
export const int16 = columnOf<number>('Int16')
/** A number where rounding does no harm: probabilities, shares, dollars. */
export const float64 = columnOf<number>('Float64')
/** A whole number of 64 bits. Rows carry it as text, because a JSON number would round it. */
export const uint64 = columnOf<string>('UInt64')
/** An amount of base units. Rows carry it as text. */
export const uint256 = columnOf<string>('UInt256')
/** An amount of base units that may be negative. Rows carry it as text. */
export const int256 = columnOf<string>('Int256')
/** A time in whole seconds. Rows carry it as Unix seconds. */
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
