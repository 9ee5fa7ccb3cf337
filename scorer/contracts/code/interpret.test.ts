import { expect, test } from 'vitest'
import { bytesOf, codeHashOf, familyHashOf, withoutMetadata } from './bytecode.ts'
import { interpret } from './interpret.ts'

const OWNER = '00000000000000000000000000000000deadbeef'
const concat = (...parts: string[]) => parts.join('')
/** PUSH1 0 CALLDATALOAD PUSH1 e0 SHR, then `DUP1 PUSH4 sel EQ PUSH1 dest JUMPI` for one function, STOP, and the body. */
const contract = (body: string) => `0x${concat('60003560e01c', '8063a0712d6814', '6011', '57', '00', '5b', body)}`

test('a function guarded by a stored owner names slot, argument and effect', () => {
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

test('a hard-coded guard is a constant, whatever the function is called', () => {
  const body = `3373${OWNER}1460315760006000fd5bff`
  const [facts] = interpret(bytesOf(contract(body))).functions.filter((item) => item.selector === '0xa0712d68')
  expect(facts?.callerConstants).toEqual([`0x${OWNER}`])
})

test('unreachable opcodes are not facts', () => {
  const facts = interpret(bytesOf(contract('00ff')))
  expect(facts.functions.some((item) => item.destroys)).toBe(false)
})

test('loops and jumps to computed places end', () => {
  expect(interpret(bytesOf('0x5b600056')).complete).toBe(true)
  expect(interpret(bytesOf('0x60003556')).complete).toBe(true)
})

test('the metadata trailer changes neither hash', () => {
  const body = '6001600201'
  const trailer = (fill: string) => `a2646970667358221220${fill.repeat(32)}64736f6c63430008190033`
  const [a, b] = [bytesOf(`0x${body}${trailer('11')}`), bytesOf(`0x${body}${trailer('22')}`)]
  expect(Buffer.from(withoutMetadata(a)).toString('hex')).toBe(body)
  expect(codeHashOf(a)).toBe(codeHashOf(b))
  expect(familyHashOf(bytesOf('0x6001600201'))).toBe(familyHashOf(bytesOf('0x6009600801')))
  expect(codeHashOf(bytesOf('0x6001600201'))).not.toBe(codeHashOf(bytesOf('0x6009600801')))
})
