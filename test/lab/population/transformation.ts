/**
 * A history transformed without changing anything about anyone: other addresses, other days, another order of independent
 * transactions, and another network's history beside it. No verdict may differ.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { Network } from '../../../schema/networks.ts'
import { GENESIS_BLOCK, NETWORK } from './chain.ts'
import type { Rng } from './rng.ts'
import type { Lines } from './window.ts'

export type Transformation = {
  /** The address that replaces an address. */
  address: (address: string) => string
  /** Whole days by which everything happens later. */
  days: number
  /** The transformed rows of a complete history. */
  rows: (chunk: readonly Lines[]) => Lines[]
}

export const UNCHANGED: Transformation = { address: (address) => address, days: 0, rows: (chunk) => [...chunk] }

/** Blocks of 12 s. */
export const BLOCKS_A_DAY = 7_200
const DAY_S = 86_400
/** Of `positionOf`. */
const EVENT_BITS = 19n
const TX_BITS = 15n
const ADDRESS = /0x[0-9a-f]{40}(?![0-9a-f])/g

type Row = Record<string, unknown> & { position?: string; tx_hash?: string; block_number: number; block_time: number }
type Table = { table: string; rows: Row[] }

const read = (chunk: readonly Lines[]): Table[] =>
  chunk.map(({ table, lines }) => ({
    table,
    rows: lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }))
const written = (tables: readonly Table[]): Lines[] =>
  tables.map(({ table, rows }) => ({
    table,
    lines: `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`,
    rows: rows.length,
  }))

const FACTS = new URL('../../../schema/facts/', import.meta.url)
/** Addresses with a meaning: all that a fact about chains names. */
const fixed = (): Set<string> =>
  new Set(
    readdirSync(FACTS, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => readFileSync(new URL(name, FACTS), 'utf8').toLowerCase().match(ADDRESS) ?? []),
  )

/**
 * Other digits for all addresses except those with a meaning. Each digit is always replaced by the same one, so that look-alikes stay
 * look-alikes; zeros stay, as in vanity addresses.
 */
export const relabelling = (rng: Rng): Transformation['address'] => {
  const keep = fixed()
  const digits = [...'123456789abcdef']
  const others = ['0', ...rng.sample(digits, digits.length)]
  return (address) =>
    keep.has(address) || /^0x0{20}/.test(address)
      ? address
      : `0x${[...address.slice(2)].map((digit) => others[Number.parseInt(digit, 16)]).join('')}`
}

const readdressed = (chunk: readonly Lines[], address: Transformation['address']): Lines[] =>
  chunk.map((part) => ({ ...part, lines: part.lines.replaceAll(ADDRESS, address) }))

const hashOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}`

const later = ({ table, rows }: Table, days: number): Table => ({
  table,
  rows: rows.map((row) => {
    const block = row.block_number + days * BLOCKS_A_DAY
    const shift = BigInt(days * BLOCKS_A_DAY) << (TX_BITS + EVENT_BITS)
    return {
      ...row,
      block_number: block,
      block_time: row.block_time + days * DAY_S,
      ...(row.position !== undefined && { position: String(BigInt(row.position) + shift) }),
      ...(table === 'blocks' && { block_hash: hashOf(block), parent_hash: hashOf(block - 1) }),
    }
  }),
})

const placeOf = (position: string) => (BigInt(position) >> EVENT_BITS).toString()

/** Parties of each transaction, by position: transactions of a block without common parties are independent. */
const partiesOf = (tables: readonly Table[], keep: ReadonlySet<string>): Map<string, Set<string>> => {
  const parties = new Map<string, Set<string>>()
  for (const { rows } of tables) {
    for (const row of rows) {
      if (row.position === undefined) continue
      const place = placeOf(row.position)
      const some = parties.get(place) ?? new Set()
      parties.set(place, some)
      for (const address of JSON.stringify(row).match(ADDRESS) ?? []) if (!keep.has(address)) some.add(address)
    }
  }
  return parties
}

/** Transactions of a block in groups without common parties, each in its order. */
const groupsOf = (places: readonly string[], parties: ReadonlyMap<string, Set<string>>): string[][] => {
  let groups: { places: string[]; who: Set<string> }[] = []
  for (const place of places) {
    const who = parties.get(place) ?? new Set()
    const near = groups.filter((group) => [...who].some((one) => group.who.has(one)))
    groups = [
      ...groups.filter((group) => !near.includes(group)),
      {
        places: [...near.flatMap((group) => group.places), place].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)),
        who: new Set([...near.flatMap((group) => [...group.who]), ...who]),
      },
    ]
  }
  return groups.map((group) => group.places)
}

/** The independent transactions of every block in reverse order, and all rows too. */
const reordered = (tables: readonly Table[]): { tables: Table[]; moved: number } => {
  const parties = partiesOf(tables, fixed())
  const blocks = new Map<bigint, string[]>()
  for (const place of [...parties.keys()].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))) {
    const block = BigInt(place) >> TX_BITS
    blocks.set(block, [...(blocks.get(block) ?? []), place])
  }
  const now = new Map<string, string>()
  for (const places of blocks.values()) {
    const order = groupsOf(places, parties).reverse().flat()
    for (const [nth, place] of order.entries()) now.set(place, places[nth] ?? place)
  }
  const mask = (1n << EVENT_BITS) - 1n
  const position = (old: string) =>
    String((BigInt(now.get(placeOf(old)) ?? placeOf(old)) << EVENT_BITS) | (BigInt(old) & mask))
  return {
    moved: [...now].filter(([from, to]) => from !== to).length,
    tables: tables.map(({ table, rows }) => ({
      table,
      rows: rows
        .map((row) => (row.position === undefined ? row : { ...row, position: position(row.position) }))
        .reverse(),
    })),
  }
}

export type Changes = {
  /** Other addresses for everyone. */
  address?: Transformation['address']
  days?: number
  /** Independent transactions of a block change places. */
  reorder?: boolean
  /** The same history with swapped addresses, on another network. */
  beside?: { network: Network; address: Transformation['address'] }
}

/** @param count receives the number of transactions that changed places */
export const transformed = (
  { address = UNCHANGED.address, days = 0, reorder = false, beside }: Changes,
  count: (moved: number) => void = () => {},
): Transformation => ({
  address,
  days,
  rows: (chunk) => {
    const first = read(chunk).find(({ table }) => table === 'blocks')?.rows[0]?.block_number
    if (first !== GENESIS_BLOCK) throw new RangeError('a history of more than one chunk cannot be retold')
    const { tables, moved } = reorder ? reordered(read(chunk)) : { tables: read(chunk), moved: 0 }
    count(moved)
    const shifted = written(tables.map((table) => later(table, days)))
    const other = beside
      ? readdressed(shifted, beside.address).map((part) => ({
          ...part,
          lines: part.lines.replaceAll(`"network":"${NETWORK}"`, `"network":"${beside.network}"`),
        }))
      : []
    return [...readdressed(shifted, address), ...other]
  },
})
