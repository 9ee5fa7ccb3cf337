import { readFileSync } from 'node:fs'
import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bytesOf } from '../bytecode.ts'
import { interpret } from '../interpret.ts'

const file = new URL('../../../../test/kit/contracts/tokens/vyper-token.json', import.meta.url)
const { runtime } = z
  .object({ runtime: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(file, 'utf8')))
const SIGNATURES = [
  ...[
    'name()',
    'symbol()',
    'decimals()',
    'totalSupply()',
    'balanceOf(address)',
    'allowance(address,address)',
    'owner()',
  ],
  ...['transfer(address,uint256)', 'transferFrom(address,address,uint256)', 'approve(address,uint256)'],
]
const HARVEST = toFunctionSelector('harvest(address,uint256)')

test.each(['gas', 'codesize', 'none'])(
  'finds functions, arguments and guards of Vyper code optimized for %s',
  (mode) => {
    const { functions, complete } = interpret(bytesOf(runtime[mode] ?? ''))
    expect(complete).toBe(true)
    const found = functions.map(({ selector }) => selector).filter((selector) => selector !== 'fallback')
    expect(found.sort()).toEqual([...SIGNATURES.map((one) => toFunctionSelector(one)), HARVEST].sort())
    expect(functions.find(({ selector }) => selector === HARVEST)).toMatchObject({
      args: ['address', 'uint'],
      writes: true,
      callerSlots: [{ kind: 'address' }],
    })
    expect(functions.find(({ selector }) => selector === '0x70a08231')?.maps).toHaveLength(1)
  },
)

test('a table without valid jump destinations is not followed and leaves the facts incomplete', () => {
  // CALLDATALOAD(0) >> 224 modulo 3, doubled, added to 0x30: two bytes of the code from there are the destination.
  const dispatcher = '5f3560e01c6002600382066001 1b603001601e395f5156'.replace(' ', '')
  expect(interpret(bytesOf(`0x${dispatcher}${'00'.repeat(64)}`)).complete).toBe(false)
})
