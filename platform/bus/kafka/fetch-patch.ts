/**
 * kafkajs 2.2.4 delivers messages of aborted transactions: it takes up one transaction per message, in the order the
 * broker lists them, so that it overlooks some when there are two producers (`src/consumer/filterAbortedMessages.js`).
 * This patch corrects responses first: it marks aborted messages as control records, which kafkajs skips, and empties the
 * list of transactions.
 */
import { createRequire } from 'node:module'
import type { KafkaMessage } from 'kafkajs'
import { committed, markerOf } from './aborted.ts'

type Raw = KafkaMessage & {
  isControlRecord: boolean
  batchContext?: { producerId: string; inTransaction: boolean }
}
type Partition = { abortedTransactions?: { producerId: string; firstOffset: string }[]; messages: Raw[] }
type Answer = { responses: { partitions: Partition[] }[] }
type BrokerClass = { prototype: { fetch: (request: unknown) => Promise<Answer> } }

const require = createRequire(import.meta.url)
const PATCHED = Symbol.for('assay.kafkajs.fetch')

const settle = (partition: Partition) => {
  const aborted = (partition.abortedTransactions ?? []).map(({ producerId, firstOffset }) => ({
    producerId: BigInt(producerId),
    firstOffset: BigInt(firstOffset),
  }))
  if (aborted.length === 0) return
  const kept = committed(
    partition.messages.map(({ offset, key, isControlRecord, batchContext }) => ({
      lastOffset: BigInt(offset),
      producerId: BigInt(batchContext?.producerId ?? -1),
      transactional: batchContext?.inTransaction ?? false,
      marker: isControlRecord ? markerOf(key) : undefined,
    })),
    aborted,
  )
  for (const [index, message] of partition.messages.entries()) if (!kept[index]) message.isControlRecord = true
  partition.abortedTransactions = []
}

/** Corrects all later fetches of kafkajs in this process. */
export const correctFetches = (): void => {
  const { prototype }: BrokerClass = require('kafkajs/src/broker/index.js')
  if (PATCHED in prototype) return
  const { fetch } = prototype
  prototype.fetch = async function (request) {
    const answer = await fetch.call(this, request)
    for (const { partitions } of answer.responses) for (const partition of partitions) settle(partition)
    return answer
  }
  Object.defineProperty(prototype, PATCHED, { value: true })
}
