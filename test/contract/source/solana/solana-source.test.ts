/** What only nodes of Solana do: slots without a block, their error codes, versions, heights that are found by slot. */
import { afterEach, describe, expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/solana/decode/index.ts'
import { createSolanaSource } from '../../../../indexer/source/solana/index.ts'
import {
  type ChainOptions,
  createSolanaChain,
  type SolanaNode,
  startSolanaNode,
} from '../../../kit/chain/solana/solana-node.ts'
import { pay, vote } from '../../../kit/chain/solana/solana-transactions.ts'
import { counted, testContext } from '../../../kit/context.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const start = async (options: ChainOptions = {}, genesisHash?: string) => {
  const chain = createSolanaChain({ fill: () => [], ...options })
  const node = await startSolanaNode(chain, genesisHash === undefined ? {} : { genesisHash })
  open.push(node.stop)
  const context = testContext()
  const source = createSolanaSource({ context, network: 'SOLANA', urls: [node.url], decode: decodeBlock })
  return { chain, node, source, context }
}

/** Nodes of one chain of 60 blocks, the last 20 of them not final, and a source over all. */
const startNodes = async (count: number) => {
  const chain = createSolanaChain({ fill: () => [] })
  chain.grow(59)
  chain.finalize(20)
  const nodes: SolanaNode[] = []
  for (let node = 0; node < count; node += 1) nodes.push(await startSolanaNode(chain))
  open.push(...nodes.map(({ stop }) => stop))
  const context = testContext()
  const source = createSolanaSource({
    context,
    network: 'SOLANA',
    urls: nodes.map(({ url }) => url),
    decode: decodeBlock,
  })
  const readAll = async () => {
    for (const { number, hash, parentHash } of chain.blocks()) {
      expect(await source.block({ number })).toMatchObject({ number, hash, parentHash })
      expect(await source.ref(number)).toMatchObject({ number, hash, parentHash })
    }
  }
  return { chain, nodes, source, context, readAll }
}
/** States heights that are wrong by so many, in every answer. Nothing in a block of Solana contradicts it. */
const misstate = (node: SolanaNode | undefined, by: number) =>
  node?.tamper(
    by === 0
      ? undefined
      : (method, _, result) =>
          method === 'getBlock'
            ? { ...(result as object), blockHeight: (result as { blockHeight: number }).blockHeight + by }
            : result,
  )

test('refuses a node of another cluster by its genesis hash', async () => {
  const { source } = await start({}, 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG')
  await expect(source.verify()).rejects.toMatchObject({
    code: 'ASSAY_SOURCE_WRONG_CHAIN',
    message: expect.stringContaining('EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'),
  })
})

test('numbers blocks by height: empty slots leave no gap and need no extra request', async () => {
  const { chain, node, source } = await start()
  for (let each = 0; each < 30; each += 1) chain.add([], each % 3)
  const blocks = chain.blocks()
  for (const { number, hash, parentHash } of blocks) {
    expect(await source.block({ number })).toMatchObject({ number, hash, parentHash })
  }
  expect(node.calls.get('getBlocksWithLimit')).toBeLessThanOrEqual(3)
  expect(blocks.at(-1)!.slot - blocks[0]!.slot).toBeGreaterThan(blocks.length)
})

test('a cluster that stood still for days leaves a gap of slots but not of blocks', async () => {
  const { chain, source } = await start()
  for (let each = 0; each < 4; each += 1) chain.add([], 700_000)
  for (const { number, hash } of chain.blocks()) expect(await source.ref(number)).toMatchObject({ number, hash })
})

test('takes finality from the node, without counting', async () => {
  const { chain, source } = await start()
  chain.grow(200)
  expect((await source.finalizedHead()).number).toBe(chain.blocks()[0]!.number)
  chain.finalize(150)
  expect((await source.finalizedHead()).number).toBe(chain.tip().number - 150)
  chain.finalize()
  expect((await source.finalizedHead()).number).toBe(chain.tip().number)
})

test('finds any height of a long history in a few requests', async () => {
  const { chain, node, source } = await start({ slot: 0, number: 0 })
  for (let each = 0; each < 60_000; each += 1) chain.add([], each % 11 === 0 ? (each % 7) + 1 : 0)
  chain.finalize()
  for (const number of [59_999, 3, 31_415, 12_000, 45_678]) {
    const before = [...node.calls.values()].reduce((sum, one) => sum + one, 0)
    expect(await source.ref(number)).toMatchObject({ number, hash: chain.blocks()[number]!.hash })
    expect([...node.calls.values()].reduce((sum, one) => sum + one, 0) - before).toBeLessThanOrEqual(12)
  }
})

test.each([
  [-32004, 'Block not available for slot 1'],
  [-32014, 'Block status not yet available for slot 1'],
  [-32007, 'Slot 1 was skipped, or missing due to ledger jump to recent snapshot'],
  [-32009, 'Slot 1 was skipped, or missing in long-term storage'],
  [-32001, 'Block 1 cleaned up, does not exist on node. First available block: 2'],
  [-32011, 'Transaction history is not available from this node'],
  [-32016, 'Minimum context slot has not been reached'],
])('a block refused with %i is absent, and present when requested again', async (code, message) => {
  const { chain, node, source } = await start()
  chain.grow(3)
  const { number, hash } = chain.tip()
  await source.head()
  // A slot that is said to be skipped is looked up once more before it counts.
  const skipped = code === -32007 || code === -32009
  node.fail('getBlock', ...Array.from({ length: skipped ? 2 : 1 }, () => ({ code, message })))
  expect(await source.block({ number })).toBeUndefined()
  expect(await source.block({ number })).toMatchObject({ hash })
})

test.each([
  [-32005, 'Node is behind by 42 slots'],
  [-32603, 'Internal error'],
  [-32602, 'Invalid param'],
])('requests a block again at once that was refused with %i', async (code, message) => {
  const { chain, node, source } = await start()
  chain.grow(3)
  await source.head()
  node.fail('getBlock', { code, message }, { code, message })
  expect(await source.block({ number: chain.tip().number })).toMatchObject({ hash: chain.tip().hash })
})

test('uses the previous slot when the newest is not available yet', async () => {
  const { chain, node, source } = await start()
  chain.grow(6)
  const [before] = chain.blocks().slice(-2)
  node.fail('getBlock', { code: -32004, message: 'Block not available for slot 1' })
  expect(await source.head()).toMatchObject({ hash: before!.hash })
  expect(await source.head()).toMatchObject({ hash: chain.tip().hash })
})

test('requests a newer transaction version after a block needs it', async () => {
  const { chain, node, source } = await start()
  const newer = { ...pay('alice', 'bob', 1_000n), version: 3 }
  const { number } = chain.add([newer])
  const block = await source.block({ number })
  expect(block?.rows.transactions).toMatchObject([{ type: 0x83 }])
  await source.block({ number: chain.add([newer]).number })
  expect(node.calls.get('getBlock')).toBeLessThanOrEqual(5)
})

test('counts a transaction of unknown shape, and marks its block as incomplete', async () => {
  const { chain, source, context } = await start()
  const strange = { transaction: 'base64', meta: { unheard: true } }
  const { number } = chain.add([pay('alice', 'bob', 1_000n), strange, vote('validator')])
  const block = await source.block({ number })
  expect(block?.rows.transactions).toHaveLength(1)
  expect(block?.rows.blocks).toMatchObject([{ transaction_count: 3, sees_traces: 0 }])
  expect(await counted(context, 'assay_source_unreadable_transactions_total')).toBe(1)
  expect(await counted(context, 'assay_source_votes_total')).toBe(1)
})

test('detects a node that does not record inner instructions', async () => {
  const { chain, source } = await start()
  const blind = pay('alice', 'bob', 1_000n)
  blind.meta.innerInstructions = null
  const { number } = chain.add([blind])
  expect((await source.block({ number }))?.rows.blocks).toMatchObject([{ sees_traces: 0 }])
})

test('after a fork replaced blocks, reads the same heights in their new slots', async () => {
  const { chain, source } = await start()
  chain.grow(30)
  chain.finalize(20)
  await source.head()
  const old = chain.blocks().slice(-4)
  for (const { number } of old) await source.block({ number })
  chain.fork(4)
  const renewed = chain.blocks().filter(({ number }) => number >= old[0]!.number)
  expect(renewed.map(({ slot }) => slot)).not.toEqual(old.map(({ slot }) => slot))
  for (const { number, hash, parentHash } of renewed) {
    expect(await source.block({ number })).toMatchObject({ hash, parentHash })
  }
})

test.each([0, 1, 1_000])('refuses a block whose parent slot is %i above its own', async (above) => {
  const { chain, node, source, context } = await start()
  chain.grow(3)
  await source.head()
  node.tamper((method, [slot], result) =>
    method === 'getBlock' ? { ...(result as object), parentSlot: Number(slot) + above } : result,
  )
  await expect(source.block({ number: chain.tip().number })).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
  expect(await counted(context, 'assay_rpc_inconsistent_total', { check: 'parent_slot' })).toBeGreaterThan(0)
})

describe('a node that reports wrong heights', () => {
  test.each([1, -1])(
    'from the start, by %i: waits for two hosts that disagree, and reads once they agree',
    async (by) => {
      const { nodes, source, readAll, chain } = await startNodes(2)
      const [liar] = nodes
      misstate(liar, by)
      const unconfirmed = { code: 'ASSAY_SOURCE_FINALITY_UNCONFIRMED' }
      await source.head()
      await expect(source.finalizedHead()).rejects.toMatchObject(unconfirmed)
      for (const { number } of chain.blocks().slice(0, 3)) {
        await expect(source.block({ number })).rejects.toMatchObject(unconfirmed)
        await expect(source.ref(number)).rejects.toMatchObject(unconfirmed)
      }
      misstate(liar, 0)
      await readAll()
      expect(await source.head()).toMatchObject({ number: chain.tip().number, hash: chain.tip().hash })
      expect(await source.finalizedHead()).toMatchObject({ hash: chain.finalized().hash })
    },
  )

  test.each([1, -1])(
    'from the start, by %i, is outvoted by two others, and trusted again once it is right',
    async (by) => {
      const { nodes, source, context, readAll, chain } = await startNodes(3)
      const [liar, ...honest] = nodes
      misstate(liar, by)
      await readAll()
      expect(await source.head()).toMatchObject({ number: chain.tip().number, hash: chain.tip().hash })
      expect(await counted(context, 'assay_rpc_inconsistent_total')).toBeGreaterThan(0)
      misstate(liar, 0)
      for (const { stop } of honest) await stop()
      const { number, hash } = chain.tip()
      expect(await source.block({ number })).toMatchObject({ hash })
    },
  )

  test.each([1, -1])('later, by %i, hides no block and moves no head, on either side of a fork', async (by) => {
    const { nodes, source, context, readAll, chain } = await startNodes(2)
    await readAll()
    for (const liar of nodes) {
      misstate(liar, by)
      for (let time = 0; time < 3; time += 1) {
        chain.grow(2)
        expect(await source.head()).toMatchObject({ number: chain.tip().number, hash: chain.tip().hash })
        chain.fork(3)
        expect(await source.head()).toMatchObject({ number: chain.tip().number, hash: chain.tip().hash })
      }
      await readAll()
      misstate(liar, 0)
    }
    expect(await counted(context, 'assay_rpc_inconsistent_total')).toBeGreaterThan(0)
  })

  test('is not trusted when both do, however often it is asked, and the truth is read afterwards', async () => {
    const { nodes, source, readAll, chain } = await startNodes(2)
    await source.finalizedHead()
    for (const node of nodes) misstate(node, 1)
    for (const { number } of chain.blocks().slice(-2)) {
      await expect(source.block({ number })).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
    }
    for (const node of nodes) misstate(node, 0)
    await readAll()
  })

  test('a single host that was wrong before the first read leaves nothing behind', async () => {
    const { nodes, source, chain, readAll } = await startNodes(1)
    misstate(nodes[0], 1)
    await source.head()
    expect(await source.ref(chain.tip().number + 50)).toBeUndefined()
    misstate(nodes[0], 0)
    await readAll()
  })
})
