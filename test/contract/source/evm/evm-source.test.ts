import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/evm/decode/index.ts'
import { createEvmSource, type EvmSourceOptions } from '../../../../indexer/source/evm/index.ts'
import type { Context } from '../../../../platform/context/context.ts'
import type { Network } from '../../../../schema/networks.ts'
import {
  fixturesFolder,
  loadRecordings,
  type Recording,
  recordedChain,
  repeatedChain,
} from '../../../kit/chain/recorded-chain.ts'
import { type Faults, startReplayNode } from '../../../kit/chain/replay-node.ts'
import { counted, testContext } from '../../../kit/context.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const load = (network: string, ...path: string[]): Recording[] => {
  const folder = fixturesFolder(network)
  return folder ? loadRecordings(join(folder, ...path)) : []
}
const withReceipts = (recordings: Recording[]) => recordings.filter(({ receipts }) => receipts !== undefined)

/** Blocks whose authors cut transactions out: they cannot pass checks, and must not. */
const CUT = [3_918_649, 13_367_088, 13_367_153]
const ETHEREUM = withReceipts(load('ethereum'))
const WHOLE = ETHEREUM.filter(({ number }) => !CUT.includes(number))
const skipped = ETHEREUM.length === 0

const nodeOf = async (recordings: readonly Recording[], faults: Faults = {}) => {
  const node = await startReplayNode({ chain: recordedChain(recordings) }, { faults })
  open.push(node.stop)
  return node
}

const sourceOf = (
  context: Context,
  urls: string[],
  network: Network = 'ETH',
  options: Partial<EvmSourceOptions> = {},
) => createEvmSource({ context, network, urls, decode: decodeBlock, tokenMetadata: false, ...options })

describe.skipIf(skipped)('recorded mainnet blocks (skipped without recorded data)', () => {
  test.each(WHOLE.map(({ number }) => number))('block %i passes every check', async (number) => {
    const recording = WHOLE.find((one) => one.number === number)!
    const { url } = await nodeOf([recording])
    const context = testContext()
    const raw = await sourceOf(context, [url]).raw({ number, hash: recording.block.hash })
    expect(raw?.block.hash).toBe(recording.block.hash)
    expect(raw?.receipts).toEqual(recording.receipts)
    expect(raw?.traces !== undefined).toBe(recording.traces.size > 0)
    expect(await counted(context, 'assay_rpc_inconsistent_total')).toBe(0)
  })

  test('a block by hash comes from exactly that fork', async () => {
    const { url } = await nodeOf(WHOLE)
    const { block } = WHOLE[0]!
    const source = sourceOf(testContext(), [url], 'ETH', { traces: false })
    expect((await source.raw({ number: Number(block.number), hash: block.hash }))?.block.hash).toBe(block.hash)
    expect(await source.raw({ number: 5, hash: `0x${'00'.repeat(32)}` })).toBeUndefined()
  })

  test.each(['emptyLogs', 'forgedAmounts', 'flippedStatus', 'otherBranch', 'cutReceipts'] as const)(
    'detects and counts a wrong response (%s), and asks another node',
    async (lie) => {
      const liar = await nodeOf(WHOLE, { [lie]: 1 })
      const honest = await nodeOf(WHOLE, { delayMs: 150 })
      const context = testContext()
      const source = sourceOf(context, [liar.url, honest.url], 'ETH', { traces: false })
      for (const { number, receipts } of WHOLE) expect((await source.raw({ number }))?.receipts).toEqual(receipts)
      expect(await counted(context, 'assay_rpc_inconsistent_total')).toBe(liar.counts.faults)
      expect(liar.counts.faults).toBeGreaterThan(0)
    },
  )

  test('refuses blocks with removed transactions', async () => {
    const cut = ETHEREUM.filter(({ number }) => CUT[0] === number)
    const { url } = await nodeOf(cut)
    const source = sourceOf(testContext(), [url], 'ETH', { traces: false })
    for (const { number } of cut)
      await expect(source.raw({ number })).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
  })

  test('without eth_getBlockReceipts and traces, requests receipts one by one and code of creations', async () => {
    const missing = ['eth_getBlockReceipts', 'trace_block', 'debug_traceBlockByNumber', 'debug_traceBlockByHash']
    const { url, counts } = await nodeOf(WHOLE, { missing })
    const source = sourceOf(testContext(), [url])
    for (const { number, receipts } of WHOLE) {
      const raw = await source.raw({ number })
      expect(raw?.receipts).toEqual(receipts)
      expect(raw?.traces).toBeUndefined()
    }
    // What a node lacks is believed once it has said so twice.
    expect(counts.methods.get('eth_getBlockReceipts')).toBe(2)
    expect(counts.methods.get('trace_block')).toBe(2)
  })

  test('repeated recorded blocks form a linked chain that passes the checks', async () => {
    const node = await startReplayNode({ chain: repeatedChain(WHOLE, { length: 40 }) })
    open.push(node.stop)
    const source = sourceOf(testContext(), [node.url], 'ETH', { traces: false })
    let parent: string | undefined
    for (let number = 1; number <= 40; number += 1) {
      const raw = await source.raw({ number })
      if (parent) expect(raw?.block.parentHash).toBe(parent)
      parent = raw?.block.hash
    }
  })
})

describe.skipIf(!fixturesFolder('haqq'))('Ethermint blocks (skipped without recorded data)', () => {
  const folders = ['ethermint-cronos', 'ethermint-stable', 'ethermint-stable-testnet']
  const blocks = folders.flatMap((folder) =>
    withReceipts(load('haqq', folder)).map((recording) => ({ folder, recording })),
  )

  test.each(blocks.map(({ folder, recording }) => [folder, recording.number] as const))(
    'accepts %s block %i as it is, including missing receipts',
    async (folder, number) => {
      const { recording } = blocks.find((one) => one.folder === folder && one.recording.number === number)!
      const { url } = await nodeOf([recording])
      const block = await sourceOf(testContext(), [url], 'HAQQ').block({ number })
      const statuses = block?.rows.transactions.map(({ status }) => status) ?? []
      expect(statuses).toHaveLength(recording.block.transactions.length)
      expect(statuses.filter((status) => status !== 2)).toHaveLength(recording.receipts!.length)
    },
  )
})

const POLYGON = withReceipts(load('polygon'))

describe.skipIf(POLYGON.length === 0)('Polygon blocks (skipped without recorded blocks and receipts)', () => {
  const blocks = POLYGON
  test.each(blocks.map(({ number }) => number))('block %i passes every check', async (number) => {
    const recording = blocks.find((one) => one.number === number)!
    const { url } = await nodeOf([recording])
    const raw = await sourceOf(testContext(), [url], 'POLYGON').raw({ number })
    expect(raw?.receipts).toHaveLength(recording.receipts!.length)
  })
})

describe.skipIf(!fixturesFolder('base'))('Base blocks (skipped without recorded data)', () => {
  const blocks = withReceipts(load('base', 'base_goerli'))
  test.each(blocks.map(({ number }) => number))('block %i passes every check', async (number) => {
    const recording = blocks.find((one) => one.number === number)!
    const { url } = await nodeOf([recording])
    const raw = await sourceOf(testContext(), [url], 'BASE').raw({ number })
    expect(raw?.receipts).toEqual(recording.receipts)
  })
})
