/** Comma-, semicolon- or tab-separated text (RFC 4180 quoting), read as a stream: memory holds one row. */
import { pipeline } from 'node:stream/promises'
import { CsvError, type Info, parse } from 'csv-parse'

/** One row as raw text. */
export type CsvRow = {
  /** Line of the file on which the row begins, from 1. */
  line: number
  cells: string[]
}

/** Maximum length of a row. A longer one means an unclosed quote. */
const MAX_ROW = 1_000_000

/** Separator of a header line. */
export const separatorOf = (header: string): string =>
  [',', '\t', ';'].map((mark) => [mark, header.split(mark).length] as const).sort((a, b) => b[1] - a[1])[0]?.[0] ?? ','

/** Rows that are not empty. @throws RangeError naming the line of an unclosed quote */
export const csvRows = async function* (chunks: AsyncIterable<Uint8Array>, separator = ','): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n'],
    bom: true,
    info: true,
    max_record_size: MAX_ROW,
    relax_column_count: true,
    relax_quotes: true,
  })
  // A failure destroys the parser, and the loop below throws its error.
  pipeline(chunks, parser).catch(() => {})
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (record.some((cell) => cell.trim() !== '')) yield { line, cells: record }
      line = info.lines + 1
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new RangeError(`the quote in line ${line} is never closed`, { cause: error })
  }
}
