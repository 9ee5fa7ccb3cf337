/** Cells against the reference library, and against bytes of strangers. */
import { beginCell, Cell as Reference } from '@ton/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pay, TON, transactionCell } from '../../../../test/kit/chain/ton/transactions.ts'
import { account } from '../../../../test/kit/chain/ton/wallets.ts'
import { readTransaction } from '../transaction.ts'
import { readBag, writeBag } from './boc.ts'
import { hashOf } from './cell.ts'
import { sliceOf } from './slice.ts'

/** Cells of any bits, some of which share parts. */
const cells = fc.letrec<{ cell: Reference }>((tie) => ({
  cell: fc
    .tuple(
      fc.uint8Array({ maxLength: 127 }),
      fc.integer({ min: 0, max: 7 }),
      fc.array(
        fc.oneof(
          { maxDepth: 4, withCrossShrink: true },
          fc.constant(beginCell().storeUint(5, 9).endCell()),
          tie('cell'),
        ),
        {
          maxLength: 4,
        },
      ),
    )
    .map(([bytes, bits, refs]) => {
      const cell = beginCell().storeBuffer(Buffer.from(bytes)).storeUint(0, bits)
      for (const ref of refs) cell.storeRef(ref)
      return cell.endCell()
    }),
})).cell

const outcomeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    // Anything else would stop the network instead of the node that answered.
    expect(error).toBeInstanceOf(RangeError)
    return undefined
  }
}

test('cells have the hashes of the reference library and survive a round trip', () => {
  fc.assert(
    fc.property(cells, fc.boolean(), fc.boolean(), (reference, idx, crc32) => {
      const cell = readBag(reference.toBoc({ idx, crc32 }))
      expect(hashOf(cell).equals(reference.hash())).toBe(true)
      expect(cell.length).toBe(reference.bits.length)
      expect(Reference.fromBoc(writeBag(cell))[0]!.equals(reference)).toBe(true)
    }),
  )
})

test('reads numbers at any bit offset of a cell', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20 }),
      fc.bigInt({ min: 0n, max: 2n ** 120n - 1n }),
      fc.nat(2 ** 31),
      (lead, coins, number) => {
        const built = beginCell()
          .storeUint(0, lead)
          .storeCoins(coins)
          .storeUint(number, 32)
          .storeInt(-number, 33)
          .storeBuffer(Buffer.from('grain'))
        const slice = sliceOf(readBag(built.endCell().toBoc()))
        slice.skip(lead)
        expect([slice.coins(), slice.uint(32), slice.int(33) + number, slice.bytes(5).toString()]).toEqual([
          coins,
          number,
          0,
          'grain',
        ])
        expect(slice.bitsLeft()).toBe(0)
        expect(() => slice.bit()).toThrow(RangeError)
      },
    ),
  )
})

const printed = transactionCell(
  pay(account('ann'), account('bob'), TON, 'a comment of some length'),
  undefined,
  7n,
  1_700_000_000,
)

/** As text, without functions: readers of a part of a cell are made anew each time. */
const valuesOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one))

test('arbitrary bytes parse as a transaction or are refused', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      (bytes) => void outcomeOf(() => readTransaction(readBag(Buffer.from(bytes)))),
    ),
  )
  const bag = printed.toBoc()
  const hash = printed.hash().toString('hex')
  expect(readTransaction(readBag(bag)).hash).toBe(hash)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bag.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }),
      (changes) => {
        const bytes = Buffer.from(bag)
        for (const [at, by] of changes) bytes[at] = bytes[at]! ^ by
        const found = outcomeOf(() => readTransaction(readBag(bytes)))
        // What is not covered by the hash (sizes that are not read, the checksum) changes nothing.
        if ((found as { hash?: string } | undefined)?.hash === hash)
          expect(valuesOf(found)).toBe(valuesOf(readTransaction(readBag(bag))))
      },
    ),
  )
})
