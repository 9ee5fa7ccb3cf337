import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCompute } from '../../../api/answers/reader/compute.ts'
import { followRecords } from '../../../api/answers/reader/follow.ts'
import { createReader, type Reader } from '../../../api/answers/reader/reader.ts'
import { createCounts } from '../../../api/answers/served/counts.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import { openBus } from '../../../platform/bus/index.ts'
import type { Context } from '../../../platform/context/context.ts'
import { recordTopicKey, topics } from '../../../schema/topics.ts'
import { testContext } from '../../kit/context.ts'
import { until } from '../../kit/until.ts'
import { bodyOf, memoryProvider } from '../api/kit.ts'

const subject = { network: 'ETH' as const, address: `0x${'aa'.repeat(20)}` }
let context: Context
let bus: Bus
let path: string
let reader: Reader

beforeEach(async () => {
  context = testContext()
  path = mkdtempSync(join(tmpdir(), 'assay-records-'))
  bus = await openBus({ path, log: context.log })
  await bus.createTopics([{ topic: topics.records, partitions: 1, compacted: true }])
  const calls = { lookups: [], computed: [] }
  reader = createReader({
    context,
    providers: { fraud_check: memoryProvider('fraud_check', calls), rug_pull: memoryProvider('rug_pull', calls) },
    counts: createCounts({
      store: { load: async (_, subjects) => subjects.map(() => 0) },
      send: async () => {},
      now: Date.now,
    }),
    compute: createCompute({ concurrency: 1, maxWaiting: 1, deadlineMs: 5_000 }),
    ...{
      maxBytes: 1e6,
      maxAgeMs: 60_000,
      hardMaxAgeMs: 300_000,
      lookupConcurrency: 1,
      maxBatch: 10,
      lookupDeadlineMs: 5_000,
    },
    ...{ absentMs: 60_000, maxAbsent: 10 },
  })
})
afterEach(async () => {
  await context.lifecycle.close()
  await bus.close()
  rmSync(path, { recursive: true, force: true })
})

const publish = async (key: string, record: object) => {
  const producer = await bus.producer()
  await producer.send([{ topic: topics.records, messages: [{ key, value: Buffer.from(JSON.stringify(record)) }] }])
  await producer.close()
}
const remembered = async (operation: 'fraud_check' | 'rug_pull') =>
  JSON.parse(String((await reader.find(operation, subject))?.entry.body))
const newer = (operation: 'fraud_check' | 'rug_pull', message: string) =>
  JSON.stringify({ ...JSON.parse(bodyOf(operation, 'ETH')), message })

test('a wallet record and a contract record of one address refresh memory each under its own operation', async () => {
  await reader.find('fraud_check', subject)
  await reader.find('rug_pull', subject)
  await followRecords(context, bus, reader)
  // As published before records named their operation, and as a newer scorer may publish.
  await publish(recordTopicKey('ETH', subject.address), {
    ...subject,
    version: 2,
    body: newer('fraud_check', 'wallet'),
  })
  // A new verdict outdates what memory holds of the other operations.
  await until('the verdict is in memory', async () => (await remembered('fraud_check')).message === 'wallet')
  await reader.find('rug_pull', subject)
  await publish('x', { ...subject, operation: 'unheard_of', version: 4, body: '{}' })
  await publish(recordTopicKey('ETH', subject.address, 'rug_pull'), {
    ...{ ...subject, operation: 'rug_pull', version: 3 },
    body: newer('rug_pull', 'contract'),
  })
  await until('the contract record is in memory', async () => (await remembered('rug_pull')).message === 'contract')
  expect((await remembered('fraud_check')).message).toBe('wallet')
})

test('keys keep wallet records where they were and contract records beside them', () => {
  expect(recordTopicKey('ETH', '0x01')).toBe('ETH:0x01')
  expect(recordTopicKey('ETH', '0x01', 'rug_pull')).toBe('ETH:0x01:rug_pull')
})
