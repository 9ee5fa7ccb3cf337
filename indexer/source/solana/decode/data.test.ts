import { base58 } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rawTransaction, readTransaction } from '../raw.ts'
import { bytesOf } from './data.ts'

test('decodes base58 of any length like the library', () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array({ maxLength: 1_300 }), fc.uint8Array({ maxLength: 9 })),
      fc.nat({ max: 5 }),
      (bytes, zeros) => {
        const data = Buffer.concat([Buffer.alloc(zeros), bytes])
        expect(bytesOf(base58.encode(data))).toEqual(data)
      },
    ),
    { numRuns: 200 },
  ))

test('text that is no base58 is empty', () =>
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[1-9A-Za-z]{0,40}$/)), (text) => {
      let wanted = Buffer.alloc(0)
      try {
        wanted = Buffer.from(base58.decode(text))
      } catch {}
      expect(bytesOf(text)).toEqual(wanted)
    }),
  ))

const instruction = () => ({ programIdIndex: 1, accounts: [0, 1], data: 'abc', stackHeight: null })
const balance = () => ({ accountIndex: 1, mint: 'm', owner: 'o', uiTokenAmount: { amount: '12', decimals: 6 } })
const whole = () => ({
  transaction: {
    signatures: ['s'],
    message: {
      header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
      accountKeys: ['a', 'b'],
      recentBlockhash: 'h',
      instructions: [instruction()],
    },
  },
  meta: {
    err: null,
    fee: 5000,
    preBalances: [1, '18446744073709551615'],
    postBalances: [1, 2],
    preTokenBalances: [balance()],
    postTokenBalances: [balance()],
    innerInstructions: [{ index: 0, instructions: [instruction()] }],
    loadedAddresses: { writable: ['c'], readonly: [] },
    computeUnitsConsumed: 7,
  },
  version: 'legacy' as unknown,
})

/** Every place of a value, as the object that holds it and its key. */
const placesOf = (value: unknown): [object: Record<string, unknown>, key: string][] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        [value as Record<string, unknown>, key] as [Record<string, unknown>, string],
        ...placesOf(inner),
      ])

test('accepts a transaction exactly if the schema accepts it, whatever a field contains', () => {
  const odd = [undefined, null, '', 'x', '12', '-1', 0, -1, 1.5, 2 ** 53, true, [], {}, [null], 'legacy']
  let refused = 0
  for (let place = 0; place < placesOf(whole()).length; place += 1) {
    for (const value of [...odd, 'gone']) {
      const changed = whole()
      const [object, key] = placesOf(changed)[place]!
      if (value === 'gone') {
        // JSON has no lists with holes.
        if (Array.isArray(object)) continue
        delete object[key]
      }
      if (value !== 'gone') object[key] = value
      const wanted = rawTransaction.safeParse(changed)
      const found = readTransaction(changed)
      expect([key, value, found !== undefined]).toEqual([key, value, wanted.success])
      // What the schema names is what is read of either.
      if (wanted.success) expect(rawTransaction.parse(found)).toEqual(wanted.data)
      else refused += 1
    }
  }
  expect(refused).toBeGreaterThan(200)
})
