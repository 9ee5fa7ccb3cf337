/** Deeds of Solana program calls, by the first bytes of the instruction. */
import { createHash } from 'node:crypto'
import { SOLANA_SWAPS } from '../../facts/markets/solana-swaps.ts'
import type {
  InstructionDeed,
  InstructionTable,
  Protocol,
  ProtocolKind,
  SwapPlaces,
} from '../../facts/protocols/protocol.ts'
import { CALL_DEEDS, type CallDeed } from '../../tables/chain/chain.ts'

export type { InstructionDeed } from '../../facts/protocols/protocol.ts'

const SELECTOR = /^0x[0-9a-f]{8}$/

/** Selector in the transactions table for a call by name (Anchor: hash of `global:<name>`). */
export const selectorOfName = (name: string): string =>
  `0x${createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 8)}`

const tagOf = (tag: 'byte' | 'word', selector: string): number => {
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

/** Deed of a call; an instruction of less than four bytes has the table's default. */
export const deedOf = (table: InstructionTable, selector: string): InstructionDeed => {
  if (table.tag === 'name') return deedsOf(table).get(selector) ?? table.rest
  return SELECTOR.test(selector) ? (deedsOf(table).get(tagOf(table.tag, selector)) ?? table.rest) : table.rest
}

/** Name of using a program for its purpose. */
const DEED_OF_USE: Partial<Record<ProtocolKind, CallDeed>> = {
  exchange: 'swap',
  staking: 'stake',
  vault: 'farm',
  farm: 'farm',
  nft: 'nft',
}

const callDeed = (kind: ProtocolKind, deed: InstructionDeed): CallDeed | undefined =>
  deed === 'use' ? DEED_OF_USE[kind] : deed === 'aside' ? undefined : deed

/** Sign of a 128-bit number, little-endian; 0 if the data is too short. */
const signAt = (data: Buffer, place: number): number => {
  if (data.length < place + 16) return 0
  const high = data.readBigInt64LE(place + 8)
  return high < 0n ? -1 : high > 0n || data.readBigUInt64LE(place) > 0n ? 1 : 0
}

const signedBy = new Map<InstructionTable, ReadonlyMap<string, string>>()

/** Names of the instructions whose arguments decide, by selector. */
const signedNames = (table: InstructionTable): ReadonlyMap<string, string> => {
  const known =
    signedBy.get(table) ?? new Map(Object.keys(table.signed ?? {}).map((name) => [selectorOfName(name), name]))
  signedBy.set(table, known)
  return known
}

/** Deeds of a call of a known program, from its data; several if its arguments say so. */
export const callDeedsOf = (
  { kind, instructions }: Pick<Protocol, 'kind' | 'instructions'>,
  selector: string,
  data: Buffer,
): CallDeed[] => {
  if (!instructions) return []
  const signed = instructions.signed?.[signedNames(instructions).get(selector) ?? '']
  if (!signed) {
    const deed = callDeed(kind, deedOf(instructions, selector))
    return deed === undefined ? [] : [deed]
  }
  return signed.flatMap(({ place, above, below }) => {
    const sign = signAt(data, place)
    return sign === 0 ? [] : (callDeed(kind, sign > 0 ? above : below) ?? [])
  })
}

/** All deeds that calls of a program may have. */
export const possibleDeedsOf = ({ kind, instructions }: Pick<Protocol, 'kind' | 'instructions'>): Set<CallDeed> => {
  const signed = Object.values(instructions?.signed ?? {}).flat()
  const deeds = instructions
    ? [
        instructions.rest,
        ...(Object.keys(instructions.deeds) as InstructionDeed[]),
        ...signed.flatMap(({ above, below }) => [above, below]),
      ]
    : []
  return new Set(deeds.flatMap((deed) => callDeed(kind, deed) ?? []))
}

/** Deeds as in column `deeds`: each once, in a fixed order. */
export const spellDeeds = (deeds: readonly CallDeed[]): string => {
  if (deeds.length < 2) return deeds[0] ?? ''
  const done = new Set(deeds)
  return CALL_DEEDS.filter((deed) => done.has(deed)).join(',')
}

const SWAPS = new Map(
  SOLANA_SWAPS.flatMap(({ addresses, tag, swaps }) => {
    const places = new Map(
      Object.entries(swaps).map(([name, pools]) => [tag === 'name' ? selectorOfName(name) : Number(name), pools]),
    )
    return addresses.map((address) => [address, { tag, places }] as const)
  }),
)

/** Solana programs whose swaps are read. */
export const SWAP_PROGRAMS: ReadonlySet<string> = new Set(SWAPS.keys())

/** Pools of a program's swap call; empty for anything but a known swap. */
export const swapPlacesOf = (program: string, data: Buffer): readonly SwapPlaces[] => {
  const known = SWAPS.get(program)
  if (!known || data.length === 0) return []
  if (known.tag === 'byte') return known.places.get(data.readUInt8(0)) ?? []
  return data.length < 4 ? [] : (known.places.get(`0x${data.toString('hex', 0, 4)}`) ?? [])
}

/** First bytes of a named event that a program emits by calling itself (Anchor: `emit_cpi`). */
export const eventTagOf = (name: string): Buffer =>
  Buffer.concat([
    Buffer.from('e445a52e51cb9a1d', 'hex'),
    createHash('sha256').update(`event:${name}`).digest().subarray(0, 8),
  ])
