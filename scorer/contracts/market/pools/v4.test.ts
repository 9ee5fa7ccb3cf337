import { encodeAbiParameters, encodePacked, keccak256, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import type { ChainReader } from '../../chain/chain.ts'
import { readV4Ranges } from './v4.ts'

const POOL = `0x${'1d'.repeat(32)}` as const
const OWNER = `0x${'a1'.repeat(20)}` as const
const RANGE = { manager: OWNER, id: 7n, lower: -887_220, upper: 60 }
const HELD = 12_345n

/** Storage of a singleton with one position, hashed as its library hashes it. */
const singleton = (slot: bigint, packed: `0x${string}`): ChainReader => {
  const pool = keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [POOL, slot]))
  const positions = numberToHex(BigInt(pool) + 6n, { size: 32 })
  const words = [{ type: 'bytes32' }, { type: 'bytes32' }] as const
  const place = keccak256(encodeAbiParameters(words, [keccak256(packed), positions]))
  // `extsload(bytes32[])`: selector, offset, length, slots.
  const call = async ({ data }: { data: string }) => {
    const slots = data.slice(10 + 128).match(/.{64}/g) ?? []
    const answers = slots.map((asked) => (`0x${asked}` === place ? HELD : 0n).toString(16).padStart(64, '0'))
    return `0x${'0'.repeat(62)}20${slots.length.toString(16).padStart(64, '0')}${answers.join('')}`
  }
  return { call } as unknown as ChainReader
}

const salt = numberToHex(RANGE.id, { size: 32 })

test('position keys hash the owner first in V4, and the ticks first in Infinity', async () => {
  const v4 = singleton(
    6n,
    encodePacked(['address', 'int24', 'int24', 'bytes32'], [OWNER, RANGE.lower, RANGE.upper, salt]),
  )
  const infinity = singleton(
    4n,
    encodePacked(['int24', 'int24', 'address', 'bytes32'], [RANGE.lower, RANGE.upper, OWNER, salt]),
  )
  const held = (chain: ChainReader, kind: 'v4' | 'infinity-cl') => readV4Ranges(chain, kind, OWNER, POOL, [RANGE])
  expect(await held(v4, 'v4')).toEqual([HELD])
  expect(await held(infinity, 'infinity-cl')).toEqual([HELD])
  expect(await held(infinity, 'v4')).toEqual([0n])
})
