/** Blocks that threads read are those that are read without them, byte by byte, whatever nodes and threads do. */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/evm/decode/index.ts'
import { createEvmSource, type EvmSourceOptions } from '../../../../indexer/source/evm/index.ts'
import { packRead } from '../../../../indexer/source/evm/threads/packed.ts'
import { type BlockQuestion, readBlock } from '../../../../indexer/source/evm/threads/read.ts'
import { type BlockReader, createBlockReader } from '../../../../indexer/source/evm/threads/reader.ts'
import { packedSource } from '../../../../indexer/source/packed.ts'
import type { Context } from '../../../../platform/context/context.ts'
import { networkInfo } from '../../../../schema/networks.ts'
import { type PackedBlock, packBlock } from '../../../../schema/packed.ts'
import { encodePacked } from '../../../../schema/topics.ts'
import { fixturesFolder, loadRecordings, repeatedChain } from '../../../kit/chain/recorded-chain.ts'
import { type Faults, startReplayNode } from '../../../kit/chain/replay-node.ts'
import { counted, testContext } from '../../../kit/context.ts'
import { haveFixtures, type Recorded, recordedBlocks } from './decode.helpers.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** What goes onto the bus. */
const messagesOf = (block: PackedBlock) => encodePacked([block]).map(({ value, headers }) => [headers, `${value}`])

const questionOf = ({ network, raw, callTraces }: Recorded): BlockQuestion => ({
  network,
  dialect: networkInfo(network).dialect!,
  impersonation: false,
  at: { number: Number(raw.block.number) },
  method: callTraces && 'debug_traceBlockByNumber',
  tokens: true,
})

const bodyOf = ({ block, receipts, callTraces }: Recorded): unknown[] =>
  [block, receipts, ...(callTraces ? [callTraces] : [])].map((result, id) => ({ jsonrpc: '2.0', id, result }))

const readAs = (recorded: Recorded, answer: unknown) =>
  readBlock(Buffer.from(JSON.stringify(answer)), questionOf(recorded))

/** Blocks whose recorders cut transactions out, and Ethermint's with fewer receipts than transactions. */
const CUT = [3_918_649, 13_367_088, 13_367_153]
const isCut = ({ raw, network }: Recorded) =>
  raw.receipts.length < raw.block.transactions.length || (network === 'ETH' && CUT.includes(Number(raw.block.number)))

describe.skipIf(!haveFixtures)('recorded blocks (skipped without recorded data)', () => {
  const all = haveFixtures ? recordedBlocks() : []
  const whole = all.filter((one) => !isCut(one))

  test('a complete response gives the messages of the decoder, on every network', () => {
    expect(new Set(whole.map(({ network }) => network)).size).toBeGreaterThan(2)
    for (const one of whole) {
      const read = readAs(one, bodyOf(one))
      expect(read, one.name).toBeDefined()
      const names = read!.shown.map(({ token, standard }) => ({ token, standard, name: 'ü', symbol: '', decimals: 6 }))
      const codes = new Map(read!.created.map((address) => [address, '0x6001']))
      const expected = packBlock(decodeBlock(one.network, { ...one.raw, codes, tokenMetadata: names }))
      expect(messagesOf(packRead(one.network, read!, codes, names)), one.name).toEqual(messagesOf(expected))
    }
    expect(whole.some((one) => !one.callTraces && readAs(one, bodyOf(one))!.created.length > 0)).toBe(true)
    expect(whole.filter((one) => one.callTraces).length).toBeGreaterThan(4)
  })

  test('leaves incomplete blocks and wrong hashes to the main thread', () => {
    const one = whole.find(({ name }) => name === 'ethereum 17053184')!
    const [block, receipts, traces] = bodyOf(one)
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'later' } }
    const forged = structuredClone(receipts) as { result: { status: string }[] }
    Object.assign(forged.result[0]!, { status: forged.result[0]!.status === '0x1' ? '0x0' : '0x1' })
    const none = { jsonrpc: '2.0', id: 0, result: null }
    const bad = [
      [block, receipts],
      [block, error, traces],
      [block, forged, traces],
      [none, receipts, traces],
      [block, receipts, { ...(traces as object), result: [] }],
      [block, traces, receipts].map((part, id) => ({ ...(part as object), id })),
      block,
      [],
      null,
      'text',
    ]
    for (const answer of bad) expect(readAs(one, answer)).toBeUndefined()
    expect(readBlock(Buffer.from('{"jso'), questionOf(one))).toBeUndefined()
    for (const cut of all.filter(isCut)) expect(readAs(cut, bodyOf(cut))).toBeUndefined()
    // Order of answers is the server's business.
    const [turned, straight] = [readAs(one, [traces, block, receipts])!, readAs(one, [block, receipts, traces])!]
    expect([turned.sections, Buffer.compare(turned.lines, straight.lines)]).toEqual([straight.sections, 0])
  })
})

const BLOCKS = 9
const folder = fixturesFolder('ethereum')

describe.skipIf(!folder)('a source with threads (skipped without recorded data)', () => {
  const recordings = folder ? loadRecordings(folder).filter(({ number }) => !CUT.includes(number)) : []
  const chain = recordings.length > 0 ? repeatedChain(recordings, { length: BLOCKS, traced: true }) : undefined
  const shared = testContext()
  const thread = createBlockReader(shared, { threads: 1, leastBytes: 1, startBytes: 0 })
  afterAll(thread.close)

  const nodeOf = async (faults: Faults = {}) => {
    const node = await startReplayNode({ chain: chain! }, { faults })
    open.push(node.stop)
    return node
  }
  const blocksOf = async (urls: string[], options: Partial<EvmSourceOptions>, context: Context = testContext()) => {
    const source = packedSource(createEvmSource({ context, network: 'ETH', urls, decode: decodeBlock, ...options }))
    const numbers = Array.from({ length: BLOCKS }, (_, at) => at + 1)
    // Tokens ask for their names where they are first met, so that blocks are asked for in order at first.
    const first = await source.block({ number: 1 })
    const others = await Promise.all(numbers.slice(1).map((number) => source.block({ number })))
    return [first, ...others].map((block) => messagesOf(block!))
  }
  const readInThread = (outcome: string) => counted(shared, 'assay_source_thread_blocks_total', { outcome })
  const NO_TRACES = ['trace_block', 'debug_traceBlockByNumber', 'debug_traceBlockByHash']

  test.each([
    ['with traces', {}],
    ['without traces', { missing: NO_TRACES }],
  ])('blocks %s are equal with and without threads', async (_, faults) => {
    const { url } = await nodeOf(faults)
    const before = await readInThread('read')
    const options = { tokenMetadata: false }
    expect(await blocksOf([url], { ...options, reader: thread })).toEqual(await blocksOf([url], options))
    expect((await readInThread('read')) - before).toBeGreaterThan(BLOCKS / 2)
  })

  test('a thread detects a wrong response, and another node is asked', async () => {
    const liar = await nodeOf({ forgedAmounts: 1 })
    const honest = await nodeOf({ delayMs: 5 })
    const context = testContext()
    const options = { tokenMetadata: false }
    expect(await blocksOf([liar.url, honest.url], { ...options, reader: thread }, context)).toEqual(
      await blocksOf([honest.url], options),
    )
    expect(await counted(context, 'assay_rpc_inconsistent_total', { check: 'receipts_root' })).toBe(liar.counts.faults)
  })

  test('reads single blocks and small responses without threads', async () => {
    const { url } = await nodeOf()
    const context = testContext()
    for (const limits of [{ leastBytes: 10_000_000, startBytes: 0 }, { leastBytes: 1 }]) {
      const reader = createBlockReader(context, { threads: 1, ...limits })
      open.push(reader.close)
      await blocksOf([url], { tokenMetadata: false, reader })
    }
    const one = createBlockReader(context, { threads: 1, leastBytes: 1, startBytes: 0 })
    open.push(one.close)
    const source = createEvmSource({ context, network: 'ETH', urls: [url], decode: decodeBlock, reader: one })
    for (const number of [1, 2]) expect((await source.packed!({ number }))?.number).toBe(number)
    expect(await counted(context, 'assay_source_thread_blocks_total')).toBe(0)
    expect(createBlockReader(context, { threads: 0, startBytes: 0 }).takes(Buffer.alloc(1 << 20))).toBe(false)
  })

  test('a block whose thread died is requested again, without excluding an endpoint', async () => {
    const { url } = await nodeOf()
    const context = testContext()
    let failures = 0
    const reader: BlockReader = {
      takes: () => true,
      read: async (body) => (failures++ < 3 ? { failure: 'the thread ended' } : { refused: body }),
      close: async () => undefined,
    }
    const options = { tokenMetadata: false }
    expect(await blocksOf([url], { ...options, reader }, context)).toEqual(await blocksOf([url], options))
    expect(await counted(context, 'assay_rpc_inconsistent_total', { check: 'unread' })).toBe(3)
    expect(await counted(context, 'assay_rpc_errors_total')).toBe(0)
  })
})

test('threads start once the work is worth their start, also after a pause', () => {
  let now = 0
  const clock = { ...testContext().clock, now: () => now }
  const reader = createBlockReader(testContext(clock), { threads: 1, leastBytes: 10, startBytes: 100, idleMs: 50 })
  const offer = (bytes: number) => reader.takes(Buffer.alloc(bytes))
  expect([offer(60), offer(40), offer(10), offer(9), offer(10)]).toEqual([false, false, true, false, true])
  now = 50
  expect(offer(10)).toBe(true)
  now = 101
  expect([offer(60), offer(60)]).toEqual([false, true])
})

test('a thread that hangs or dies fails only its own block, and is replaced', async () => {
  const context = testContext()
  const module = new URL('../../../kit/contracts/hostile/blocks.worker.ts', import.meta.url)
  const reader = createBlockReader(context, { threads: 2, leastBytes: 1, runMs: 1_000, module })
  open.push(reader.close)
  const dialect = networkInfo('ETH').dialect!
  const read = (number: number) =>
    reader.read(Buffer.from(`block ${number}`), {
      ...{ network: 'ETH', dialect, impersonation: false, method: undefined, tokens: false },
      at: { number },
    })
  const HANGS = 5
  const DIES = 6
  const numbers = [1, HANGS, 2, DIES, 3, 4]
  const readings = await Promise.all(numbers.map(read))
  expect(readings).toEqual(
    numbers.map((number) => {
      if (number === HANGS) return { failure: 'the reader of blocks was not done within the deadline' }
      if (number === DIES) return { failure: 'the reader of blocks ended' }
      return { refused: Buffer.from(`block ${number}`) }
    }),
  )
  expect(await counted(context, 'assay_source_thread_blocks_total', { outcome: 'failed' })).toBe(2)
})
