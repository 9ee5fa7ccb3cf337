import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Block } from '../../../schema/block.ts'
import { encodeBlocks, encodeFinal, encodeUndo } from '../../../schema/topics.ts'
import { noStep } from '../../../scorer/ingest/steps.ts'
import { readSettled } from '../../../scorer/ledger/reading/settled.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { makeBlock } from './chain.ts'
import { createMover, createSteppedClock, createTestHead, emptyBlocks, hotTierDeps } from './mover.kit.ts'

let kit: TestStore
/** Leases end here when they are released, however slow the machine is. */
let store: Store
beforeAll(async () => {
  kit = await openTestStore()
  store = {
    ...kit.store,
    insert: (table, rows, options) => {
      const lasting = table === 'read_leases' ? { ...JSON.parse(rows.toString()), until: '2100-01-01 00:00:00' } : {}
      return kit.store.insert(table, table === 'read_leases' ? JSON.stringify(lasting) : rows, options)
    },
  }
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const start = async (blocks = 40) => {
  const clock = createSteppedClock()
  const mover = await createMover({ store, network: 'ETH', clock }, emptyBlocks('ETH', 1, blocks))
  return { clock, ...mover }
}
const lease = (row: object) =>
  kit.store.insert(
    'read_leases',
    JSON.stringify({ network: 'ETH', reader: 'r', released: 0, until: '2100-01-01 00:00:00', ...row }),
  )

test('a due move waits for a read with a lease, up to its limit', async () => {
  const { settled, tick } = await start()
  await tick(5_000)
  expect(settled()).toBe(1)
  await lease({})
  await tick(5_000)
  await tick(4_999)
  expect(settled()).toBe(1)
  await tick(1)
  expect(settled()).toBe(4)
  await tick(5_000)
  expect(settled()).toBe(4)
  await lease({ released: 1 })
  await tick(0)
  expect(settled()).toBe(6)
})

test('a clock set back delays no move', async () => {
  const { clock, settled, tick } = await start()
  await tick(5_000)
  clock.pass(-3_600_000)
  await tick(0)
  await tick(5_000)
  expect(settled()).toBe(3)
})

test('moves blocks with rows soon, empty ones later', async () => {
  const clock = createSteppedClock()
  const { head, apply } = createTestHead({ ...hotTierDeps(store, 'ETH', noStep), clock })
  const wait = async (ms: number) => {
    clock.pass(ms)
    await head.settle()
    return head.settled()
  }
  const final = ({ number, hash }: Block) => encodeFinal('ETH', number, hash)
  const filled = (number: number, parent: Block) =>
    makeBlock('ETH', number, parent.hash, 'filled', createRandom(number), { transactions: 1 })
  const empty = (number: number, parent: Block): Block => {
    const [block] = emptyBlocks('ETH', number, 1) as [Block]
    const blocks = block.rows.blocks.map((row) => ({ ...row, parent_hash: parent.hash }))
    return { ...block, parentHash: parent.hash, rows: { ...block.rows, blocks } }
  }
  const [one, two, three] = emptyBlocks('ETH', 1, 3) as [Block, Block, Block]
  // What was hot before is not known to be empty.
  await apply([...encodeBlocks([one]), final(one)])
  expect(await wait(5_000)).toBe(1)
  await apply([...encodeBlocks([two]), final(two)])
  expect(await wait(5_000)).toBe(1)
  expect(head.mayBeDue()).toBe(false)
  expect(await wait(174_999)).toBe(1)
  expect(await wait(1)).toBe(2)
  // A filled one takes the empty one below it along.
  const four = filled(4, three)
  await apply([...encodeBlocks([three, four]), final(four)])
  expect(await wait(5_000)).toBe(4)
  // A reorg puts a filled one into the place of an empty one.
  const five = empty(5, four)
  const other = filled(5, four)
  await apply([...encodeBlocks([five])])
  expect(await wait(5_000)).toBe(4)
  await apply([encodeUndo('ETH', 5, 5, four.hash), ...encodeBlocks([other]), final(other)])
  expect(await wait(5_000)).toBe(5)
  // One that is not final hurries nothing below it.
  const six = empty(6, other)
  const seven = filled(7, six)
  await apply([...encodeBlocks([six, seven]), final(six)])
  expect(await wait(5_000)).toBe(5)
  expect(head.mayBeDue()).toBe(false)
  await apply([final(seven)])
  expect(head.mayBeDue()).toBe(true)
  expect(await wait(5_000)).toBe(7)
})

test('expired leases and those of another network delay no move', async () => {
  const { settled, tick } = await start()
  await lease({ until: '2020-01-01 00:00:00' })
  await lease({ network: 'BASE' })
  await tick(5_000)
  expect(settled()).toBe(1)
})

/** Reads that take `ms` while the watermark goes on, and what each of them saw. */
const reading = async (ms: number, patience: { repeatMs?: number } = {}) => {
  const { clock, settled, tick } = await start()
  await tick(5_000)
  // The first attempt begins halfway between two moves.
  await tick(2_500)
  const from: (number | undefined)[] = []
  const result = readSettled(
    store,
    'ETH',
    async (heights) => {
      from.push(heights.settled)
      for (let passed = 0; passed < ms; passed += 500) await tick(500)
      return heights.settled
    },
    { clock, ...patience },
  )
  return { from, result, settled, tick }
}

test('a read that takes longer than the pause between moves is overtaken once, then succeeds', async () => {
  const { from, result, settled, tick } = await reading(8_000)
  const answered = await result
  expect(from).toHaveLength(2)
  expect(answered).toBe(from[1])
  expect(settled()).toBe(answered)
  // It has ended, and the move that waited for it begins.
  await tick(0)
  expect(settled()).toBeGreaterThan(answered ?? 0)
  expect(await kit.store.query('SELECT released FROM read_leases FINAL')).toEqual([{ released: 1 }])
})

test('a read that takes longer than moves wait fails with its own code after its number of attempts', async () => {
  const hasty = await reading(12_000, { repeatMs: 0 })
  await expect(hasty.result).rejects.toMatchObject({ code: 'ASSAY_STORE_READ_OVERTAKEN' })
  expect(hasty.from).toHaveLength(2)
  await kit.truncate()
  const patient = await reading(12_000, { repeatMs: 30_000 })
  await expect(patient.result).rejects.toMatchObject({ code: 'ASSAY_STORE_READ_OVERTAKEN' })
  expect(patient.from).toHaveLength(3)
})

test('a reader that meets a move waits only for that move, without a lease', async () => {
  const clock = createSteppedClock()
  let begun = () => {}
  let go = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const mayGo = new Promise<void>((resolve) => {
    go = resolve
  })
  const onStep = async (step: string) => {
    if (step !== 'moving') return
    begun()
    await mayGo
  }
  const { tick } = await createMover({ store, network: 'ETH', clock }, emptyBlocks('ETH', 1, 3), { onStep })
  const moving = tick(5_000)
  await hasBegun
  let looks = 0
  const sleep = async (ms: number) => {
    clock.pass(ms)
    // The move ends between two looks of the reader.
    if (++looks === 2) go()
    if (looks >= 2) await moving
  }
  const settled = await readSettled(store, 'ETH', async (heights) => heights.settled, { clock: { ...clock, sleep } })
  expect({ settled, looks }).toEqual({ settled: 1, looks: 2 })
  expect(await kit.store.query('SELECT reader FROM read_leases')).toEqual([])
})
