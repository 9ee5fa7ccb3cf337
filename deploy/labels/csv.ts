/** Comma-, semicolon- or tab-separated text (RFC 4180 quoting), read as a stream: memory holds one row. */

export type CsvRow = {
  /** Line of the file on which the row begins, from 1. */
  line: number
  cells: string[]
}

/** Longer fields mean a quote that is never closed. */
const MAX_FIELD = 1_000_000

/** The separator a header line uses. */
export const separatorOf = (header: string): string =>
  [',', '\t', ';'].map((mark) => [mark, header.split(mark).length] as const).sort((a, b) => b[1] - a[1])[0]?.[0] ?? ','

/** Rows with any text. @throws RangeError naming the line of a quote that is never closed. */
export const csvRows = async function* (chunks: AsyncIterable<string>, separator = ','): AsyncGenerator<CsvRow> {
  let line = 1
  let begun = 1
  let cells: string[] = []
  let field = ''
  let quoted = false
  let quotedFrom = 0
  let afterQuote = false
  const take = (): CsvRow | undefined => {
    const row = { line: begun, cells: [...cells, field] }
    cells = []
    field = ''
    return row.cells.some((cell) => cell.trim() !== '') ? row : undefined
  }
  for await (const chunk of chunks) {
    for (const c of chunk) {
      if (c === '\n') line++
      if (afterQuote) {
        afterQuote = false
        if (c === '"') {
          field += c
          continue
        }
        quoted = false
      }
      if (quoted) {
        if (c === '"') afterQuote = true
        else field += c
        if (field.length > MAX_FIELD) throw new RangeError(`the quote in line ${quotedFrom} is never closed`)
      } else if (c === '"' && field === '') {
        quoted = true
        quotedFrom = line
      } else if (c === separator) {
        cells.push(field)
        field = ''
      } else if (c === '\n') {
        const row = take()
        if (row) yield row
        begun = line
      } else if (c !== '\r' && c !== '\uFEFF') field += c
    }
  }
  if (quoted && !afterQuote) throw new RangeError(`the quote in line ${quotedFrom} is never closed`)
  const row = take()
  if (row) yield row
}
