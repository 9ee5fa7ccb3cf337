/**
 * Statements of analysts on the embedded store: read-only, on a separate connection that only has role `analyst`
 * (`chdb-users.xml`), checked by the guard (`guard.ts`) and with limits. Role and guard are both needed: the engine lets
 * every role call `file()` and write by `INTO OUTFILE`, and the guard does not know which table a name means.
 */
import { type ChdbConnection, createChdbConnection } from 'chdb/connection'
import { BugError, messageOf, OperatorError } from '../../errors.ts'
import { runStatement } from '../chdb/run-statement.ts'
import { codeOf, firstLine } from '../errors.ts'
import { allowedFunctions, type EngineFunction, type Functions } from './functions.ts'
import { guardText, guardTree, isShow, treeLines, trimStatement } from './guard.ts'
import { type AnalystLimits, boundsOf, LIMITS } from './limits.ts'
import { functionStatements, OWN_FUNCTIONS } from './own-functions.ts'
import { parseSyntaxTree } from './syntax-tree.ts'

/** Result formats, by their names on the command line. */
const RESULT_FORMATS = {
  table: 'PrettyCompactNoEscapesMonoBlock',
  csv: 'CSVWithNames',
  json: 'JSON',
  ndjson: 'JSONEachRow',
  parquet: 'Parquet',
} as const
/** Name of a format for `assay sql --format`. */
export type ResultFormat = keyof typeof RESULT_FORMATS

/** A formatted result, and the number of rows read for it. */
export type Answer = { bytes: Buffer; rowsRead: number }

/** A connection for analysts' statements, which run one after another. */
export type Analyst = {
  /**
   * Runs one statement.
   * @throws OperatorError ASSAY_SQL_STATEMENT_REFUSED, ASSAY_SQL_FUNCTION_REFUSED, ASSAY_SQL_TABLE_REFUSED,
   *   ASSAY_SQL_INVALID or ASSAY_SQL_LIMIT
   */
  ask: (statement: string, format: ResultFormat) => Promise<Buffer>
  /**
   * Like `ask`, in one of the engine's formats. The caller chooses from formats that neither read nor write files. The
   * statement does not run if `signal` is aborted before its turn.
   */
  answer: (statement: string, format: string, signal?: AbortSignal) => Promise<Answer>
  close: () => Promise<void>
}

const settingsOf = (limits: AnalystLimits): [string, string | number][] => [
  ...Object.entries(boundsOf(limits)),
  ['output_format_json_quote_64bit_integers', 1],
  ['output_format_pretty_row_numbers', 0],
  ['output_format_pretty_max_rows', limits.rows],
  // Last, because no statement can change settings after it.
  ['readonly', 1],
]

/** ClickHouse's codes (src/Common/ErrorCodes.cpp) for a limit of time, rows, bytes, memory, or depth. */
const LIMIT_CODES = new Set(['158', '159', '160', '167', '168', '241', '306', '307', '396'])
const DENIED_CODE = '497'
/** A statement set a setting under `readonly`. */
const READONLY_CODE = '164'

const classified = (error: unknown, { seconds, memory, rows, bytes }: AnalystLimits): Error => {
  const code = codeOf(error) ?? ''
  const cause = { cause: error }
  if (LIMIT_CODES.has(code)) {
    return new OperatorError(
      'ASSAY_SQL_LIMIT',
      `The statement was stopped because it exceeds a limit (${seconds} s, ${memory / 1e6} MB of memory, ${rows} rows, ${bytes / 1e6} MB of result). Narrow it by network, address or time, or add LIMIT.`,
      cause,
    )
  }
  if (code === READONLY_CODE) {
    return new OperatorError(
      'ASSAY_SQL_STATEMENT_REFUSED',
      'SETTINGS are not allowed: the limits of assay sql are fixed. Nothing was run. Remove SETTINGS.',
      cause,
    )
  }
  if (code === DENIED_CODE) {
    return new OperatorError(
      'ASSAY_SQL_TABLE_REFUSED',
      'The statement reads a table that assay sql cannot access. Nothing was read. SHOW TABLES lists the accessible tables.',
      cause,
    )
  }
  return new OperatorError('ASSAY_SQL_INVALID', `The statement failed: ${firstLine(error)}`, cause)
}

const functionsOf = async (connection: ChdbConnection): Promise<Functions> => {
  const rows = async <Row>(sql: string): Promise<Row[]> =>
    (await connection.chdb.queryAsync(sql, { format: 'JSONCompactColumns' })).json() as Row[]
  const [names = [], aggregates = [], insensitive = [], aliases = [], categories = []] = await rows<
    (string | number)[]
  >("SELECT name, is_aggregate, case_insensitive, alias_to, categories FROM system.functions WHERE origin = 'System'")
  const [combinators = []] = await rows<string[]>('SELECT name FROM system.aggregate_function_combinators')
  const engine = names.map(
    (name, index): EngineFunction => ({
      name: String(name),
      is_aggregate: Number(aggregates[index]),
      case_insensitive: Number(insensitive[index]),
      alias_to: String(aliases[index]),
      categories: String(categories[index]),
    }),
  )
  return allowedFunctions(
    engine,
    combinators,
    OWN_FUNCTIONS.map(({ name }) => name),
  )
}

/** Runs statements one after another, because a connection serves one at a time. */
const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}

/**
 * Time limit of statements. The engine checks the time between blocks of rows only, and a function that compares long texts
 * may take hours over one block. It cannot be interrupted: the caller gets an error, and nothing else runs until the
 * statement has returned.
 */
const createTimeLimit = (seconds: number, graceMs: number) => {
  let overrun = false
  const refuse = (what: string) =>
    new OperatorError('ASSAY_SQL_LIMIT', `${what} Try again later, or restart the service to stop that statement.`)
  return {
    /** @throws OperatorError ASSAY_SQL_LIMIT */
    assertFree: () => {
      if (overrun)
        throw refuse('An earlier statement exceeded its time limit and cannot be interrupted. Nothing was run.')
    },
    wait: async <T>(work: Promise<T>): Promise<T> => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => {
            overrun = true
            const free = () => {
              overrun = false
            }
            void work.then(free, free)
            reject(
              refuse(
                `The statement exceeded its limit of ${seconds} s inside a function that cannot be interrupted. It keeps running without a result, and no other statement runs until it ends.`,
              ),
            )
          },
          seconds * 1_000 + graceMs,
        )
      })
      return Promise.race([work, late]).finally(() => clearTimeout(timer))
    },
  }
}

/** How long the engine may take to notice the time limit, ms. */
const GRACE_MS = 5_000

/**
 * Opens a connection for analysts to a store that this process has open (`openStore`).
 * @throws BugError ASSAY_SQL_UNGUARDED when the engine did not restrict the connection to the role.
 */
export const openAnalyst = async (
  path: string,
  limits: Partial<AnalystLimits> = {},
  graceMs = GRACE_MS,
): Promise<Analyst> => {
  const effective = { ...LIMITS, ...limits }
  const time = createTimeLimit(effective.seconds, graceMs)
  const connection = createChdbConnection({ path })
  const run = (sql: string, format: string) => runStatement(connection, sql, { format })
  try {
    for (const statement of functionStatements()) await run(statement, 'Null')
    const functions = await functionsOf(connection)
    await run('SET ROLE analyst', 'Null')
    for (const [name, value] of settingsOf(effective)) await run(`SET ${name} = '${value}'`, 'Null')
    await refuseUnguarded(connection)
    const turn = createQueue()
    const guard = async (statement: string) => {
      guardText(statement)
      if (isShow(statement)) return
      const rows = (await run(`EXPLAIN AST ${statement}`, 'JSONEachRow')).text().trimEnd()
      guardTree(parseSyntaxTree(treeLines(rows)), functions)
    }
    const answer: Analyst['answer'] = (text, format, signal) =>
      turn(async () => {
        signal?.throwIfAborted()
        time.assertFree()
        const statement = trimStatement(text)
        try {
          await guard(statement)
          const result = await time.wait(run(statement, format))
          return { bytes: Buffer.from(result.bytes()), rowsRead: result.rowsRead }
        } catch (error) {
          throw error instanceof OperatorError ? error : classified(error, effective)
        }
      })
    return {
      ask: async (statement, format) => (await answer(statement, RESULT_FORMATS[format])).bytes,
      answer,
      close: () => connection.close(),
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

const refuseUnguarded = async (connection: ChdbConnection): Promise<void> => {
  const unguarded = (cause?: unknown) =>
    new BugError(
      'ASSAY_SQL_UNGUARDED',
      `The read-only role of assay sql is missing in the embedded engine, so all statements are refused${cause ? `: ${messageOf(cause)}` : ''}. Please report it.`,
    )
  const state = await connection.chdb
    .queryAsync("SELECT toString(currentRoles()), toString(getSetting('readonly'))", { format: 'TSV' })
    .catch((error: unknown) => {
      throw unguarded(error)
    })
  if (state.text().trim() !== "[\\'analyst\\']\t1") throw unguarded(state.text())
}
