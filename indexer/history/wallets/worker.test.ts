import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBus } from '../../../platform/bus/index.ts'
import { type BlockRef, emptyRows } from '../../../schema/block.ts'
import { encodeHandover, encodePastRequest, stamp, topics } from '../../../schema/topics.ts'
import { counted, testContext } from '../../../test/kit/context.ts'
import { until } from '../../../test/kit/until.ts'
import { createPastTopic } from '../past-topic.ts'
import type { FetchPast } from './fetch.ts'
import { createPastWorker } from './worker.ts'

const WALLETS = Array.from({ length: 5 }, (_, n) => `0x${String(n + 1).repeat(40)}`)
const LAST: BlockRef = { number: 9, hash: '0x09', parentHash: '0x08', time: 1 }
const WAITING = 'assay_past_waiting_wallets'

/** Fetches pasts, each completed by the test. */
const heldPasts = () => {
  const held = new Map<string, () => void>()
  const fetchPast: FetchPast = async ({ address }, to) => {
    await new Promise<void>((resolve) => held.set(address, resolve))
    const known = { sent: 1, native: 1, tokens: 1, complete: 1, done: 1 } as const
    const found = { transactions: 0, blocks: 0, sources: '', why: '', pools_why: '', version: 1 }
    return { to, rows: emptyRows(), state: { network: 'ETH', address, to_block: to.number, ...known, ...found } }
  }
  const finishOne = () => {
    const [address = ''] = held.keys()
    held.get(address)?.()
    held.delete(address)
  }
  return { fetchPast, finishOne, underWay: () => held.size }
}

test('the gauge of wallet histories counts wallets until theirs is published', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-pasts-'))
  const context = testContext()
  const bus = await openBus({ path, log: context.log })
  const ended = new AbortController()
  try {
    await bus.createTopics(
      [topics.history('ETH'), topics.head('ETH'), topics.pasts('ETH')].map((topic) => ({ topic, partitions: 1 })),
    )
    const producer = await bus.producer()
    await producer.send([
      {
        topic: topics.head('ETH'),
        messages: [{ ...stamp(encodeHandover('ETH', 10, 12, '0x0c'), 'log'), partition: 0 }],
      },
      { topic: topics.pasts('ETH'), messages: WALLETS.map((address) => encodePastRequest('ETH', { address })) },
    ])
    const { fetchPast, finishOne, underWay } = heldPasts()
    const source = { finalizedHead: async () => LAST, ref: async () => LAST }
    const worker = createPastWorker({ context, network: 'ETH', bus, source, fetchPast, topic: createPastTopic() })
    const running = worker.run(ended.signal)
    await until('four are fetched at once', () => underWay() === 4)
    expect(await counted(context, WAITING)).toBe(5)
    finishOne()
    await until('one is published', async () => (await counted(context, 'assay_past_wallets_total')) === 1)
    await until('four are fetched at once', () => underWay() === 4)
    expect(await counted(context, WAITING)).toBe(4)
    while (underWay() > 0) finishOne()
    await until('none is left', async () => (await counted(context, WAITING)) === 0)
    expect(await counted(context, 'assay_past_wallets_total')).toBe(5)
    ended.abort()
    await running
  } finally {
    ended.abort()
    await bus.close()
    rmSync(path, { recursive: true, force: true })
  }
})
