/** Allowed formats of results: those that only write. Others read schemas or templates from files. */

const TEXT = 'text/plain; charset=UTF-8'
const JSON_TYPE = 'application/json; charset=UTF-8'
const LINES = 'application/x-ndjson; charset=UTF-8'
const TSV = 'text/tab-separated-values; charset=UTF-8'
const CSV = 'text/csv; charset=UTF-8'
const BINARY = 'application/octet-stream'

const TYPES: readonly (readonly [type: string, formats: string])[] = [
  [JSON_TYPE, 'JSON JSONStrings JSONCompact JSONCompactStrings JSONColumns JSONCompactColumns JSONColumnsWithMetadata'],
  [LINES, 'JSONEachRow JSONStringsEachRow JSONLines NDJSON JSONCompactEachRow JSONCompactStringsEachRow'],
  [LINES, 'JSONCompactEachRowWithNames JSONCompactEachRowWithNamesAndTypes'],
  [TSV, 'TabSeparated TabSeparatedRaw TabSeparatedWithNames TabSeparatedWithNamesAndTypes TSV TSVRaw TSVWithNames'],
  [TSV, 'TSVWithNamesAndTypes TSVRawWithNames'],
  [CSV, 'CSV CSVWithNames CSVWithNamesAndTypes'],
  [BINARY, 'Native RowBinary RowBinaryWithNames RowBinaryWithNamesAndTypes Parquet Arrow ArrowStream ORC'],
  [TEXT, 'Pretty PrettyCompact PrettyCompactMonoBlock PrettyNoEscapes PrettyCompactNoEscapes PrettySpace Vertical'],
  [TEXT, 'Markdown Values Null'],
]

/** Media type of each allowed format, by the engine's name. */
export const MEDIA_TYPES: ReadonlyMap<string, string> = new Map(
  TYPES.flatMap(([type, formats]) => formats.split(' ').map((format) => [format, type] as const)),
)
