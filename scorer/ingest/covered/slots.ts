/** Rows of `covered_ranges`. Ranges keep their slots if possible, so that a change writes few rows. */
import type { Range } from './ranges.ts'

/** A range that is covered or claimed. */
export type Slot = Range & {
  /** Chunk or move that is inserting the blocks; empty once they are covered. */
  claimedBy: string
  /** Number of inserts on all networks when the blocks were claimed. */
  claimedAt: bigint
  /** Slot number in the table; a new range has none yet. */
  slot?: number
}

/** A row of `covered_ranges` from the store, with 64-bit numbers as text. */
export type SlotRow = {
  slot: number
  first_block: number
  last_block: number
  parent_hash: string
  last_hash: string
  traces: 0 | 1
  claimed_by: string
  claimed_at: string
  inserts: string
  version: string
  is_deleted: 0 | 1
}

type ChangedRow = Omit<SlotRow, 'inserts' | 'version'>

/** Converts a row, without the fields of the whole network (`version`, `inserts`). */
export const slotOf = (row: SlotRow): Slot => ({
  slot: row.slot,
  first: row.first_block,
  last: row.last_block,
  parentHash: row.parent_hash,
  lastHash: row.last_hash,
  traces: row.traces,
  claimedBy: row.claimed_by,
  claimedAt: BigInt(row.claimed_at),
})

const contentOf = (slot: Slot) => ({
  first_block: slot.first,
  last_block: slot.last,
  parent_hash: slot.parentHash,
  last_hash: slot.lastHash,
  traces: slot.traces,
  claimed_by: slot.claimedBy,
  claimed_at: slot.claimedAt.toString(),
})

/** Assigns slots: ranges with the same claim and first block keep theirs, others get free ones. */
const placed = (before: readonly Slot[], after: readonly Slot[]): Map<number, Slot> => {
  const nameOf = ({ claimedBy, first }: Slot) => `${claimedBy} ${first}`
  const known = new Map(before.map((slot) => [nameOf(slot), slot.slot ?? 0]))
  const places = new Map<number, Slot>()
  const unplaced: Slot[] = []
  for (const slot of after) {
    const place = known.get(nameOf(slot))
    if (place === undefined) unplaced.push(slot)
    else places.set(place, slot)
  }
  let free = 0
  for (const slot of unplaced) {
    while (places.has(free)) free += 1
    places.set(free, slot)
  }
  return places
}

/** Rows that change one set of ranges into the other. */
export const changedSlots = (before: readonly Slot[], after: readonly Slot[]): ChangedRow[] => {
  const places = placed(before, after)
  const old = new Map(before.map((slot) => [slot.slot ?? 0, slot]))
  const written = [...places].flatMap(([slot, range]): ChangedRow[] => {
    const known = old.get(slot)
    const content = contentOf(range)
    if (known && JSON.stringify(contentOf(known)) === JSON.stringify(content)) return []
    return [{ slot, ...content, is_deleted: 0 }]
  })
  const emptied = [...old].flatMap(([slot, range]): ChangedRow[] =>
    places.has(slot) ? [] : [{ slot, ...contentOf(range), is_deleted: 1 }],
  )
  return [...written, ...emptied]
}
