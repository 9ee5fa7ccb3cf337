import { afterEach, expect, test } from 'vitest'
import { createIndexer } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { topics } from '../../../schema/topics.ts'
import { replayTopics } from '../../kit/bus/follow.ts'
import { createMemoryBus, type MemoryBus } from '../../kit/bus/memory-bus.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { type Faults, startReplayNode } from '../../kit/chain/replay-node.ts'
import { counted, testContext } from '../../kit/context.ts'
import { until } from '../../kit/until.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A contract that logs its calldata's length on every call: LOG1 of nothing with topic CALLDATASIZE. */
const LOGGER = '0x6006600c60003960066000f3365f5fa100'

const index = (bus: MemoryBus, urls: string[]) => {
  const context = testContext()
  const source = createEvmSource({ context, network: 'ETH', urls, decode: decodeBlock, pollMs: 200 })
  const indexer = createIndexer({ context, network: 'ETH', source, bus, options: { startBlock: 0, idleMs: 100 } })
  let failure: unknown
  const running = indexer.run().catch((error: unknown) => {
    failure = error
  })
  const stop = async () => {
    await context.lifecycle.close()
    await running
  }
  open.push(stop)
  return { context, stop, status: indexer.status, failure: () => failure }
}

const told = (bus: MemoryBus) => replayTopics(bus.messages(topics.history('ETH')), bus.messages(topics.head('ETH')))

const caughtUp = async (bus: MemoryBus, anvil: Anvil, indexer: ReturnType<typeof index>) => {
  const tip = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
  await until(
    'the published tip is the node’s',
    () => {
      if (indexer.failure()) throw indexer.failure()
      return indexer.status().phase !== 'starting' && told(bus).blocks.at(-1)?.hash === tip.hash
    },
    180_000,
  )
}

const trade = async (anvil: Anvil, rounds: number) => {
  const [from] = await anvil.rpc<string[]>('eth_accounts')
  const created = await anvil.rpc<string>('eth_sendTransaction', { from, data: LOGGER })
  const receipt = await until(
    'the contract exists',
    async () =>
      (await anvil.rpc<{ contractAddress: string } | null>('eth_getTransactionReceipt', created)) ?? undefined,
  )
  for (let round = 0; round < rounds; round += 1) {
    await anvil.rpc('eth_sendTransaction', { from, to: receipt.contractAddress, data: '0x01' })
    await anvil.transfer()
  }
}

const FAULTS: Faults = {
  errors: 0.05,
  emptyLogs: 0.05,
  forgedAmounts: 0.05,
  flippedStatus: 0.05,
  otherBranch: 0.05,
  cutReceipts: 0.05,
  lagging: 0.05,
  tooMany: 0.02,
  badGateway: 0.02,
}

test.each([1, 2, 3])(
  'publishes the true chain from two nodes that each lie and fail once in twenty calls (seed %i)',
  async (seed) => {
    const anvil = await startAnvil()
    open.push(anvil.stop)
    await anvil.mine(60)
    await trade(anvil, 60)
    const liars = await Promise.all(
      [seed, seed + 100].map((each) => startReplayNode({ proxy: anvil.url }, { faults: FAULTS, seed: each })),
    )
    for (const liar of liars) open.push(liar.stop)
    const bus = createMemoryBus()
    const indexer = index(
      bus,
      liars.map(({ url }) => url),
    )
    await caughtUp(bus, anvil, indexer)
    for (const depth of [2, 9, 30]) {
      await anvil.reorg(depth)
      await trade(anvil, 5)
      await caughtUp(bus, anvil, indexer)
    }
    await indexer.stop()

    const truth = createMemoryBus()
    const honest = index(truth, [anvil.url])
    await caughtUp(truth, anvil, honest)
    await honest.stop()
    expect(told(bus).blocks).toEqual(told(truth).blocks)
    expect(await counted(indexer.context, 'assay_rpc_inconsistent_total')).toBeGreaterThan(0)
  },
)

test('a block with failing traces is waited for, visibly, and finally comes with them', async () => {
  const anvil = await startAnvil()
  open.push(anvil.stop)
  await anvil.mine(3)
  const failing = () => Array.from({ length: 200 }, () => ({ code: -32_000, message: 'trace timed out' }))
  const faults = { failing: { trace_block: failing(), debug_traceBlockByNumber: failing() } }
  const node = await startReplayNode({ proxy: anvil.url }, { faults })
  open.push(node.stop)
  const bus = createMemoryBus()
  const indexer = index(bus, [node.url])
  const waiting = await until('the wait shows', () => indexer.status().waiting)
  expect(waiting).toMatchObject({ code: 'ASSAY_SOURCE_TRACES_UNAVAILABLE', since: expect.any(Number) })
  expect(waiting.message).toContain('was not stored without them')
  node.misbehave({})
  await caughtUp(bus, anvil, indexer)
  await until('the wait is over', () => indexer.status().waiting === undefined)
  expect(told(bus).blocks.flatMap(({ rows }) => rows.filter((row) => row.includes('"sees_traces":0')))).toEqual([])
})
