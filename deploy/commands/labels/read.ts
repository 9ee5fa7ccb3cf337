/**
 * Streaming reader of common label files: CSV with a header, JSON lines, JSON maps of address to name and labels, JSON arrays
 * of addresses or objects, and plain lists of addresses.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { csvRows, separatorOf } from './csv.ts'
import { jsonEntries } from './json.ts'

/** Fields of a row as text; empty if the row does not have them. */
export type RawLabel = {
  line: number
  /** Number of the entry in a JSON document; undefined for lines of text. */
  entry?: number
  address: string
  network: string
  /** Words that describe the address, from all columns. */
  words: string[]
  name: string
  source: string
  confidence: string
  isContract: string
  /** Programme or case under which the address is listed. */
  programme: string
  /** Date of the listing, as written in the list. */
  listed: string
  /** Whether the list marks the row as withdrawn. */
  withdrawn: boolean
  /** Columns of exports of Assay; empty in other files. */
  label: string
  class: string
}

/** An empty row. */
export const EMPTY_ROW: Omit<RawLabel, 'line'> = {
  address: '',
  network: '',
  words: [],
  name: '',
  source: '',
  confidence: '',
  isContract: '',
  programme: '',
  listed: '',
  withdrawn: false,
  label: '',
  class: '',
}

/** Column names by meaning, in order of preference. Case is ignored, and spaces equal underscores. */
const COLUMNS = {
  address: ['address', 'wallet', 'account', 'banned_address', 'contract_address', 'wallet_address', 'mint'],
  network: ['network', 'chain', 'currency', 'blockchain'],
  name: ['name', 'wallet_tag', 'etherscan_tag', 'contract_tag', 'nametag', 'tag', 'actor'],
  source: ['source', 'data_source', 'url', 'reference'],
  confidence: ['confidence'],
  isContract: ['is_contract', 'contract'],
  programme: ['programme', 'program', 'programs'],
  listed: ['listed', 'listed_on'],
  class: ['class'],
} as const
type Meaning = keyof typeof COLUMNS
const MEANINGS = Object.keys(COLUMNS) as Meaning[]
/** All of these are read: tag packs have the role of an address in `category` and its offence in `abuse`. */
const WORD_COLUMNS = ['category', 'abuse', 'type', 'labels', 'etherscan_labels', 'contract_creator_etherscan_label']
/** Columns whose addresses are contracts. */
const CONTRACT_COLUMNS = ['contract_address', 'mint']
/** Columns that are false for withdrawn rows. */
const IN_FORCE = ['in_current_list', 'active', 'current']
const NO = ['0', 'false', 'no']

type Fields = Record<string, string | string[]>

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value).trim()

const columnName = (text: string): string => text.trim().toLowerCase().replace(/ /g, '_')

const fieldsOf = (record: object): Fields =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      columnName(key),
      Array.isArray(value) ? value.map(textOf) : textOf(value),
    ]),
  )

const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? value.join(' ') : (value ?? ''))

const pick = (fields: Fields, at: { line: number; entry?: number }, addressColumn?: string): RawLabel => {
  if (addressColumn !== undefined) fields.address = fields[addressColumn] ?? ''
  const found = MEANINGS.map((meaning) => [
    meaning,
    COLUMNS[meaning].map((name) => one(fields[name])).find((value) => value !== '') ?? '',
  ])
  const words = WORD_COLUMNS.flatMap((name) => fields[name] ?? [])
  const own = 'detector' in fields || 'detector_version' in fields
  // `label` is a name in tag packs, and a label in exports of Assay.
  const label = one(fields.label)
  const raw = Object.fromEntries(found) as Record<Meaning, string>
  return {
    ...at,
    ...raw,
    name: raw.name === '' && !own ? label : raw.name,
    isContract: raw.isContract || (CONTRACT_COLUMNS.some((name) => one(fields[name]) === raw.address) ? 'true' : ''),
    words: words.filter((word) => word !== ''),
    withdrawn: IN_FORCE.some((name) => NO.includes(one(fields[name]).toLowerCase())),
    label: own ? label : '',
  }
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isAddressColumn = (name: string): boolean => (COLUMNS.address as readonly string[]).includes(name)

const chunksOf = (file: string): AsyncIterable<Uint8Array> => createReadStream(file)

const fromJson = async function* (file: string, lines: boolean, column?: string): AsyncGenerator<RawLabel> {
  for await (const { line, entry, key, value } of jsonEntries(chunksOf(file), { lines })) {
    const at = lines ? { line } : { line, entry }
    if (key === undefined) yield pick(isRecord(value) ? fieldsOf(value) : { address: textOf(value) }, at, column)
    else {
      const fields = fieldsOf(isRecord(value) ? value : { labels: value })
      yield { ...pick(fields, at), address: key.trim() }
    }
  }
}

const fromText = async function* (file: string, header: string, column?: string): AsyncGenerator<RawLabel> {
  const separator = separatorOf(header)
  let names: string[] | undefined
  for await (const { line, cells } of csvRows(chunksOf(file), separator)) {
    if (!names) {
      const columns = cells.map(columnName)
      if (column === undefined ? columns.some(isAddressColumn) : columns.includes(column)) {
        names = columns
        continue
      }
      if (cells.length > 1 || column !== undefined) {
        throw new RangeError(
          `line ${line} has no column ${column ?? 'address'}; name the column of the addresses with --address-column`,
        )
      }
      names = ['address']
    }
    const text = (cells[0] ?? '').trim()
    if (names.length === 1 && text.startsWith('#')) continue
    const fields = Object.fromEntries(names.map((name, index) => [name, (cells[index] ?? '').trim()]))
    if (names.length === 1) fields.address = (fields.address ?? '').replace(/\s+#.*/, '')
    yield pick(fields, { line }, column)
  }
}

/** Bytes read to detect the format of a file. */
const PEEK = 65_536

/** Whether a line is a complete object with an address: a row of JSON lines. */
const isJsonLine = (line: string, column?: string): boolean => {
  const named = (name: string) => (column === undefined ? isAddressColumn(name) : name === column)
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) && Object.entries(value).some(([k, v]) => named(columnName(k)) && typeof v === 'string')
  } catch {
    return false
  }
}

/**
 * Rows of a file, in order. `addressColumn` names the column or field of the addresses.
 * @throws RangeError with the line, if the file has none of these formats; Error of the file system if it cannot be read
 */
export const readLabels = async function* (file: string, addressColumn?: string): AsyncGenerator<RawLabel> {
  const column = addressColumn === undefined ? undefined : columnName(addressColumn)
  const handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(PEEK), 0, PEEK, 0).finally(() => handle.close())
  const start = buffer
    .subarray(0, bytesRead)
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart()
  const [first = ''] = start.split(/\r?\n/, 1)
  if (start.startsWith('[')) yield* fromJson(file, false, column)
  else if (start.startsWith('{')) yield* fromJson(file, isJsonLine(first, column), column)
  else yield* fromText(file, first, column)
}
