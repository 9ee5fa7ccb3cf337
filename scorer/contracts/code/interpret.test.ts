import { expect, test } from 'vitest'
import { compiledFile } from '../../../test/kit/contracts/solidity/files.ts'
import { arithmetic } from './abstract/opcodes.ts'
import { bytesOf, codeHashOf, familyHashOf, withoutMetadata } from './bytecode.ts'
import { type Cost, interpret, MAX_COST } from './interpret.ts'

const OWNER = '00000000000000000000000000000000deadbeef'
const concat = (...parts: string[]) => parts.join('')
/** PUSH1 0 CALLDATALOAD PUSH1 e0 SHR, then `DUP1 PUSH4 sel EQ PUSH1 dest JUMPI` for one function, STOP, and the body. */
const contract = (body: string) => `0x${concat('60003560e01c', '8063a0712d6814', '6011', '57', '00', '5b', body)}`

test('finds slot, argument kind and write of a function guarded by a stored owner', () => {
  // caller == sload(5) or revert; sstore(7, calldataload(4))
  const body = '33' + '600554' + '14' + '601f57' + '60006000fd' + '5b' + '600435' + '600755' + '00'
  const facts = interpret(bytesOf(contract(body)))
  expect(facts.complete).toBe(true)
  expect(facts.functions.find((item) => item.selector === '0xa0712d68')).toMatchObject({
    args: ['uint'],
    writes: true,
    callerSlots: [{ slot: `0x${'5'.padStart(64, '0')}`, shift: 0, kind: 'address' }],
    stores: [`0x${'7'.padStart(64, '0')}`],
  })
})

test('finds the address constant of a hard-coded guard', () => {
  const body = `3373${OWNER}1460315760006000fd5bff`
  const [facts] = interpret(bytesOf(contract(body))).functions.filter((item) => item.selector === '0xa0712d68')
  expect(facts?.callerConstants).toEqual([`0x${OWNER}`])
})

test.each([
  // ISZERO and a jump over the refusal, a jump to it, and a refusal of nothing instead.
  ['3415601a575f5ffd5b00', true],
  ['34601757005b5f80fd', true],
  ['346019575f5ffd5b00', false],
  ['3415601857005b5f5ffd', false],
])('a function is non-payable only if it reverts because coins were sent: %s', (body, refused) => {
  const facts = interpret(bytesOf(contract(body))).functions.find((item) => item.selector === '0xa0712d68')
  expect(facts?.nonPayable).toBe(refused)
})

test('a check before the dispatch makes all functions non-payable', () => {
  // The refusal, a jump over it, and the same dispatcher as above, seven bytes further on.
  const facts = interpret(bytesOf('0x346009575b600056' + '00' + '5b5f5ffd'))
  expect(facts.functions[0]?.nonPayable).toBe(true)
  const whole = interpret(
    bytesOf('0x34601857' + '60003560e01c' + '8063a0712d6814' + '6015' + '57' + '00' + '5b00' + '00' + '5b5f5ffd'),
  )
  expect(whole.functions.find((item) => item.selector === '0xa0712d68')?.nonPayable).toBe(true)
})

const factsOf = (body: string) =>
  interpret(bytesOf(contract(body))).functions.find((item) => item.selector === '0xa0712d68')

test.each([
  ['an amount', '60043561cafe14', 0xcafen],
  ['the last digits of an amount', '6103e8600435066101c814', 456n],
  ['an amount after a subtraction', '60073603600760043503600914', 16n],
  ['an amount after an addition', '6007600435016101c814', 449n],
  ['an amount that is divided', '6064600435046101c814', 45_600n],
])('finds the argument for which %s equals a constant', (_, body, value) => {
  expect(factsOf(`${body}00`)?.exactValues[0]).toContain(value)
})

test('an order comparison gives no exact value', () => {
  expect(factsOf('60043561cafe1000')?.exactValues[0]).toEqual([])
})

test.each([
  // SSTORE at the argument, at the argument plus 7, and at an item of the list of slot 3.
  ['602435600435' + '55', { i: 0, op: 'plus', by: 0n }],
  ['6024356004356007' + '0155', { i: 0, op: 'plus', by: 7n }],
  ['602435' + '6003600052' + '60206000' + '20' + '600435' + '0155', { i: 0, op: 'item', by: 3n }],
])('finds the expression of a slot that the caller chooses: %s', (body, place) => {
  expect(factsOf(`${body}00`)?.slotExpressions).toEqual([place])
})

test('mapping entries and constant slots are not chosen by the caller', () => {
  const entry = '602435' + '600435600052' + '6003602052' + '60406000' + '20' + '55'
  expect(factsOf(`${entry}00`)?.slotExpressions).toEqual([])
  expect(factsOf('602435600755' + '00')?.slotExpressions).toEqual([])
})

test('notes constants that msg.value, calldata size and first word are compared with', () => {
  expect(factsOf('3461cafe14' + '36608514' + '00')?.envelope).toEqual({ value: [0xcafen], size: [0x85n], head: [] })
  const word = '11'.repeat(32)
  const [fallback] = interpret(bytesOf(`0x6000357f${word}14600057`)).functions
  expect(fallback?.envelope.head).toEqual([BigInt(`0x${word}`)])
})

test.each([
  ['a hash of constants', `6005608052602060802073${'ff'.repeat(20)}16`],
  ['a hash that looks like an entry', `604e6000526005602052604060002073${'ff'.repeat(20)}16`],
])('finds an account that is %s as a caller constant', (_, computed) => {
  expect(factsOf(`${computed}331400`)?.callerConstants).toHaveLength(1)
})

test.each([
  ['a slot after arithmetic', '61cafe60055418' + '3314'],
  ['its native balance', '3331' + '61cafe14'],
  ['the gas price', '3a61cafe14'],
])('a check of the caller by %s counts as a digest', (_, body) => {
  expect(factsOf(`${body}00`)?.byDigest).toBe(true)
})

/** What follows the dispatch of one function: writes a word. */
const WRITE = '5b600160075500'
test.each([
  ['Vyper 0.1', `600035601c5263a0712d686000511415601a57${WRITE}5b00`],
  ['Vyper 0.2', `600035601c5260005163a0712d68811415601b57${WRITE}5b00`],
  ['a masked first word', `5f357fffffffff${'00'.repeat(28)}1663a0712d6860e01b14603157${'00'}${WRITE}`],
])('finds a function whose selector is compared as in %s', (_, code) => {
  const { functions, complete } = interpret(bytesOf(`0x${code}`))
  expect(functions.find(({ selector }) => selector === '0xa0712d68')).toMatchObject({ writes: true })
  expect(complete).toBe(true)
})

test.each([
  ['a sum', '6312345678' + '01'],
  ['an exclusive or', '6312345678' + '18'],
  ['a product', '6003' + '02'],
  ['a hash', '5f5260205f20'],
  ['the first byte', '60181c'],
  ['a shifted exclusive or', '6312345678' + '18' + '6001' + '1b'],
])('a dispatch by %s of the selector leaves the facts incomplete', (_, made) => {
  const { complete } = interpret(bytesOf(`0x60003560e01c${made}63cafecafe14610040570000${'00'.repeat(40)}${WRITE}`))
  expect(complete).toBe(false)
})

test('follows jump destinations computed from PC, as in internal calls of Vyper before 0.3', () => {
  // Where to come back to is PC plus five, and waits in memory. A jump to PC itself is a refusal.
  const call = ['36', '5857', '60055801', '601156', WRITE].join('')
  const callee = ['5b', '61014052', '61014051', '56'].join('')
  expect(interpret(bytesOf(`0x${call}${callee}`))).toMatchObject({
    complete: true,
    functions: [{ stores: [`0x${'7'.padStart(64, '0')}`] }],
  })
})

test.each([
  ['in memory', '5b' + '61014052' + '36601d57' + '5b' + '61014051' + '56', 0, true],
  ['less one', '5b' + '36601857' + '5b' + '600101' + '56', 1, false],
  ['on the stack', '5b' + '36601857' + '5b' + '56', 0, true],
])(
  'follows a second internal call with its return address %s, or reports incomplete facts',
  (_, callee, less, complete) => {
    // Calls what stands at 0x14 twice, and writes a word after the second time.
    const call = (back: number) => `60${(back - less).toString(16).padStart(2, '0')}601456`
    const facts = interpret(bytesOf(`0x${call(5)}5b${call(11)}${WRITE}0000${callee}`))
    expect(facts.complete).toBe(complete)
    if (complete) expect(facts.functions[0]?.stores).toHaveLength(1)
  },
)

test('a binary search for the selector, or a mapping keyed by it, leaves the facts complete', () => {
  // Is the selector beyond a number? Then another one. Is there an entry for the first word? Then write.
  const halves = `60003560e01c8063800000001160205763a0712d68146020570000`.padEnd(64, '0')
  expect(interpret(bytesOf(`0x${halves}${WRITE}`)).complete).toBe(true)
  expect(interpret(bytesOf(`0x600035600052600560205260406000205460205700`.padEnd(66, '0') + WRITE)).complete).toBe(true)
})

test('ignores unreachable instructions', () => {
  const facts = interpret(bytesOf(contract('00ff')))
  expect(facts.functions.some((item) => item.destroys)).toBe(false)
})

test('a loop ends, and a jump to a computed destination leaves the facts incomplete', () => {
  expect(interpret(bytesOf('0x5b600056')).complete).toBe(true)
  expect(interpret(bytesOf('0x60003556')).complete).toBe(false)
  expect(interpret(bytesOf('0x600160003557')).complete).toBe(false)
})

/** Code from the given places on, and stops in between. */
const laid = (parts: Record<number, string>): Uint8Array => {
  const code: string[] = Array.from({ length: 64 }, () => '00')
  for (const [at, hex] of Object.entries(parts))
    for (const [i, byte] of (hex.match(/../g) ?? []).entries()) code[Number(at) + i] = byte
  return bytesOf(`0x${code.join('')}`)
}

test('finds start and length (up to one member more) of a row that a loop compares the caller with', () => {
  // i = 0; while (i < 3) { if (word 5 + i is the caller) stop; i += 1 }
  const body = '80600501543314602057' + '600101600156'
  const facts = interpret(laid({ 0: `5f5b6003811015603057${body}`, 32: '5b00', 48: '5b00' })).functions[0]
  const { callerSlots = [], callerRows = [] } = facts ?? {}
  const rows = callerRows.flatMap(({ from, times, maxLength = 0 }) =>
    Array.from({ length: maxLength + 1 }, (_, i) => from + times * BigInt(i)),
  )
  expect(new Set([...callerSlots.map(({ slot }) => BigInt(slot)), ...rows])).toEqual(new Set([5n, 6n, 7n]))
  expect(facts?.byUnknown).toBe(false)
})

/** Two or three paths that leave a word each, before what follows at place 48. */
const meeting = (words: readonly string[], after: string) =>
  laid({
    0: `36601057${words[0]}603056`,
    16: `5b34602057${words[1]}603056`,
    32: `5b${words[2] ?? words[1]}603056`,
    48: `5b${after}`,
    60: '5b00',
  })

test('after two paths join, notes the words of both as compared with the caller', () => {
  const two = interpret(meeting(['600154', '600254'], '3314603c57')).functions[0]
  expect(two?.callerSlots.map(({ slot }) => BigInt(slot)).sort()).toEqual([1n, 2n])
  expect(two?.byUnknown).toBe(false)
  const inMemory = interpret(meeting(['600154604052', '600254604052'], '6040513314603c57')).functions[0]
  expect(inMemory?.callerSlots.map(({ slot }) => BigInt(slot)).sort()).toEqual([1n, 2n])
})

test('after three paths join, the caller is compared with an unknown word', () => {
  expect(interpret(meeting(['600154', '600254', '600354'], '3314603c57')).functions[0]?.byUnknown).toBe(true)
  // And with one from a computed place of memory.
  expect(interpret(bytesOf('0x5f35513314600a57fe5b00')).functions[0]?.byUnknown).toBe(true)
})

const measured = (hex: string) => {
  const work: Cost = { steps: 0, cells: 0, pending: 0, notes: 0 }
  const facts = interpret(bytesOf(hex), work)
  return { facts, work }
}

test('a loop that pushes return addresses ends at the stack limit', { timeout: 2_000 }, () => {
  // JUMPDEST, PUSH0 26 times, JUMPI to the start when there is calldata, JUMP to the start.
  const { facts, work } = measured(`0x5b${'5f'.repeat(26)}365f575f56`)
  expect(facts.complete).toBe(true)
  expect(work.cells).toBeLessThan(10_000)
})

test('a loop of branches with ever new stacks is cut and leaves the facts incomplete', { timeout: 2_000 }, () => {
  const { facts, work } = measured(`0x5b${'5f365f57'.repeat(12)}5f56`)
  expect(facts.complete).toBe(false)
  expect(work.pending).toBeLessThanOrEqual(MAX_COST.pending)
})

test('a path ends at a stack underflow or overflow', () => {
  const write = '600160075500'
  const stores = (hex: string) => interpret(bytesOf(hex)).functions[0]?.stores.length
  expect(stores(`0x600055${write}`), 'SSTORE of one item').toBe(0)
  expect(stores(`0x8150${write}`), 'DUP2 of nothing').toBe(0)
  expect(stores(`0x600190${write}`), 'SWAP1 of one item').toBe(0)
  expect(stores(`0x50${write}`), 'POP of nothing').toBe(0)
  expect(stores(`0x600056${write}`), 'JUMP to no destination').toBe(0)
  expect(stores(`0x${'5f'.repeat(1_022)}${write}`)).toBe(1)
  expect(stores(`0x${'5f'.repeat(1_023)}${write}`)).toBe(0)
  expect(stores(`0x${'36'.repeat(1_023)}${write}`)).toBe(0)
  expect(stores(`0x5f${'80'.repeat(1_022)}${write}`)).toBe(0)
  expect(interpret(bytesOf('0xff')).functions[0]?.destroys).toBe(false)
})

test('bounds the number of functions and reports incomplete facts beyond', () => {
  const entry = (i: number) => `8063${(i + 2 ** 28).toString(16)}1461fffe57`
  const code = (count: number) => `0x60003560e01c${Array.from({ length: count }, (_, i) => entry(i)).join('')}00`
  expect(interpret(bytesOf(code(400)))).toMatchObject({ complete: true, functions: { length: 401 } })
  expect(interpret(bytesOf(code(1_900)))).toMatchObject({ complete: false, functions: { length: 512 } })
})

test('bounds the list entries of a function and the code that is read', () => {
  const loads = Array.from({ length: 300 }, (_, i) => `61${i.toString(16).padStart(4, '0')}5450`).join('')
  const facts = interpret(bytesOf(`0x${loads}`))
  expect(facts.functions[0]?.reads).toHaveLength(128)
  expect(facts.complete).toBe(false)
  expect(interpret(new Uint8Array(2 ** 18)).complete).toBe(true)
  expect(interpret(new Uint8Array(2 ** 18 + 1)).complete).toBe(false)
})

test('EXP is computed modulo 2^256', () => {
  const base = 2n ** 256n - 189n
  for (const exponent of [0n, 1n, 2n, 255n, 256n])
    expect(arithmetic(0x0a, base, exponent)).toBe(base ** exponent % 2n ** 256n)
})

test('the metadata trailer does not affect the hashes', () => {
  const body = '6001600201'
  const trailer = (fill: string) => `a2646970667358221220${fill.repeat(32)}64736f6c63430008190033`
  const [a, b] = [bytesOf(`0x${body}${trailer('11')}`), bytesOf(`0x${body}${trailer('22')}`)]
  expect(Buffer.from(withoutMetadata(a)).toString('hex')).toBe(body)
  expect(codeHashOf(a)).toBe(codeHashOf(b))
  expect(familyHashOf(bytesOf('0x6001600201'))).toBe(familyHashOf(bytesOf('0x6009600801')))
  expect(codeHashOf(bytesOf('0x6001600201'))).not.toBe(codeHashOf(bytesOf('0x6009600801')))
})

test('payable functions are those that the compiler marks payable', () => {
  const contracts = compiledFile(new URL('../../../test/kit/contracts/tokens/population/all.sol', import.meta.url))
  const wrong = [...contracts.values()].filter(({ runtime, abi }) => {
    const taking = interpret(bytesOf(runtime)).functions.filter(
      ({ selector, nonPayable, writes }) => selector !== 'fallback' && writes && !nonPayable,
    )
    return (
      taking.length !==
      abi.filter(({ type, stateMutability }) => type === 'function' && stateMutability === 'payable').length
    )
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
})

/** One of two addresses on the stack, as the size of the call decides; `at` is where this stands. */
const choice = (at: number, n: number) => {
  const place = (to: number) => `61${to.toString(16).padStart(4, '0')}`
  const address = (digit: number) => `73${(0xadd000n + BigInt(2 * n + digit)).toString(16).padStart(40, 'a')}`
  const [second, end] = [at + 30, at + 52]
  return `36${place(second)}57${address(0)}${place(end)}565b${address(1)}5b`
}
/** A fallback function that chooses so many times, and runs the code of the last choice. */
const choosing = (times: number) => {
  const chosen = Array.from({ length: times }, (_, n) => choice(53 * n, n)).join('')
  return interpret(bytesOf(`${chosen}5f5f365f845af400`)).functions.find(({ selector }) => selector === 'fallback')
}

test('finds all delegates a fallback function can select, and reports if there may be more', () => {
  expect(choosing(1)).toMatchObject({ delegatesToUnknown: false })
  expect(choosing(1)?.delegateConstants).toHaveLength(2)
  expect(choosing(3)).toMatchObject({ delegatesToUnknown: false })
  expect(choosing(5)).toMatchObject({ delegatesToUnknown: true })
})
