/** Foreign bytecode for property tests: noise, real code with damage, and programs made to tire an interpreter. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'

const DEMO = new URL('../../deploy/demo/contracts/contracts.json', import.meta.url)

const hexIn = (value: unknown): string[] => {
  if (typeof value === 'string') return /^(0x)?[0-9a-f]{200,}$/i.test(value) ? [value.replace(/^0x/, '')] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(hexIn) : []
}

/** Runtime code of the demonstration's contracts: what follows the constructor. */
const real = (): Uint8Array[] =>
  hexIn(JSON.parse(readFileSync(DEMO, 'utf8'))).map((hex) => {
    const start = hex.indexOf('6080604052', 10)
    return Uint8Array.from(Buffer.from(hex.slice(Math.max(0, start)), 'hex'))
  })

const noise = fc.uint8Array({ minLength: 1, maxLength: 600 })

/** Real code with bytes replaced and a part of it copied elsewhere. */
const damaged = fc
  .record({
    code: fc.constantFrom(...real()),
    bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 24 }),
    from: fc.nat(),
    to: fc.nat(),
    length: fc.nat(400),
  })
  .map(({ code, bytes, from, to, length }) => {
    const copy = Uint8Array.from(code)
    for (const [at, byte] of bytes) copy[at % copy.length] = byte
    const [source, target] = [from % copy.length, to % copy.length]
    copy.copyWithin(target, source, source + length)
    return copy
  })

/** One instruction of the grammar, or `[label]`: a PUSH2 of the place of that block. */
type Piece = number[] | { label: number }

const OPS = [
  0x01, 0x02, 0x03, 0x04, 0x0a, 0x10, 0x14, 0x15, 0x16, 0x1b, 0x1c, 0x20, 0x33, 0x34, 0x35, 0x36, 0x42, 0x50, 0x51,
  0x52, 0x54, 0x55, 0xf1, 0xf4, 0xfa, 0xff,
]
const op = fc.constantFrom(...OPS).map((byte): Piece => [byte])
const constant = fc.constantFrom(0, 1, 4, 32, 64, 160, 224, 255).map((value): Piece => [0x60, value])
const wide = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((word): Piece => [0x7f, ...word])
const label = fc.nat(400).map((at): Piece => ({ label: at }))
const copy = fc.integer({ min: 0x80, max: 0x9f }).map((byte): Piece => [byte])
const jump = label.map((place): Piece[] => [place, [0x56]])
const fork = fc
  .tuple(label, fc.constantFrom(0x33, 0x35, 0x36, 0x42))
  .map(([place, by]): Piece[] => [[by], place, [0x57]])
const blindFork: fc.Arbitrary<Piece[]> = fc.constant([[0x36], [0x90], [0x57]])
const back: fc.Arbitrary<Piece[]> = fc.constant([[0x56]])
const selector = fc
  .tuple(fc.uint8Array({ minLength: 4, maxLength: 4 }), label)
  .map(([bytes, place]): Piece[] => [[0x80], [0x63, ...bytes], [0x14], place, [0x57]])
const single = fc
  .oneof({ weight: 4, arbitrary: op }, constant, wide, { weight: 4, arbitrary: label }, { weight: 2, arbitrary: copy })
  .map((piece) => [piece])
const block = fc
  .array(
    fc.oneof({ weight: 10, arbitrary: single }, { weight: 3, arbitrary: fork }, blindFork, jump, back, {
      weight: 2,
      arbitrary: selector,
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts): Piece[] => [[0x5b], ...parts.flat()])

const size = (piece: Piece) => ('label' in piece ? 3 : piece.length)

/** Blocks one after the other, repeated `times`; labels name blocks. */
const assembled = (blocks: readonly Piece[][], head: readonly Piece[]): Uint8Array => {
  const places: number[] = []
  let at = head.reduce((sum, piece) => sum + size(piece), 0)
  for (const pieces of blocks) {
    places.push(at)
    for (const piece of pieces) at += size(piece)
  }
  const bytes = [head, ...blocks].flat().flatMap((piece) => {
    if (!('label' in piece)) return piece
    const place = places[piece.label % places.length] ?? 0
    return [0x61, place >> 8, place & 0xff]
  })
  return Uint8Array.from(bytes.slice(0, 24_576))
}

/** Loops, returns, forks and dispatchers over the same few blocks. */
const maze = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 12 }), fc.boolean(), fc.constantFrom(1, 1, 2, 8, 40))
  .map(([blocks, dispatches, times]) =>
    assembled(
      Array.from({ length: times }, () => blocks).flat(),
      dispatches ? [[0x60, 0], [0x35], [0x60, 0xe0], [0x1c]] : [],
    ),
  )

export const programs: fc.Arbitrary<Uint8Array> = fc.oneof(
  noise,
  { weight: 2, arbitrary: damaged },
  { weight: 4, arbitrary: maze },
)
