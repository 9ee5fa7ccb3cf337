/**
 * Determines from the ledger where a scorer begins on a topic, and checks that the topic is the one the ledger is about: its messages have
 * the same `log`, it does not end before the ledger, and it does not begin after it.
 *
 * A history topic that was created again after the hand-over lacks nothing: everything it contained is in the tables, so its successor is
 * accepted. Any other difference stops the network with an error that names the repair command.
 */
import type { Bus, Message } from '../../../platform/bus/bus.ts'
import { OperatorError } from '../../../platform/errors.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { type ChunkLedger, chunkName, type LatestChunk } from '../chunks/chunks.ts'
import { createSharedRead } from '../lock.ts'
import { reindexBase, repairOf } from '../repair.ts'

/** Begin offsets, and the identities of the topics that the tables are about. */
export type Position = {
  /**
   * Offset to begin at: that of the open chunk, or after the last closed one; `undefined` for the beginning of the topic.
   * @throws OperatorError ASSAY_INGEST_OTHER_LOG, ASSAY_INGEST_CUT
   */
  begin: (topic: string, partition: number) => Promise<bigint | undefined>
  /** Records the identity in a message. @throws OperatorError ASSAY_INGEST_OTHER_LOG if it differs */
  admit: (message: Pick<Message, 'topic' | 'partition' | 'offset' | 'headers'>) => void
  /** Identity of a topic, once a message or the ledger has shown it. */
  logOf: (topic: string) => string | undefined
  /** Whether the history topic has messages that are not in the tables. */
  historyUnderWay: () => Promise<boolean>
}

const messageAt = async (bus: Bus, { topic, partition, last }: LatestChunk): Promise<Message | undefined> => {
  for await (const message of bus.read(topic, partition, last)) return message.offset === last ? message : undefined
  return undefined
}

/** `handedOver`: whether history is complete, which is required to accept a history topic that was created again. */
export const createPosition = (
  { bus, ledger, network }: { bus: Bus; ledger: ChunkLedger; network: Network },
  handedOver: () => Promise<boolean>,
): Position => {
  const history = topics.history(network)
  // Rows of the past topic are idempotent, so a topic that was created again is read from its beginning.
  const past = topics.past(network)
  const logs = new Map<string, string>()

  const otherLog = (topic: string, detail: string) =>
    new OperatorError(
      'ASSAY_INGEST_OTHER_LOG',
      `The tables of ${network} were filled from another topic ${topic}: ${detail}. The topic was recreated, or restored from a backup. Nothing was inserted and the network stopped. Run ${reindexBase(network)}, or restore the topic.`,
    )

  const cut = (topic: string, partition: number, first: bigint, start: bigint) =>
    new OperatorError(
      'ASSAY_INGEST_CUT',
      `Partition ${partition} of ${topic} begins at message ${first}, but the tables end before message ${start}: the retention of the topic removed the messages in between. Nothing was inserted and the network stopped. Raise the retention of the topic. ${repairOf(network, topic)}`,
    )

  /** Newest chunks of the network. */
  const newest = createSharedRead(() => ledger.newest([topics.head(network), history, past]))

  const latestIn = (chunks: readonly LatestChunk[], topic: string, partition: number): LatestChunk | undefined => {
    const ofTopic = chunks.filter((chunk) => chunk.topic === topic)
    const log = logs.get(topic) ?? ofTopic[0]?.log
    // Do not remember a missing identity: another scorer may be the first to fill the tables from the topic.
    if (log !== undefined) logs.set(topic, log)
    return ofTopic.find((chunk) => chunk.partition === partition && chunk.log === log)
  }

  const startOf = (latest: LatestChunk): bigint => (latest.done ? latest.last + 1n : latest.first)

  /** Why the topic is not the one of the chunk, or undefined. */
  const difference = async (latest: LatestChunk, first: bigint, next: bigint): Promise<string | undefined> => {
    if (latest.last >= next) return `the ledger has chunk ${chunkName(latest)}, but the topic ends at message ${next}`
    if (latest.last < first) return undefined
    const message = await messageAt(bus, latest)
    if (message?.headers.log === latest.log) return undefined
    return `message ${latest.last} of partition ${latest.partition} is of log ${message?.headers.log ?? 'none'}, and was of ${latest.log}`
  }

  const begin = async (topic: string, partition: number): Promise<bigint | undefined> => {
    const latest = latestIn(await newest(), topic, partition)
    const offsets = (await bus.offsets(topic)).find((one) => one.partition === partition)
    const [first, next] = [offsets?.first ?? 0n, offsets?.next ?? 0n]
    if (!latest) {
      if (first > 0n && topic !== history) throw cut(topic, partition, first, 0n)
      return undefined
    }
    const problem = await difference(latest, first, next)
    if (problem !== undefined) {
      if (topic !== past && (topic !== history || !latest.done || !(await handedOver()))) throw otherLog(topic, problem)
      if (topic === past && first > 0n) throw cut(topic, partition, first, 0n)
      logs.delete(topic)
      return undefined
    }
    const start = startOf(latest)
    if (start < first) throw cut(topic, partition, first, start)
    return start
  }

  return {
    begin,
    admit: ({ topic, partition, offset, headers: { log } }) => {
      if (log === undefined) return
      const expected = logs.get(topic)
      if (expected === undefined || topic === past) logs.set(topic, log)
      else if (expected !== log) {
        throw otherLog(
          topic,
          `message ${offset} of partition ${partition} is of log ${log}, and the ledger of ${expected}`,
        )
      }
    },
    logOf: (topic) => logs.get(topic),
    historyUnderWay: async () => {
      const chunks = await newest()
      for (const { partition, first } of await bus.offsets(history)) {
        const latest = latestIn(chunks, history, partition)
        if (latest && !latest.done) return true
        for await (const _ of bus.read(history, partition, latest ? latest.last + 1n : first)) return true
      }
      return false
    },
  }
}
