/**
 * Functions that analysts' statements may call: those of the engine that only compute, and our own. They are allowed by
 * category, except functions that read or reveal something beside their arguments. Functions of other categories and
 * user-defined ones are not allowed.
 */

/** A row of system.functions. */
export type EngineFunction = {
  name: string
  is_aggregate: number
  case_insensitive: number
  alias_to: string
  categories: string
}

const CATEGORIES = new Set(
  `Logical|Financial|Conditional|Rounding|Null|String Replacement|String Splitting|Encoding|UUID|Bit|Bitmap|Distance|Tuple
Comparison|IP Address|Map|Arithmetic|URL|Mathematical|JSON|String Search|Hash|Geo|String|Arrays|Dates and Times
Type Conversion|Random Number|Time Window`.split(/[|\n]/),
)

/** Harmless functions of other categories. */
const ALSO = new Set(
  `caseWithExpression bar byteSize countDigits currentDatabase currentUser defaultValueOfTypeName displayName finalizeAggregation
formatReadableDecimalSize formatReadableQuantity formatReadableSize formatReadableTimeDelta identity ignore isConstant
materialize neighbor revision rowNumberInAllBlocks rowNumberInBlock runningAccumulate runningDifference
runningDifferenceStartingWithFirstValue throwIf timezone toColumnTypeName toTypeName transform variantElement variantType version
visibleWidth`.split(/\s+/),
)

/** Dangerous functions of these categories: `chdb` runs a statement, the others take names of formats and their files. */
const EXCEPT = new Set([
  'chdb',
  'formatRow',
  'formatRowNoNewline',
  'groupFormat',
  'flameGraph',
  'aggThrow',
  'serverTimezone',
])

/** Functions that the parser makes of syntax: `x -> ...`, `EXISTS (...)`. */
const SYNTAX = ['lambda', 'exists', 'grouping']

/** Table functions that only generate rows. */
const TABLE_FUNCTIONS = new Set(['numbers', 'generateSeries', 'generate_series', 'values'])

/** The allowed functions. Names are compared as the engine compares them. */
export type Functions = {
  /** Whether a function or an aggregate with combinators (`countIf`) is allowed. */
  allows: (name: string) => boolean
  allowsTable: (name: string) => boolean
}

/** Selects from the engine's functions. @param own names of our functions */
export const allowedFunctions = (
  engine: readonly EngineFunction[],
  combinators: readonly string[],
  own: readonly string[] = [],
): Functions => {
  const categoryOf = new Map(engine.map(({ name, categories }) => [name, categories]))
  const isAllowed = ({ name, is_aggregate, alias_to }: EngineFunction): boolean => {
    const base = alias_to || name
    if (EXCEPT.has(base)) return false
    return is_aggregate === 1 || ALSO.has(base) || CATEGORIES.has(categoryOf.get(base) ?? '')
  }
  const allowed = engine.filter(isAllowed)
  const names = new Set([...SYNTAX, ...own, ...allowed.map(({ name }) => name)])
  const lower = new Set(allowed.filter((one) => one.case_insensitive === 1).map(({ name }) => name.toLowerCase()))
  const aggregates = new Set(allowed.filter((one) => one.is_aggregate === 1).map(({ name }) => name.toLowerCase()))
  const combined = (name: string): boolean =>
    aggregates.has(name.toLowerCase()) ||
    combinators.some(
      (suffix) => name.length > suffix.length && name.endsWith(suffix) && combined(name.slice(0, -suffix.length)),
    )
  return {
    allows: (name) => names.has(name) || lower.has(name.toLowerCase()) || combined(name),
    allowsTable: (name) => TABLE_FUNCTIONS.has(name),
  }
}
