/** What a source believes of nodes that fail, refuse or contradict each other. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../../indexer/source/evm/index.ts'
import { type Clock, systemClock } from '../../../../platform/context/clock.ts'
import { type Anvil, startAnvil } from '../../../kit/chain/anvil.ts'
import { type Faults, startReplayNode } from '../../../kit/chain/replay-node.ts'
import { counted, testContext } from '../../../kit/context.ts'

const open: (() => Promise<unknown>)[] = []
let anvil: Anvil
beforeEach(async () => {
  anvil = await startAnvil()
  await anvil.mine(20)
  await anvil.transfer()
})
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
  await anvil.stop()
})

const nodeOf = async (faults: Faults, proxy = anvil.url) => {
  const node = await startReplayNode({ proxy }, { faults })
  open.push(node.stop)
  return node
}

const sourceOf = (
  urls: string[],
  { clock = systemClock, aloneAfterMs }: { clock?: Clock; aloneAfterMs?: number } = {},
) => {
  const context = testContext(clock)
  const options = { context, network: 'ETH', urls, decode: decodeBlock, tokenMetadata: false } as const
  const source = createEvmSource({ ...options, aloneAfterMs })
  return { context, source }
}

describe('traces', () => {
  const HEIGHT = 21
  const METHODS = ['trace_block', 'debug_traceBlockByNumber']
  const always = (code: number, message: string): Faults => ({
    failing: Object.fromEntries(
      METHODS.map((method) => [method, Array.from({ length: 99 }, () => ({ code, message }))]),
    ),
  })

  test.each([
    ['a time-out that advertises the paid tier', 30, 'Request timeout on the free tier, please upgrade your tier'],
    ['an internal error', -32_603, 'internal error'],
    ['one answer that the method is missing', -32_601, 'the method trace_block does not exist'],
    ['a forgotten state, once', -32_000, 'missing trie node'],
  ])('after %s the block still comes with traces', async (_, code, message) => {
    const node = await nodeOf({ failing: { trace_block: [{ code, message }] } })
    const { source } = sourceOf([node.url])
    expect((await source.raw({ number: HEIGHT }))?.traces).toHaveLength(1)
  })

  test('a node that keeps failing to trace blocks the block until it works again', async () => {
    const node = await nodeOf(always(-32_000, 'trace timed out'))
    const { source } = sourceOf([node.url])
    await expect(source.raw({ number: HEIGHT })).rejects.toMatchObject({ code: 'ASSAY_SOURCE_TRACES_UNAVAILABLE' })
    node.misbehave({})
    expect((await source.raw({ number: HEIGHT }))?.traces).toHaveLength(1)
  })

  test.each([
    ['offers none', -32_601, 'the method does not exist'],
    ['has forgotten the state', -32_000, 'required historical state unavailable'],
  ])('accepts a block without traces when every node %s', async (_, code, message) => {
    const nodes = [await nodeOf(always(code, message)), await nodeOf(always(code, message))]
    const { source, context } = sourceOf(nodes.map(({ url }) => url))
    expect((await source.block({ number: HEIGHT }))?.rows.blocks).toMatchObject([{ sees_traces: 0 }])
    expect(await counted(context, 'assay_source_blocks_without_traces_total')).toBe(1)
  })

  test('does not ask a node without traces while one with traces fails temporarily', async () => {
    const without = await nodeOf({ missing: METHODS })
    const failing = await nodeOf({ ...always(-32_000, 'trace timed out'), delayMs: 5 })
    const { source } = sourceOf([without.url, failing.url])
    await expect(source.raw({ number: HEIGHT })).rejects.toMatchObject({ code: 'ASSAY_SOURCE_TRACES_UNAVAILABLE' })
    failing.misbehave({})
    expect((await source.raw({ number: HEIGHT }))?.traces).toHaveLength(1)
  })

  test('a missing ability of an endpoint still counts after the endpoint goes down', async () => {
    const [dying, left] = [await nodeOf({ missing: METHODS }), await nodeOf({ missing: METHODS })]
    let later = 0
    const clock = { ...systemClock, now: () => systemClock.now() + later }
    const { source } = sourceOf([dying.url, left.url], { clock })
    expect((await source.raw({ number: HEIGHT }))?.traces).toBeUndefined()
    await dying.stop()
    for (let hours = 1; hours <= 3; hours += 1) {
      later = hours * 3_700_000
      expect(await source.raw({ number: HEIGHT })).toMatchObject({ traces: undefined })
    }
  })

  test('waits for an endpoint that never answered only if nodes of the network support traces', async () => {
    const dead = await nodeOf({})
    await dead.stop()
    for (const missing of [METHODS, []]) {
      const node = await nodeOf({ missing })
      const source = createEvmSource({
        context: testContext(),
        network: 'HAQQ',
        urls: [dead.url, node.url],
        decode: decodeBlock,
        tokenMetadata: false,
      })
      for (const number of [HEIGHT - 1, HEIGHT]) {
        const sees_traces = missing.length > 0 ? 0 : 1
        expect((await source.block({ number }))?.rows.blocks).toMatchObject([{ sees_traces }])
      }
    }
    const { source } = sourceOf([dead.url, (await nodeOf({ missing: METHODS })).url])
    await expect(source.raw({ number: HEIGHT })).rejects.toMatchObject({ code: 'ASSAY_SOURCE_TRACES_UNAVAILABLE' })
  })
})

describe('the final block', () => {
  const finalOf = (faults: Faults[]) => Promise.all(faults.map((each) => nodeOf(each)))

  test('with one endpoint is the block that it reports', async () => {
    const [node] = await finalOf([{ finalized: { number: 15 } }])
    expect((await sourceOf([node!.url]).source.finalizedHead()).number).toBe(15)
  })

  test.each([
    ['two that agree', [12, 12], 12],
    ['one that is ahead', [20, 12], 12],
    ['one of three that is far behind', [14, 13, 1], 13],
  ])('with %s is a block that a second host also reports', async (_, heights, expected) => {
    const nodes = await finalOf(heights.map((number) => ({ finalized: { number } })))
    const { source } = sourceOf(nodes.map(({ url }) => url))
    expect((await source.finalizedHead()).number).toBe(expected)
  })

  test('ignores a host on another chain, and waits for a second one', async () => {
    const stranger = await startAnvil({ args: ['--timestamp', '1600000000'] })
    open.push(stranger.stop)
    await stranger.mine(20)
    const [honest] = await finalOf([{ finalized: { number: 12 } }])
    const other = await nodeOf({ finalized: { number: 15 } }, stranger.url)
    const { source } = sourceOf([honest!.url, other.url])
    await expect(source.finalizedHead()).rejects.toMatchObject({ code: 'ASSAY_SOURCE_FINALITY_UNCONFIRMED' })
  })

  test('stays at the last confirmed block while the second host is down, up to the window of the network', async () => {
    const nodes = await finalOf([{ finalized: { number: 12 } }, { finalized: { number: 12 } }])
    const { source } = sourceOf(nodes.map(({ url }) => url))
    expect((await source.finalizedHead()).number).toBe(12)
    nodes[0]!.misbehave({ finalized: { number: 18 } })
    nodes[1]!.misbehave({ badGateway: 1 })
    expect((await source.finalizedHead()).number).toBe(12)
    await anvil.mine(200)
    await expect(source.finalizedHead()).rejects.toMatchObject({ code: 'ASSAY_SOURCE_FINALITY_UNCONFIRMED' })
  })

  test('follows the only host that answers after exactly the configured time', async () => {
    const nodes = await finalOf([{ finalized: { number: 12 } }, { finalized: { number: 12 } }])
    let now = Date.now()
    const clock: Clock = { ...systemClock, now: () => now }
    const { source } = sourceOf(
      nodes.map(({ url }) => url),
      { clock, aloneAfterMs: 600_000 },
    )
    expect((await source.finalizedHead()).number).toBe(12)
    nodes[0]!.misbehave({ finalized: { number: 18 } })
    nodes[1]!.misbehave({ badGateway: 1 })
    expect((await source.finalizedHead()).number).toBe(12)
    now += 599_000
    expect((await source.finalizedHead()).number).toBe(12)
    now += 2_000
    expect((await source.finalizedHead()).number).toBe(18)
    nodes[1]!.misbehave({ finalized: { number: 19 } })
    nodes[0]!.misbehave({ finalized: { number: 20 } })
    now += 60_000
    expect((await source.finalizedHead()).number).toBe(19)
  })

  test('never follows a single host that contradicted another one', async () => {
    const stranger = await startAnvil({ args: ['--timestamp', '1600000000'] })
    open.push(stranger.stop)
    await stranger.mine(20)
    const [honest] = await finalOf([{ finalized: { number: 12 } }])
    const other = await nodeOf({ finalized: { number: 15 } }, stranger.url)
    let now = Date.now()
    const clock: Clock = { ...systemClock, now: () => now }
    const { source } = sourceOf([honest!.url, other.url], { clock, aloneAfterMs: 600_000 })
    const unconfirmed = { code: 'ASSAY_SOURCE_FINALITY_UNCONFIRMED' }
    await expect(source.finalizedHead()).rejects.toMatchObject(unconfirmed)
    other.misbehave({ badGateway: 1 })
    await expect(source.finalizedHead()).rejects.toMatchObject(unconfirmed)
    now += 601_000
    await expect(source.finalizedHead()).rejects.toMatchObject(unconfirmed)
  })

  test('is refused if its hash is not that of its header', async () => {
    const [node] = await finalOf([{ finalized: { number: 15, hash: `0x${'ab'.repeat(32)}` } }])
    const source = sourceOf([node!.url]).source
    await expect(source.finalizedHead()).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
  })
})
