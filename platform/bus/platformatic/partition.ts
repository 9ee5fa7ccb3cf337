import type { Clock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import { messageOf } from '../../errors.ts'
import type { Batch, ConsumerOptions } from '../bus.ts'
import type { Allowance } from '../delivery/allowance.ts'
import { deliver } from '../delivery/deliver.ts'
import { runsOf, sizeOf } from '../delivery/limits.ts'
import type { Owned } from './assignment.ts'
import type { Cluster } from './cluster.ts'
import { isTransient, typeOf } from './errors.ts'
import { type Fetched, fetchCommitted } from './fetch.ts'
import { type Link, openLink } from './links.ts'
import { committedOf, firstOffset } from './offsets.ts'

/** How far gzip shrinks rows of JSON lines: the broker counts compressed bytes, `maxBytes` counts uncompressed ones. */
const COMPRESSION_RATIO = 4
/** How long the broker waits for new messages of a partition, ms. */
const WAIT_MS = 500
/** Fetch size at the end of a partition, in compressed bytes. */
const TAIL_FETCH_BYTES = 100_000
const MIN_FETCH_BYTES = 1_000
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 1_500

type PartitionDeps = { cluster: Cluster; clock: Clock; log: Logger; allowance: Allowance }

/** What the consumer provides to a partition's loop: `commit` and `heartbeat` of the group, and the signal that ends it. */
export type Hold = {
  place: Owned
  /** How many partitions the consumer has. */
  owned: number
  signal: AbortSignal
  commit: (next: bigint) => Promise<void>
  heartbeat: () => Promise<void>
}

/**
 * Delivers one partition until the signal aborts. Each partition has its own connection, so that partitions do not wait
 * for each other. Far behind, a partition waits its turn for a full batch; at the end it waits for new messages with a
 * small fetch.
 */
export const runPartition = async (
  { cluster, clock, log, allowance }: PartitionDeps,
  { groupId, maxBytes: total, batchBytes, position }: ConsumerOptions,
  { place, owned, signal, commit, heartbeat }: Hold,
  handle: (batch: Batch) => Promise<void>,
): Promise<void> => {
  const { topic, partition } = place
  const maxBatchBytes = Math.min(batchBytes ?? Math.floor(total / owned), total)
  let link: Link | undefined
  const closeLink = () => link?.close()
  signal.addEventListener('abort', closeLink, { once: true })

  const fetch = async (from: bigint, maxBytes: number, waitMs: number): Promise<Fetched> => {
    if (!link?.isOpen()) link = await openLink(cluster.access, await cluster.leaderOf(topic, partition))
    if (signal.aborted) closeLink()
    return fetchCommitted(link, { topic, partition, from, maxBytes, waitMs })
  }

  const deliverAll = async ({ messages }: Fetched): Promise<boolean> => {
    for (const run of runsOf(messages, maxBatchBytes))
      if (!(await deliver({ messages: run, signal, commit, heartbeat }, handle, { clock, log }))) return false
    return true
  }

  const bytesOf = ({ messages }: Fetched) => messages.reduce((sum, message) => sum + sizeOf(message), 0)
  let at: bigint | undefined
  let outOfRange = false
  /** Start offset: `position`, the group's committed offset, or the oldest message. */
  const begin = async (): Promise<bigint> => {
    if (position) {
      const start = (await position(topic, partition)) ?? (await firstOffset(cluster, topic, partition))
      // Only so that lag is right. If a rebalance loses this commit, the next one corrects it.
      await commit(start).catch(() => undefined)
      return start
    }
    const committed = outOfRange ? undefined : (await committedOf(cluster, groupId, topic, [partition])).get(partition)
    return committed ?? firstOffset(cluster, topic, partition)
  }
  let behind = true
  /** One fetch and its delivery. */
  const step = async () => {
    at ??= await begin()
    let taken = behind ? maxBatchBytes : 0
    if (behind && !(await allowance.take(taken, signal))) return
    try {
      const fetchBytes = behind ? Math.max(Math.floor(taken / COMPRESSION_RATIO), MIN_FETCH_BYTES) : TAIL_FETCH_BYTES
      const fetched = await fetch(at, fetchBytes, behind ? 0 : WAIT_MS)
      const bytes = bytesOf(fetched)
      allowance.give(taken - bytes)
      taken = bytes
      behind = fetched.next > at && fetched.next < fetched.lastStableOffset
      outOfRange = false
      if (await deliverAll(fetched)) at = fetched.next
    } finally {
      allowance.give(taken)
    }
  }

  let pause = FIRST_PAUSE_MS
  while (!signal.aborted) {
    try {
      await step()
      pause = FIRST_PAUSE_MS
    } catch (error) {
      if (signal.aborted) break
      link?.close()
      outOfRange = typeOf(error) === 'OFFSET_OUT_OF_RANGE'
      if (outOfRange) at = undefined
      log.warn({ groupId, topic, partition, pause, error: messageOf(error) }, 'fetching again after it failed')
      if (isTransient(error)) await cluster.metadata([topic]).catch(() => {})
      await clock.sleep(pause, signal).catch(() => {})
      pause = Math.min(pause * 2, MAX_PAUSE_MS)
    }
  }
  signal.removeEventListener('abort', closeLink)
  closeLink()
}
