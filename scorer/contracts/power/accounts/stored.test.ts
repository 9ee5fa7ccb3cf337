import { expect, test } from 'vitest'
import type { ChainReader } from '../../chain/chain.ts'
import { emptyFacts, type FunctionFacts, type SlotRow, wordHex } from '../../code/abstract/facts.ts'
import { readStored } from './stored.ts'

const TOKEN = `0x${'70'.repeat(20)}`
const who = (slot: bigint): string => wordHex(0x10_0000_0000n + slot)
/** A chain with an account in every slot, and the slots that were read. */
const chainOf = () => {
  const asked: string[] = []
  const slot = async (_: string, place: string) => {
    asked.push(place)
    return who(BigInt(place))
  }
  return { chain: { slot } as unknown as ChainReader, asked }
}
const functionOf = (more: Partial<FunctionFacts>): FunctionFacts => ({
  ...emptyFacts('0x00000001', 1, { notes: 0, incomplete: false }),
  ...more,
})
const slotOf = (slot: bigint) => ({ slot: wordHex(slot), shift: 0, kind: 'address' as const })
const row = (from: bigint): SlotRow => ({ kind: 'words', base: '', from, times: 1n, shift: 0, maxLength: 3 })

test('adds each member of a row to the slots compared with the caller', async () => {
  const { chain } = chainOf()
  const { functions, stored } = await readStored(chain, TOKEN, [functionOf({ callerRows: [row(10n)] })])
  const slots = functions[0]?.callerSlots.map(({ slot }) => BigInt(slot)) ?? []
  expect(slots).toEqual(expect.arrayContaining([10n, 11n, 12n]))
  expect(stored.get(`${wordHex(11n)}:0`)).toBe(`0x${who(11n).slice(-40)}`)
  expect(functions[0]?.byUnknown).toBe(false)
})

test('reads few slots of a contract with thousands of rows, and leaves the other rows without a length', async () => {
  const { chain, asked } = chainOf()
  const many = Array.from({ length: 2_048 }, (_, f) =>
    functionOf({ callerRows: Array.from({ length: 8 }, (_, n) => row(BigInt(1_000 * (8 * f + n)))) }),
  )
  const { functions } = await readStored(chain, TOKEN, many)
  expect(asked.length).toBeLessThan(400)
  expect(functions.at(-1)?.callerRows.every(({ maxLength }) => maxLength === undefined)).toBe(true)
})

test('reads a row that many functions share once', async () => {
  const { chain, asked } = chainOf()
  const { functions } = await readStored(
    chain,
    TOKEN,
    Array.from({ length: 100 }, () => functionOf({ callerRows: [row(10n)] })),
  )
  expect(asked.length).toBeLessThan(10)
  expect(functions.at(-1)?.callerSlots.length).toBeGreaterThanOrEqual(3)
})

test('a function that obeys a slot beyond the limit obeys unknown accounts, however many decoys there are', async () => {
  const { chain } = chainOf()
  const decoys = Array.from({ length: 70 }, (_, n) =>
    functionOf({ callerSlots: [slotOf(BigInt(n))], reads: [slotOf(BigInt(500 + n))] }),
  )
  const { functions } = await readStored(chain, TOKEN, decoys)
  expect(functions.filter(({ byUnknown }) => byUnknown)).toEqual(functions.slice(64))
})
