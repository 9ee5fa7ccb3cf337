/** What a call of a Solana program does, by the first bytes of the instruction. */
import { createHash } from 'node:crypto'
import type { InstructionDeed, InstructionTable } from '../facts/protocol-kinds.ts'

export type { InstructionDeed } from '../facts/protocol-kinds.ts'

const SELECTOR = /^0x[0-9a-f]{8}$/

/** What the transactions table has as the selector of a call by name (Anchor: hash of `global:<name>`). */
export const selectorOfName = (name: string): string =>
  `0x${createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 8)}`

const tagOf = (tag: InstructionTable['tag'], selector: string): string | number => {
  if (tag === 'name') return selector
  const bytes = Buffer.from(selector.slice(2), 'hex')
  return tag === 'byte' ? bytes.readUInt8(0) : bytes.readUInt32LE(0)
}

const read = new Map<InstructionTable, ReadonlyMap<string | number, InstructionDeed>>()

const deedsOf = (table: InstructionTable): ReadonlyMap<string | number, InstructionDeed> => {
  const known = read.get(table)
  if (known) return known
  const deeds = new Map(
    (Object.entries(table.deeds) as [InstructionDeed, readonly (string | number)[]][]).flatMap(([deed, tags]) =>
      tags.map((tag) => [typeof tag === 'string' ? selectorOfName(tag) : tag, deed] as const),
    ),
  )
  read.set(table, deeds)
  return deeds
}

/** What a call does; an instruction of less than four bytes is one of the rest. */
export const deedOf = (table: InstructionTable, selector: string): InstructionDeed =>
  SELECTOR.test(selector) ? (deedsOf(table).get(tagOf(table.tag, selector)) ?? table.rest) : table.rest
