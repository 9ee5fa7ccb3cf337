import { describe, expect, test } from 'vitest'
import type { TopicDescription, TopicSpec } from '../bus.ts'
import { topicProblems } from './check.ts'
import { creationOf, descriptionOf } from './settings.ts'

const HEAD: TopicSpec = { topic: 'head.ETH', partitions: 1 }
const QUEUE: TopicSpec = { topic: 'rescore.ETH', partitions: 4, retentionMs: 3_600_000 }
const ENDLESS: TopicSpec = { ...QUEUE, retentionMs: Number.POSITIVE_INFINITY }
const RECORDS: TopicSpec = { topic: 'records', partitions: 1, compacted: true }

const asCreated = (spec: TopicSpec, brokers = 3): TopicDescription => {
  const { partitions, replicas, settings } = creationOf(spec, brokers)
  return descriptionOf(spec.topic, Array(partitions).fill(replicas), new Map(Object.entries(settings)))
}

test.each([HEAD, QUEUE, ENDLESS, RECORDS])('accepts $topic as Assay creates it, in clusters of any size', (spec) => {
  for (const brokers of [1, 2, 3, 9]) expect(topicProblems(spec, asCreated(spec, brokers), brokers)).toEqual([])
})

describe.each([
  ['refused', HEAD, { partitions: 2 }, 'keeps the order'],
  ['refused', HEAD, { compacted: true }, 'equal keys'],
  ['refused', HEAD, { retentionMs: 604_800_000 }, 'retention.ms=604800000'],
  ['refused', HEAD, { retentionBytes: 1_000_000_000 }, 'retention.bytes=1000000000'],
  ['refused', HEAD, { maxMessageBytes: 500_000 }, 'max.message.bytes=500000'],
  ['refused', HEAD, { minInSync: 4 }, 'rejects every message'],
  ['refused', HEAD, { compression: 'zstd' }, 'compression.type=zstd'],
  ['refused', QUEUE, { compacted: true }, 'equal keys'],
  ['refused', ENDLESS, { retentionMs: 1 }, 'retention.ms=1'],
  ['warned of', QUEUE, { partitions: 2 }, 'cannot share'],
  ['warned of', QUEUE, { retentionMs: 7_200_000 }, 'kept for 2 h instead of 1 h'],
  ['warned of', QUEUE, { retentionBytes: 1_000 }, 'retention.bytes=1000'],
  ['warned of', RECORDS, { compacted: false, deletes: true, retentionMs: 1 }, 'set it to compact'],
  ['warned of', RECORDS, { deletes: true, retentionMs: 1 }, 'compact,delete'],
  ['warned of', HEAD, { replicas: 1, minInSync: 1 }, '1 of 3 replicas'],
  ['warned of', HEAD, { minInSync: 1 }, 'loses messages with one broker'],
] as const)('%s: %o with %o', (verdict, spec, change, text) => {
  test(text, () => {
    const problems = topicProblems(spec, { ...asCreated(spec), ...change }, 3)
    expect(problems).toEqual([{ dangerous: verdict === 'refused', text: expect.stringContaining(text) }])
  })
})

test('warns of a queue without retention limit, and accepts more partitions than required', () => {
  const { retentionMs: _, ...forever } = asCreated(QUEUE)
  expect(topicProblems(QUEUE, forever, 3)).toEqual([{ dangerous: false, text: expect.stringContaining('for ever') }])
  expect(topicProblems(QUEUE, { ...asCreated(QUEUE), partitions: 12 }, 3)).toEqual([])
})
