/** Parses the rows of an upload, one per line: CSV with or without a header, or NDJSON. An unreadable line becomes a row with a problem. */
import { parseNetwork } from '../../schema/networks.ts'
import { beginningOf, isWellFormed } from '../../schema/text.ts'
import { cellsOf, separatorOf } from './cells.ts'
import type { Line } from './lines.ts'

/** Format of an upload. */
export type UploadFormat = 'csv' | 'ndjson'

/** A row of an upload. */
export type Row = {
  /** Network code; for an unknown network the text as sent. */
  network: string
  /** As it was sent. */
  address: string
  /** The caller's own reference. */
  reference: string
  /** Why the row is malformed; empty if it is valid. */
  problem: string
}

/** Longest line, bytes. */
export const MAX_LINE = 4_096
const MAX_ADDRESS = 128
const MAX_NETWORK = 32
const MAX_REFERENCE = 256

const COLUMNS: Record<string, 'network' | 'address' | 'reference'> = {
  network: 'network',
  chain: 'network',
  address: 'address',
  walletaddress: 'address',
  wallet: 'address',
  contract: 'address',
  contractaddress: 'address',
  reference: 'reference',
  ref: 'reference',
  id: 'reference',
}
type Names = readonly (keyof typeof COLUMNS | undefined)[]

const columnOf = (cell: string) => COLUMNS[cell.trim().toLowerCase().replaceAll(/[ _-]/g, '')]

const PROBLEMS = {
  'too-long': `row: is longer than ${MAX_LINE} bytes`,
  'not-utf8': 'row: is not UTF-8; name its charset in the content type',
}

const broken = (problem: string): Row => ({ network: '', address: '', reference: '', problem })

const checked = ({ network, address, reference }: Omit<Row, 'problem'>): Row => {
  if (![network, address, reference].every(isWellFormed)) return broken('row: must be well-formed text')
  const row = {
    network: beginningOf(parseNetwork(network) ?? network, MAX_NETWORK),
    address: beginningOf(address, MAX_ADDRESS),
    reference: beginningOf(reference, MAX_REFERENCE),
  }
  if (address === '') return { ...row, problem: 'walletAddress: is required' }
  if (address.length > MAX_ADDRESS) {
    return { ...row, problem: `walletAddress: must not be longer than ${MAX_ADDRESS} characters` }
  }
  if (reference.length > MAX_REFERENCE) {
    return { ...row, problem: `reference: must not be longer than ${MAX_REFERENCE} characters` }
  }
  return { ...row, problem: '' }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

const fromJson = (line: string, network: string): Row => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return broken('row: is not valid JSON')
  }
  if (typeof value === 'string') return checked({ network, address: value.trim(), reference: '' })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return broken('row: must be a JSON object or an address')
  }
  const { walletAddress, address, network: own, reference } = value as Record<string, unknown>
  return checked({
    network: textOf(own) || network,
    address: textOf(walletAddress ?? address),
    reference: textOf(reference),
  })
}

/** Parses lines in order. The first line of a CSV may be a header, which returns `undefined`. `network` applies to rows without one. */
export const createRowReader = (format: UploadFormat, network: string): ((line: Line) => Row | undefined) => {
  let first = true
  let names: Names = ['address', 'network', 'reference']
  let separator = ','

  const fromCsv = (line: string): Row => {
    const cells = cellsOf(line, separator)
    if (!cells) return broken('row: has a quotation mark that is not closed')
    const cell = (name: string) => cells[names.indexOf(name)]?.trim() ?? ''
    return checked({ network: cell('network') || network, address: cell('address'), reference: cell('reference') })
  }

  return (line) => {
    const isFirst = first
    first = false
    if (typeof line !== 'string') return broken(PROBLEMS[line.problem])
    const text = isFirst ? line.replace(/^\uFEFF/, '') : line
    if (format === 'ndjson') return fromJson(text, network)
    if (isFirst) separator = separatorOf(text)
    const header = isFirst ? cellsOf(text, separator)?.map(columnOf) : undefined
    if (!header?.includes('address')) return fromCsv(text)
    names = header
    return undefined
  }
}
