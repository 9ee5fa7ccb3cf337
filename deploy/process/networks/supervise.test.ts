import { expect, test } from 'vitest'
import type { Batch } from '../../../platform/bus/bus.ts'
import type { Clock } from '../../../platform/context/clock.ts'
import { BugError, messageOf, OperatorError, RetryableError } from '../../../platform/errors.ts'
import type { PartReport } from '../../../schema/records/service/status.ts'
import { topics } from '../../../schema/topics.ts'
import { createMemoryBus } from '../../../test/kit/bus/memory-bus.ts'
import { testContext } from '../../../test/kit/context.ts'
import { until } from '../../../test/kit/until.ts'
import { createBoard, FORGET_MS } from './board.ts'
import type { RestartTimes } from './failures.ts'
import { reportStatus } from './reporter.ts'
import { createSupervision, type Run, watchConsumers } from './supervise.ts'

const TIMES: RestartTimes = { firstMs: 1_000, longestMs: 8_000, recheckMs: 300_000, soundMs: 600_000 }

/** A clock whose sleeps end at once and are written down. */
const steppedClock = () => {
  const slept: number[] = []
  let now = 1_700_000_000_000
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      now += ms
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
  return { clock, slept }
}

const untilClosed: Run = ({ lifecycle }, handle) => {
  handle.running(() => ({ head: 7 }))
  return new Promise((resolve) => lifecycle.signal.addEventListener('abort', () => resolve(), { once: true }))
}
const failing = (errors: unknown[]): Run => {
  const left = [...errors]
  return async (context, handle) => {
    if (left.length > 0) throw left.shift()
    return untilClosed(context, handle)
  }
}
const noNode = () => new RetryableError('ASSAY_RPC_UNAVAILABLE', 'no node answers')
const wrongChain = () => new OperatorError('ASSAY_SOURCE_WRONG_CHAIN', 'the node is on another chain')
const stateOf = (reports: readonly PartReport[], network: string) =>
  reports.find((report) => report.network === network)?.state

test('restarts a failing network with growing pauses up to a maximum', async () => {
  const { clock, slept } = steppedClock()
  const context = testContext(clock)
  const supervision = createSupervision(context, TIMES)
  const bug = new BugError('ASSAY_INDEXER_MOVE', 'cannot be')
  supervision.start('ETH', 'indexing', failing([noNode(), bug, new TypeError('x'), noNode(), noNode()]))
  await until('it runs', () => stateOf(supervision.reports(), 'ETH') === 'running')
  expect(slept).toEqual([1_000, 2_000, 4_000, 8_000, 8_000])
  expect(supervision.reports()).toEqual([
    { network: 'ETH', part: 'indexing', state: 'running', since: clock.now(), progress: { head: 7 } },
  ])
  await context.lifecycle.close()
  await supervision.done
})

test('a network with an operator error waits with its reason, without effect on others', async () => {
  const context = testContext()
  const supervision = createSupervision(context, TIMES)
  const tooDeep = new OperatorError('ASSAY_REORG_TOO_DEEP', 'block 5 was replaced')
  supervision.start('ETH', 'indexing', untilClosed)
  supervision.start('BNB', 'indexing', failing([tooDeep]))
  await until('it stops', () => stateOf(supervision.reports(), 'BNB') === 'stopped')
  expect(supervision.reports()[1]).toMatchObject({
    state: 'stopped',
    trouble: { code: 'ASSAY_REORG_TOO_DEEP', message: 'block 5 was replaced' },
  })
  expect(supervision.reports()[1]).not.toHaveProperty('retryAt')
  expect(stateOf(supervision.reports(), 'ETH')).toBe('running')
  await context.lifecycle.close()
  await supervision.done
})

test('checks a wrong chain again, because the provider may repair it', async () => {
  const { clock, slept } = steppedClock()
  const context = testContext(clock)
  const supervision = createSupervision(context, TIMES)
  supervision.start('ETH', 'indexing', untilClosed)
  supervision.start('BNB', 'indexing', failing([wrongChain()]))
  await until('it runs', () => stateOf(supervision.reports(), 'BNB') === 'running')
  expect(slept).toEqual([300_000])
  await context.lifecycle.close()
})

test('ends the role for errors of all networks, and when every network has a wrong chain', async () => {
  const denied = new OperatorError('ASSAY_STORE_ACCESS_DENIED', 'refused')
  const first = testContext()
  const all = createSupervision(first, TIMES)
  all.start('ETH', 'ingest', untilClosed)
  all.start('BNB', 'ingest', failing([denied]))
  await expect(all.done).rejects.toBe(denied)
  await first.lifecycle.close()

  const second = testContext()
  const none = createSupervision(second, TIMES)
  const wrong = [wrongChain(), wrongChain()]
  none.start('ETH', 'indexing', failing([wrong[0]]))
  none.start('BNB', 'indexing', failing([wrong[1]]))
  await expect(none.done).rejects.toBe(wrong[0])
  await second.lifecycle.close()
})

test('closes resources of a run before the next run and at the end', async () => {
  const { clock } = steppedClock()
  const context = testContext(clock)
  const supervision = createSupervision(context, TIMES)
  const log: string[] = []
  let runs = 0
  supervision.start('ETH', 'indexing', async (own, handle) => {
    runs += 1
    const name = `run ${runs}`
    log.push(`${name} begins`)
    own.lifecycle.onClose(name, () => void log.push(`${name} is closed`))
    if (runs === 1) throw noNode()
    await untilClosed(own, handle)
  })
  await until('it runs again', () => stateOf(supervision.reports(), 'ETH') === 'running')
  await context.lifecycle.close()
  expect(log).toEqual(['run 1 begins', 'run 1 is closed', 'run 2 begins', 'run 2 is closed'])
})

test('shows an unexpected error without its text, which may contain secrets', async () => {
  const context = testContext()
  const supervision = createSupervision(context, TIMES)
  supervision.start('ETH', 'indexing', failing([new Error('https://node/secret-key failed')]))
  const waiting = await until('it waits', () => supervision.reports().find(({ state }) => state === 'waiting'))
  expect(waiting.trouble?.code).toBe('unexpected')
  expect(JSON.stringify(waiting)).not.toContain('secret-key')
  await context.lifecycle.close()
})

test('reports a batch that is redelivered endlessly until every partition works again', async () => {
  const said: string[] = []
  const handle = {
    failing: (error: unknown) => void said.push(`failing: ${messageOf(error)}`),
    recovered: () => void said.push('recovered'),
  }
  const batchOf = (partition: number, signal = new AbortController().signal): Batch => ({
    topic: 'rescore.ETH',
    partition,
    messages: [],
    signal,
    commit: async () => undefined,
    heartbeat: async () => undefined,
  })
  let deliver: (batch: Batch) => Promise<void> = async () => undefined
  const consumer = {
    run: async (work: typeof deliver) => {
      deliver = work
    },
    close: async () => undefined,
  }
  const bus = watchConsumers({ ...createMemoryBus(), consumer: async () => consumer }, handle)
  let broken: number[] = [0, 1]
  const opened = await bus.consumer({ groupId: 'scoring.ETH', topics: ['rescore.ETH'], maxBytes: 1 })
  await opened.run(async ({ partition }) => {
    if (broken.includes(partition)) throw noNode()
  })
  for (const partition of [0, 1]) await expect(deliver(batchOf(partition))).rejects.toThrow('no node answers')
  broken = [1]
  await deliver(batchOf(0))
  expect(said).toEqual(['failing: no node answers', 'failing: no node answers'])
  broken = []
  await deliver(batchOf(1))
  expect(said.at(-1)).toBe('recovered')
  broken = [0]
  await expect(deliver(batchOf(0, AbortSignal.abort()))).rejects.toThrow()
  expect(said).toHaveLength(3)
})

test('other processes read the reports of a role, notice its silence, and forget it when it stops', async () => {
  const bus = createMemoryBus()
  await bus.createTopics([{ topic: topics.status, partitions: 1 }])
  const context = testContext()
  const supervision = createSupervision(context, TIMES)
  await reportStatus(context, bus, 'indexer', supervision.reports)
  let now = Date.now()
  const board = createBoard(bus, { now: () => now })
  supervision.start('ETH', 'indexing', untilClosed)
  const running = await until('the change is reported', async () =>
    (await board.read()).find(({ state }) => state === 'running'),
  )
  expect(running).toMatchObject({ network: 'ETH', role: 'indexer', silent: false, progress: { head: 7 } })
  now += 60_000
  expect((await board.read()).map(({ silent }) => silent)).toEqual([true])
  now += FORGET_MS
  expect(await board.read()).toEqual([])
  await bus
    .producer()
    .then((producer) => producer.send([{ topic: topics.status, messages: [{ value: Buffer.from('?') }] }]))
  await context.lifecycle.close()
  now = Date.now()
  const later = createBoard(bus, { now: () => now })
  expect(await later.read()).toEqual([])
})
