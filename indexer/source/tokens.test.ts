import { expect, test } from 'vitest'
import { RpcError } from '../../platform/rpc/errors.ts'
import type { Outcome } from '../../platform/rpc/post.ts'
import { createTokenLookup } from './tokens.ts'

const TOKEN = `0x${'a1'.repeat(20)}`
const SHOWN = new Map([[TOKEN, 'erc20' as const]])
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const text = (value: string) =>
  `0x${word(32n)}${word(BigInt(Buffer.byteLength(value)))}${Buffer.from(value).toString('hex').padEnd(64, '0')}`
const ANSWERS: Outcome[] = [{ result: text('Dai') }, { result: text('DAI') }, { result: `0x${word(18n)}` }]
const DAI = { token: TOKEN, standard: 'erc20', name: 'Dai', symbol: 'DAI', decimals: 18 }

const failed = (kind: RpcError['kind']): Outcome => ({ error: new RpcError(kind, -32000, 'no') })

/** A lookup over nodes that give one list of answers after the other. */
const lookupOver = (...answers: Outcome[][]) => {
  let asked = 0
  const lookup = createTokenLookup({ views: async () => answers[asked++] ?? [], window: 10 })
  return { forBlock: (number: number) => lookup.forBlock(number, SHOWN), asked: () => asked }
}

test('retries a token at a later block after a call without response', async () => {
  const { forBlock } = lookupOver([...ANSWERS.slice(0, 2), failed('transient')], ANSWERS)
  expect(await forBlock(1)).toEqual([])
  expect(await forBlock(2)).toEqual([DAI])
})

test('a getter that the contract refuses is unknown, and is not called again', async () => {
  const { forBlock, asked } = lookupOver([...ANSWERS.slice(0, 2), failed('answer')], ANSWERS)
  expect(await forBlock(1)).toEqual([{ ...DAI, decimals: -1 }])
  expect(await forBlock(2)).toEqual([{ ...DAI, decimals: -1 }])
  expect(asked()).toBe(1)
})

test('a token whose calls keep failing keeps the values that were read', async () => {
  const partly = [...ANSWERS.slice(0, 2), failed('transient')]
  const { forBlock, asked } = lookupOver(...Array.from({ length: 100 }, () => partly))
  let number = 1
  while ((await forBlock(number)).length === 0) number += 1
  expect(number).toBe(40)
  expect(await forBlock(41)).toEqual([{ ...DAI, decimals: -1 }])
  expect(asked()).toBe(40)
})

test('truncates a name before a partial UTF-8 character, which the store would refuse', async () => {
  const long = `${'a'.repeat(127)}\u{1f600}`
  const { forBlock } = lookupOver([{ result: text(long) }, { result: text(`${'\u{1f600}'.repeat(64)}b`) }, ANSWERS[2]!])
  const [{ name, symbol } = { name: '', symbol: '' }] = await forBlock(1)
  expect([name, symbol]).toEqual(['a'.repeat(127), '\u{1f600}'.repeat(64)])
})
