/**
 * Reads label files of common shapes: CSV with a header, JSON maps of address to name and labels, JSON arrays of
 * addresses or of objects, and plain lists of addresses. Says per row what it means or why it is refused, by line.
 */
import { parseAddress } from '../../schema/address/index.ts'
import { type Network, parseNetwork } from '../../schema/networks.ts'
import { parseCsv } from '../eval/csv.ts'

export type LabelRow = {
  network: Network
  /** Canonical text. */
  address: string
  /** What is said of the address, in the file's own word when no category was given. */
  category: string
  name: string
  source: string
}

export type Refusal = { line: number; reason: string }

export type ParsedLabels = { rows: LabelRow[]; refused: Refusal[] }

export type LabelDefaults = {
  /** Network of rows that name none. */
  network?: Network | undefined
  /** Category of all rows, whatever they say. */
  category?: string | undefined
  /** Where the file comes from. */
  source: string
}

type Raw = { line: number; address: string; network: string; category: string; name: string; source: string }

/** Column names by meaning, in order of preference; compared without case. */
const MEANINGS = {
  address: ['address', 'wallet', 'account', 'banned_address', 'contract_address', 'wallet_address', 'mint'],
  network: ['network', 'chain', 'currency', 'blockchain'],
  category: ['category', 'abuse', 'type', 'labels', 'etherscan_labels', 'notes'],
  name: ['name', 'label', 'wallet_tag', 'etherscan_tag', 'contract_tag', 'tag', 'nametag'],
  source: ['source', 'data_source'],
} as const
type Meaning = keyof typeof MEANINGS
const ALL = Object.keys(MEANINGS) as Meaning[]

/** Currencies and spellings that files use for a network beside our own aliases. */
const OTHER_NETWORKS: Record<string, Network> = {
  evm: 'ETH',
  matic: 'POLYGON',
  sol: 'SOLANA',
  trx: 'TRON',
  usdt_tron: 'TRON',
}

const networkOf = (text: string): Network | undefined => parseNetwork(text) ?? OTHER_NETWORKS[text.toLowerCase()]

const pick = (record: Record<string, string>, line: number): Raw => {
  const found = ALL.map((meaning) => [
    meaning,
    MEANINGS[meaning].map((n) => record[n]).find((v) => v !== undefined && v !== '') ?? '',
  ])
  return { line, ...(Object.fromEntries(found) as Record<Meaning, string>) }
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(' ') : value === null || value === undefined ? '' : String(value)

const lowerKeys = (record: object): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key.trim().toLowerCase(), asText(value)]))

const fromJson = (text: string): Raw[] => {
  const value: unknown = JSON.parse(text)
  const entryOf = (item: unknown, index: number): Raw =>
    pick(typeof item === 'object' && item !== null ? lowerKeys(item) : { address: asText(item) }, index + 1)
  if (Array.isArray(value)) return value.map(entryOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([address, item], index) => ({
    ...entryOf(typeof item === 'object' && item !== null && !Array.isArray(item) ? item : { labels: item }, index),
    address,
  }))
}

const fromCsv = (text: string): Raw[] => {
  const { names, rows } = parseCsv(text)
  const keys = names.map((name) => name.toLowerCase())
  return rows.map((row, i) => pick(Object.fromEntries(keys.map((key, k) => [key, row[k]?.trim() ?? ''])), i + 2))
}

const fromList = (text: string): Raw[] =>
  text.split(/\r?\n/).flatMap((line, i) => {
    const address = line.replace(/#.*/, '').trim()
    return address === '' ? [] : [pick({ address }, i + 1)]
  })

const rawOf = (text: string): Raw[] => {
  const start = text.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return fromJson(text)
  const header = (start.split(/\r?\n/, 1)[0] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return header.some((name) => (MEANINGS.address as readonly string[]).includes(name)) ? fromCsv(text) : fromList(text)
}

const interpret = (raw: Raw, defaults: LabelDefaults): LabelRow | Refusal => {
  const refuse = (reason: string): Refusal => ({ line: raw.line, reason })
  const network = raw.network === '' ? defaults.network : networkOf(raw.network)
  if (!network) return refuse(raw.network === '' ? 'no network is given' : `${raw.network} is no network of ours`)
  if (raw.address === '') return refuse('the address is empty')
  const parsed = parseAddress(network, raw.address)
  if (!parsed.ok) return refuse(`${raw.address} ${parsed.reason}`)
  const category = defaults.category ?? raw.category
  if (category === '') return refuse('no category is given')
  return { network, address: parsed.canonical, category, name: raw.name, source: raw.source || defaults.source }
}

/** Reads a file's text. Rows that say the same of the same address are one. @throws SyntaxError for broken JSON. */
export const parseLabels = (text: string, defaults: LabelDefaults): ParsedLabels => {
  const rows = new Map<string, LabelRow>()
  const refused: Refusal[] = []
  for (const raw of rawOf(text)) {
    const row = interpret(raw, defaults)
    if ('reason' in row) refused.push(row)
    else rows.set(`${row.network}:${row.address}:${row.category}`, row)
  }
  return { rows: [...rows.values()], refused }
}
