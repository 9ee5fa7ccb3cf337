/** Foreign bytecode for property tests: noise, real code with damage, and programs that are expensive to interpret. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { arity } from '../../../../scorer/contracts/code/abstract/opcodes.ts'
import { shared } from './hostile-programs.ts'

const DEMO = new URL('../../../../deploy/demo/contracts/contracts.json', import.meta.url)

const hexIn = (value: unknown): string[] => {
  if (typeof value === 'string') return /^(0x)?[0-9a-f]{200,}$/i.test(value) ? [value.replace(/^0x/, '')] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(hexIn) : []
}

/** Runtime code of the demonstration's contracts: the part after the constructor. */
const real = (): Uint8Array[] =>
  hexIn(JSON.parse(readFileSync(DEMO, 'utf8'))).map((hex) => {
    const start = hex.indexOf('6080604052', 10)
    return Uint8Array.from(Buffer.from(hex.slice(Math.max(0, start)), 'hex'))
  })

const noise = fc.uint8Array({ minLength: 1, maxLength: 600 })

/** Real code with replaced bytes and a part of it copied elsewhere. */
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

/** One instruction of the grammar, or `[label]`: a PUSH2 of the position of that block. */
type Piece = number[] | { label: number }

const OPS = [
  0x01, 0x02, 0x03, 0x04, 0x06, 0x0a, 0x10, 0x14, 0x15, 0x16, 0x18, 0x19, 0x1b, 0x1c, 0x20, 0x30, 0x32, 0x33, 0x34,
  0x35, 0x36, 0x3f, 0x42, 0x50, 0x51, 0x52, 0x54, 0x55, 0x5c, 0x5d, 0xf1, 0xf4, 0xfa, 0xff,
]
const op = fc.constantFrom(...OPS).map((byte): Piece => [byte])
const constant = fc.constantFrom(0, 1, 4, 32, 64, 160, 224, 255).map((value): Piece => [0x60, value])
const wide = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((word): Piece => [0x7f, ...word])
/** Instructions that take positions and lengths: hashes, copies, logs, creations, calls, ends. */
const SPANS = [
  0x20, 0x37, 0x39, 0x3c, 0x3e, 0x51, 0x52, 0x53, 0x5e, 0xa0, 0xa2, 0xa4, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa, 0xf3,
  0xfd,
]
/** Numbers at common bounds, and beyond all bounds. */
const NUMBERS = [
  ...[0n, 1n, 31n, 32n, 33n, 64n, 991n, 992n, 1_023n, 1_024n, 1_025n, 24_576n],
  ...[18n, 20n, 31n, 32n, 53n, 64n, 160n, 255n].flatMap((power) => [2n ** power - 1n, 2n ** power, 2n ** power + 1n]),
  2n ** 256n - 1n,
]
const pushed = (value: bigint): number[] => {
  const bytes = Buffer.from(value.toString(16).padStart(value < 256n ? 2 : value < 65_536n ? 4 : 64, '0'), 'hex')
  return [0x5f + bytes.length, ...bytes]
}
const number = fc.constantFrom(...NUMBERS)
const span = fc
  .tuple(fc.constantFrom(...SPANS), fc.array(fc.option(number, { freq: 8 }), { minLength: 7, maxLength: 7 }))
  .map(([byte, values]): Piece[] => [
    ...values.slice(0, takenBy(byte)).map((value): Piece => (value === null ? [0x33] : pushed(value))),
    [byte],
  ])
/** A jump through a table of the selector's buckets, if there is a value to jump by. */
const table = fc
  .tuple(fc.constantFrom(1, 15, 255, 1_023), fc.constantFrom(1, 2, 3), fc.nat(0xffff))
  .map(([mask, width, base]): Piece[] => [
    [0x60, width, 0x60, 0, 0x35, 0x60, 0xe0, 0x1c, 0x61, mask >> 8, mask & 0xff, 0x16, 0x60, width, 0x02],
    [0x61, base >> 8, base & 0xff, 0x01, 0x60, 32 - width, 0x39, 0x36, 0x60, 0, 0x51, 0x57],
  ])
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
    fc.oneof(
      { weight: 10, arbitrary: single },
      { weight: 3, arbitrary: fork },
      blindFork,
      jump,
      back,
      {
        weight: 2,
        arbitrary: selector,
      },
      { weight: 2, arbitrary: span },
      table,
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts): Piece[] => [[0x5b], ...parts.flat()])

const size = (piece: Piece) => ('label' in piece ? 3 : piece.length)

/** Blocks in sequence, repeated `times`; labels name blocks. */
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

const takenBy = (byte: number) => (byte === 0xf3 || byte === 0xfd ? 2 : arity(byte)[0])
/** Number of stack items added. */
const raises = (piece: Piece): number => {
  const [byte = 0] = 'label' in piece ? [0x61] : piece
  if (byte >= 0x5f && byte <= 0x8f) return 1
  if (byte === 0x50) return -1
  const [takes, puts] = arity(byte)
  return puts - takes
}
const straight = fc
  .oneof({ weight: 6, arbitrary: op }, { weight: 2, arbitrary: copy }, constant, wide)
  .map((piece) => [piece])
/** The same few instructions on the same few values, repeated up to the step limit of code. */
const lines = fc
  .tuple(
    fc.array(fc.oneof(number.map(pushed), fc.constantFrom([0x33], [0x30], [0x5f, 0x54], [0x5f, 0x35], [0x36, 0x35])), {
      minLength: 17,
      maxLength: 24,
    }),
    fc.array(fc.oneof({ weight: 3, arbitrary: straight }, span), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(1, 1, 2, 14),
  )
  .map(([values, parts, functions]) => {
    const piece = parts.flat().filter((one) => 'label' in one || ![0xff, 0xf3, 0xfd].includes(one[0] ?? 0))
    const higher = piece.reduce((sum, one) => sum + raises(one), 0)
    const level = Array.from({ length: Math.abs(higher) }, () => (higher > 0 ? 0x50 : 0x5f))
    const bytes = Buffer.from([...(higher < 0 ? level : []), ...piece.flat(), ...(higher > 0 ? level : [])] as number[])
    const body = Buffer.concat([
      Buffer.from(values.flat()),
      ...Array.from({ length: Math.floor(24_000 / Math.max(1, bytes.length)) }, () => bytes),
    ])
    return Uint8Array.from(Buffer.from(shared(body.toString('hex'), functions), 'hex'))
  })

export const programs: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 2, arbitrary: noise },
  { weight: 4, arbitrary: damaged },
  { weight: 8, arbitrary: maze },
  lines,
)
