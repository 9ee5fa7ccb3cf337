/**
 * Handwritten bytecode, each program made to maximise one cost of a code reader: lengths, tables, lists and numbers chosen by the
 * contract.
 */

/** Maximum number of bytes read of any code. */
const WHOLE = 2 ** 18

const hexOf = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0')
const push = (value: number, bytes = 4) => hexOf(0x5f + bytes, 1) + hexOf(value, bytes)
const [DUP1, DUP2, DUP3, JUMPDEST, CALLER] = ['80', '81', '82', '5b', '33']

/** Functions that all run the same body: twice the maximum number of steps of any code. Hex without 0x. */
export const shared = (body: string, functions = 24): string => {
  const entry = (i: number, place: number) => `8063${hexOf(0x10000000 + i, 4)}1461${hexOf(place, 2)}57`
  const place = 6 + 11 * functions + 1
  const table = Array.from({ length: functions }, (_, i) => entry(i, place)).join('')
  return `60003560e01c${table}00${JUMPDEST}${body}`
}
/** One piece of straight code, repeated after the code that prepares its stack. */
const line = (setup: string, piece: string, steps: number): string =>
  shared(setup + piece.repeat(Math.min(Math.floor(24_000 / steps), Math.floor((WHOLE - 400) / (piece.length / 2)))))

/** Numbers that differ in their last digits only, 128 of them, each used once. */
const eachOf = (use: (number: string) => string): string =>
  Array.from({ length: 130 }, (_, i) => use(push(i + 1, 2))).join('')

/** Reads calldata: an unknown value. */
const UNKNOWN = '3635'
/** The selector, in one of 1,024 buckets. */
const bucket = (stride: string) => `60003560e01c6103ff16${stride}02`
/** CODECOPY of a cell of `width` bytes from a row of a table at `base`, and its word. */
const cellAt = (base: number, width: number) =>
  `${push(width, 1)}${bucket(push(width, 1))}${push(base, 3)}01${push(32 - width, 1)}39600051`

const grown = (text: string) => text + JUMPDEST.repeat(WHOLE - text.length / 2)

/** SWAP9 to SWAP16 in an order that does not repeat. */
const EXCHANGES = (() => {
  let state = 1
  return Array.from({ length: 23_900 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return hexOf(0x98 + ((state >> 16) % 8), 1)
  }).join('')
})()

/** Jump destinations swapped in an order that never repeats, each time with another stack. */
const exchanges = (() => {
  const bodies = Array.from({ length: 4 }, (_, i) => {
    const stack = Array.from({ length: 17 }, (_, k) => push(6 + 12 * 4 + 1 + ((k + i) % 17), 2)).join('')
    return JUMPDEST.repeat(17) + stack + EXCHANGES
  })
  const length = (bodies[0]?.length ?? 0) / 2
  const start = 6 + 12 * 4 + 1
  const entry = (_: string, i: number) => `8063${hexOf(0x10000000 + i, 4)}1462${hexOf(start + i * length, 3)}57`
  return `60003560e01c${bodies.map(entry).join('')}00${bodies.join('')}`
})()

/** Name and code (hex without 0x) of each. */
export const HOSTILE_PROGRAMS: readonly (readonly [string, string])[] = [
  ['hashes of four gigabytes', line('', `${push(0xffffffff)}5f2050`, 4)],
  ['hashes of 1,024 bytes', line(`${push(0x400, 2)}5f`, `${DUP2}${DUP2}2050`, 4)],
  ['hashes of 1,024 bytes far out', line(`${push(0x400, 2)}${push(0xffffff00)}`, `${DUP2}${DUP2}2050`, 4)],
  ['hashes of hashes', line('', `5f5260405f20`, 5)],
  ['copies of 32 bytes of code', line('60205f5f', `${DUP3}${DUP3}${DUP3}39`, 4)],
  ['copies of four gigabytes of code', line(`${push(0xffffffff)}5f5f`, `${DUP3}${DUP3}${DUP3}39`, 4)],
  ['copies of four gigabytes of calldata', line(`${push(0xffffffff)}5f5f`, `${DUP3}${DUP3}${DUP3}37`, 4)],
  ['words written to the 32nd place', line(`${CALLER}6103e0`, `${DUP2}${DUP2}52`, 3)],
  ['calls whose answer covers all memory', line('5f5f5f5f5f5f', `${push(0xffffffff)}5f5f5f5f${CALLER}5afa50`, 10)],
  [
    'stores to more slots than are noted',
    line(
      eachOf((slot) => `5f${slot}55`),
      `5f${push(0xfffff, 3)}55`,
      3,
    ),
  ],
  ['stores to one slot after many', line(`${eachOf((slot) => `5f${slot}55`)}6080`, `${DUP1}${DUP1}55`, 3)],
  [
    'slots compared with the caller, more than are noted',
    line(
      eachOf((slot) => `${slot}54${CALLER}1450`),
      `${push(0xfffff, 3)}54${CALLER}1450`,
      5,
    ),
  ],
  [
    'one slot compared with the caller after many',
    line(`${eachOf((slot) => `${slot}54${CALLER}1450`)}608054`, `${DUP1}${CALLER}1450`, 4),
  ],
  ['slots shifted further and further', line('60055460ff', `${DUP1}91901c90`, 4)],
  ['slots of addresses', line(`60055473${'ff'.repeat(20)}`, `${DUP2}${DUP2}1650`, 4)],
  ['powers of large numbers', line(`6101007f${'fe'.repeat(32)}`, `${DUP2}${DUP2}0a50`, 4)],
  ['divisions by powers of two', line(`7f80${'00'.repeat(31)}600054`, `${DUP2}${DUP2}0450`, 4)],
  [
    'addresses in the code',
    line(
      Array.from({ length: 1_030 }, (_, i) => `73${hexOf(0xfffff, 3)}${hexOf(i, 17)}50`).join(''),
      `73${'ef'.repeat(20)}50`,
      2,
    ),
  ],
  ['callers compared with addresses of the code', line(`73${'ef'.repeat(20)}${CALLER}`, `${DUP2}${DUP2}1450`, 4)],
  ['exchanges of jump destinations', exchanges],
  ['jumps through a table that leads nowhere', line(cellAt(0, 3), `${CALLER}${DUP2}57`, 3)],
  ['jumps through a table that leads to one place', grown(line(cellAt(0x8000, 2), `${CALLER}${DUP2}57`, 3))],
  ['rows of functions everywhere', grown(`6004${UNKNOWN}601c395f5156`)],
  ['forks', grown(`${JUMPDEST}${'5f365f57'.repeat(60_000)}`)],
  ['text', Buffer.from('abcd '.repeat(WHOLE / 5)).toString('hex')],
  ['words of 4 bytes', `63${'41424344'}`.repeat(WHOLE / 5)],
]
