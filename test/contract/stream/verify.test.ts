import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { type Block, TABLES } from '../../../schema/block.ts'
import { digestOf } from '../../../schema/tables/chain/digest.ts'
import { storedDigests } from '../../../scorer/ledger/blocks/stored.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { testContext } from '../../kit/context.ts'
import { makeBlock } from '../ingest/chain.ts'
import { setUpInstallation } from './kit.ts'

const { store, assay } = setUpInstallation(['ETH'])

const LAST = 14
let anvil: Anvil
let blocks: Block[]

const insert = async (some: readonly Block[]) => {
  for (const table of TABLES) {
    await store().insert(table, some.flatMap((block) => block.rows[table].map((row) => JSON.stringify(row))).join('\n'))
  }
}

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 1 })
  for (let round = 0; round < LAST; round += 1) await anvil.transfer(BigInt(round + 1))
  await anvil.mine(80)
  const context = testContext()
  const source = createEvmSource({
    context,
    network: 'ETH',
    urls: [anvil.url],
    decode: decodeBlock,
    tokenMetadata: false,
  })
  const numbers = Array.from({ length: LAST + 1 }, (_, number) => number)
  blocks = await Promise.all(numbers.map(async (number) => (await source.block({ number }))!))
  await context.lifecycle.close()
})
afterAll(() => anvil.stop())

const verify = (...args: string[]) =>
  assay(['verify', '--network', 'ETH', ...args], { env: { ETH_RPC_URL: anvil.url } })

test('store and program compute the same digest of rows', async () => {
  const random = createRandom(8)
  const made = Array.from({ length: 6 }, (_, number) => makeBlock('HAQQ', number, '0x', 'digest', random))
  await insert(made)
  for (const table of TABLES) {
    const stored = await storedDigests(store(), 'HAQQ', table, [0, 1, 2, 3, 4, 5])
    const computed = made
      .map(({ number, rows }) => [number, digestOf(table, rows[table])] as const)
      .filter(([, { rows }]) => rows > 0)
    expect(new Map([...stored].sort(([a], [b]) => a - b)), table).toEqual(new Map(computed))
  }
})

test('accepts stored blocks that match the chain; lists and repairs damage', async () => {
  await insert([...blocks, makeBlock('BASE', 1, '0x', 'of another network', createRandom(9))])
  const right = await verify()
  expect(right).toMatchObject({ code: 0, err: '' })
  expect(right.out).toContain(`${LAST + 1} blocks of ETH: ${LAST + 1} compared with the chain, 0 differences.`)
  expect(right.out).toContain('The aggregates of ETH match the base tables.')

  // A forged amount, a lost block, a doubled one, a block of another branch, and a state that no row gives.
  await store().command("ALTER TABLE ledger UPDATE amount = 7777 WHERE network = 'ETH' AND block_number = 3")
  for (const table of TABLES) {
    await store().command('DELETE FROM {table:Identifier} WHERE network = {network:String} AND block_number = 5', {
      table,
      network: 'ETH',
    })
  }
  await insert(blocks.filter(({ number }) => number === 7))
  await store().command("ALTER TABLE blocks UPDATE block_hash = '0xother' WHERE network = 'ETH' AND block_number = 9")
  await store().insert('wallet_features', JSON.stringify({ network: 'ETH', address: '0xnobody', sent: '3' }))

  const wrong = await verify('--json')
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_VERIFY_DIFFERENCES') })
  expect(JSON.parse(wrong.out)).toMatchObject({
    findings: expect.arrayContaining([{ number: 5, what: 'is not stored', repairable: true }]),
    tables: expect.arrayContaining([expect.objectContaining({ table: 'wallet_features' })]),
    repaired: false,
  })
  expect(wrong.err).toContain('block 3 has rows in table ledger that differ from the chain')
  expect(wrong.err).toContain('block 5 is not stored')
  expect(wrong.err).toContain('block 7 is stored 2 times')
  expect(wrong.err).toMatch(/block 9 is 0xother, but on the chain it is 0x[0-9a-f]{64}/)
  expect(wrong.err).toMatch(/block 10 has parent 0x[0-9a-f]{64}, but block 9 is 0xother/)
  expect(wrong.err).toMatch(/table wallet_features has \d+ rows that do not match the base tables/)

  const fixed = await verify('--fix')
  expect(fixed).toMatchObject({ code: 0, err: '' })
  expect(fixed.out).toContain('5 blocks were fetched from the chain again')
  const again = await verify('--json')
  expect(again.err).toContain(`${LAST + 1} blocks of ETH: ${LAST + 1} compared with the chain, 0 differences.`)
  const counts = { blocks: LAST + 1, compared: LAST + 1 }
  expect(JSON.parse(again.out)).toEqual({ network: 'ETH', ...counts, findings: [], tables: [], repaired: false })
  expect(await store().query("SELECT count() AS rows FROM blocks WHERE network = 'BASE'")).toEqual([{ rows: '1' }])
}, 300_000)

test('refuses what cannot be verified with a code', async () => {
  expect(await verify('--from', '3')).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_TOOL_OPTION') })
  expect(await verify('--from', '9', '--to', '3')).toMatchObject({
    code: 1,
    err: expect.stringContaining('ASSAY_TOOL_OPTION'),
  })
  const beyond = await verify('--from', '900', '--to', '901')
  expect(beyond).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_VERIFY_NOTHING') })
  const some = await verify('--from', '4', '--to', '6')
  expect(some.out).toContain('3 blocks of ETH: 3 compared with the chain, 0 differences.')
  const elsewhere = await assay(['verify', '--network', 'BASE'])
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_CONFIG_NO_SOURCE') })
})
