/** `assay sql`: runs one read-only statement on the embedded store. */
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Config } from '../../platform/config/config.ts'
import { didYouMean } from '../../platform/config/nearest.ts'
import { messageOf, OperatorError } from '../../platform/errors.ts'
import type { ResultFormat } from '../../platform/store/analyst/analyst.ts'
import { checkOutput, writing } from '../command-line/output.ts'
import { createContext } from '../process/process.ts'
import { openToolAnalyst } from '../process/store-socket.ts'

/** Where to read the statement, and the format and file of the result. */
export type SqlOptions = { file?: string; format?: string; output?: string }

const FORMATS: readonly ResultFormat[] = ['table', 'csv', 'json', 'ndjson', 'parquet']
const isFormat = (text: string): text is ResultFormat => FORMATS.some((format) => format === text)

const optionError = (message: string) => new OperatorError('ASSAY_SQL_OPTION', `${message} Nothing was run.`)

/** The given format, else that of the file extension, else a table in a terminal and CSV elsewhere. */
const formatOf = ({ format, output }: SqlOptions): ResultFormat => {
  const ending = /\.(\w+)$/.exec(output ?? '')?.[1] ?? ''
  const chosen = format ?? (isFormat(ending) ? ending : process.stdout.isTTY && output === undefined ? 'table' : 'csv')
  if (!isFormat(chosen))
    throw optionError(
      `There is no format ${chosen}.${didYouMean(chosen, FORMATS)} Choose one of ${FORMATS.join(', ')}.`,
    )
  if (chosen === 'parquet' && output === undefined)
    throw optionError('Parquet is a binary format. Name a file with --output.')
  return chosen
}

const statementOf = async (given: string | undefined, { file }: SqlOptions): Promise<string> => {
  if (given !== undefined && file !== undefined) throw optionError('Give either a statement or --file, not both.')
  if (given !== undefined) return given
  if (file === undefined) {
    if (process.stdin.isTTY) throw optionError('No statement was given. Write it after assay sql, or use --file.')
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
