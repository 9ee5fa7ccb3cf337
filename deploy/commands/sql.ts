/** `assay sql`: one statement against the embedded store, read-only. */
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Config } from '../../platform/config/config.ts'
import { didYouMean } from '../../platform/config/nearest.ts'
import { messageOf, OperatorError } from '../../platform/errors.ts'
import type { ResultFormat } from '../../platform/store/analyst/analyst.ts'
import { checkOutput, writing } from '../command-line/output.ts'
import { createContext } from '../process/process.ts'
import { openToolAnalyst } from '../process/store-socket.ts'

/** Where the statement is read, and how and where its rows are written. */
export type SqlOptions = { file?: string; format?: string; output?: string }

const FORMATS: readonly ResultFormat[] = ['table', 'csv', 'json', 'ndjson', 'parquet']
const isFormat = (text: string): text is ResultFormat => FORMATS.some((format) => format === text)

const optionError = (message: string) => new OperatorError('ASSAY_SQL_OPTION', `${message} Nothing was run.`)

/** The format asked for, else that of the file's name, else a table for people and CSV for programs. */
const formatOf = ({ format, output }: SqlOptions): ResultFormat => {
  const ending = /\.(\w+)$/.exec(output ?? '')?.[1] ?? ''
  const chosen = format ?? (isFormat(ending) ? ending : process.stdout.isTTY && output === undefined ? 'table' : 'csv')
  if (!isFormat(chosen))
    throw optionError(`There is no format ${chosen}.${didYouMean(chosen, FORMATS)} Name one of ${FORMATS.join(', ')}.`)
  if (chosen === 'parquet' && output === undefined) throw optionError('Parquet is no text. Name a file with --output.')
  return chosen
}

const statementOf = async (given: string | undefined, { file }: SqlOptions): Promise<string> => {
  if (given !== undefined && file !== undefined) throw optionError('There is a statement and --file. Give one of them.')
  if (given !== undefined) return given
  if (file === undefined) {
    if (process.stdin.isTTY) throw optionError('There is no statement. Write it behind assay sql, or name a --file.')
    return text(process.stdin)
  }
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new OperatorError('ASSAY_SQL_OPTION', `${file} cannot be read: ${messageOf(cause)}. Nothing was run.`, {
      cause,
    })
  }
}

/** Runs a statement and prints its result, or writes it to a file. */
export const sqlCommand = async (config: Config, given: string | undefined, options: SqlOptions): Promise<void> => {
  const format = formatOf(options)
  const statement = await statementOf(given, options)
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, 'sql')
  try {
    if (options.output !== undefined) checkOutput(options.output)
    const analyst = await openToolAnalyst(context, config)
    const result = await analyst.ask(statement, format)
    const { output } = options
    if (output !== undefined) {
      await writing(output, () => writeFileSync(output, result))
      process.stderr.write(`${result.length} bytes written to ${output}\n`)
    } else await new Promise((resolve) => process.stdout.write(result, resolve))
  } finally {
    await context.lifecycle.close()
  }
}
