/** Reads comma-separated text with a header line (RFC 4180 quoting). Names are trimmed. */
export const parseCsv = (text: string): { names: string[]; rows: string[][] } => {
  const records: string[][] = []
  let record: string[] = []
  let field = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') {
        field += '"'
        i++
      } else if (c === '"') quoted = false
      else field += c
    } else if (c === '"') quoted = true
    else if (c === ',' || c === '\n') {
      record.push(field)
      field = ''
      if (c === '\n') {
        records.push(record)
        record = []
      }
    } else if (c !== '\r') field += c
  }
  if (field !== '' || record.length > 0) records.push([...record, field])
  const [names = [], ...rows] = records
  return { names: names.map((name) => name.trim()), rows: rows.filter((row) => row.length > 1 || row[0] !== '') }
}
