/** Scoring goes on while the watermark moves, however slow the store is: the clock is the test's. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBus } from '../../../../platform/bus/index.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createLog } from '../../../../platform/context/log.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { encodeRescore, topics } from '../../../../schema/topics.ts'
import { lookupRecords } from '../../../../scorer/ledger/records.ts'
import { createRescore } from '../../../../scorer/rescore/rescore.ts'
import { createScoring } from '../../../../scorer/rescore/stream.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { until } from '../../../kit/until.ts'
import { insertRows, named, rowsOf } from '../../../kit/world/transactions.ts'
import { createMover, createSteppedClock, emptyBlocks } from '../../ingest/mover.kit.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const WALLETS = Array.from({ length: 60 }, (_, index) => named(`wallet ${index}`))
const FIRST = 1_000
/** How long the slow store takes to read one wallet, ms of the stepped clock. */
const EACH_MS = 400
const TICK_MS = 2_500

/** A store that takes its time to read features, while `tick` lets the watermark go on. */
const slowStore = (tick: (ms: number) => Promise<void>): Store => ({
  ...kit.store,
  query: async (sql, params, options) => {
    const rows = kit.store.query(sql, params, options)
    if (options?.route === 'wallet_features_final' && Array.isArray(params?.addresses)) {
      let left = params.addresses.length * EACH_MS
      for (; left > 0; left -= TICK_MS) await tick(Math.min(left, TICK_MS))
    }
    return await (rows as Promise<never[]>)
  },
})

test('a queue of wallets that takes longer to read than the watermark rests is scored, in smaller batches', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-moving-'))
  const clock = createSteppedClock()
  const context = { metrics: createMetrics(), log: createLog('silent'), clock }
  await insertRows(kit.store, rowsOf(WALLETS.map((from) => ({ from, to: named('shop'), block: 1, value: 1n }))))
  const blocks = emptyBlocks('ETH', FIRST, 200)
  const { settled, tick } = await createMover({ store: kit.store, network: 'ETH', clock }, blocks)
  let ticking: Promise<void> = Promise.resolve()
  const store = slowStore((ms) => {
    ticking = ticking.then(() => tick(ms))
    return ticking
  })
  const rescore = createRescore({ context, store, model: createWalletModel() })
  const whole = rescore.rescore('ETH', WALLETS, clock.now(), { repeatMs: 0 })
  await expect(whole).rejects.toMatchObject({ code: 'ASSAY_STORE_READ_OVERTAKEN' })
  const bus = await openBus({ path, log: context.log })
  // What looks from time to time waits in real time, and does not step the clock.
  const scoring = { ...context, clock: { ...clock, sleep: systemClock.sleep } }
  const scorer = await createScoring({ context: scoring, networks: ['ETH'], store, bus, rescore })
  const producer = await bus.producer()
  const messages = encodeRescore(WALLETS).map((value) => ({ value, partition: 0 }))
  await producer.send([{ topic: topics.rescore('ETH'), messages }])
  await until('everything scored', async () => (await bus.lag('scoring.ETH', topics.rescore('ETH'))) === 0n)
  const records = await lookupRecords(
    kit.store,
    WALLETS.map((address) => ({ network: 'ETH' as const, address })),
  )
  expect(records.map((record) => record?.address)).toEqual(WALLETS)
  // It went on all the while.
  expect(settled()).toBeGreaterThan(FIRST)
  await scorer.close()
  await scorer.done
  await producer.close()
  await bus.close()
  rmSync(path, { recursive: true, force: true })
})
