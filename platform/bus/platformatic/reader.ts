import type { Clock } from '../../context/clock.ts'
import type { Message } from '../bus.ts'
import type { Cluster } from './cluster.ts'
import { typeOf } from './errors.ts'
import { type Fetched, fetchCommitted } from './fetch.ts'
import { firstOffset } from './offsets.ts'

const READ_BYTES = 1_000_000
/** How long to wait for an open transaction at the end of a partition before the read ends in front of it, ms. */
const SETTLE_MS = 2_000
const SETTLE_STEP_MS = 20

/** Committed messages of a partition from an offset (or its oldest message) up to the current end. */
export const readPartition = async function* (
  cluster: Cluster,
  clock: Clock,
  topic: string,
  partition: number,
  from: bigint,
): AsyncGenerator<Message> {
  const subject = { action: 'read a partition', topic }
  const fetch = (at: bigint, maxBytes = READ_BYTES): Promise<Fetched> =>
    cluster.attempt(subject, async () => {
      const link = await cluster.shared.to(await cluster.leaderOf(topic, partition))
      return fetchCommitted(link, { topic, partition, from: at, maxBytes, waitMs: 0 })
    })

  let at = from
  let fetched: Fetched | undefined
  try {
    fetched = await fetch(at)
  } catch (error) {
    if (!(error instanceof Error) || typeOf(error.cause) !== 'OFFSET_OUT_OF_RANGE') throw error
    const first = await cluster.attempt(subject, () => firstOffset(cluster, topic, partition))
    if (first <= at) return
    at = first
    fetched = await fetch(at)
  }
  // Brokers acknowledge a commit before its markers are everywhere, so wait for them, for at most SETTLE_MS.
  const target = fetched.highWatermark
  for (let waited = 0; fetched.lastStableOffset < target && waited < SETTLE_MS; waited += SETTLE_STEP_MS) {
    await clock.sleep(SETTLE_STEP_MS)
    fetched = await fetch(at)
  }
  let end = target
  if (fetched.lastStableOffset < end) end = fetched.lastStableOffset
  while (at < end) {
    fetched ??= await fetch(at)
    if (fetched.next <= at) return
    for (const message of fetched.messages) {
      if (message.offset >= end) return
      yield message
    }
    at = fetched.next
    fetched = undefined
  }
}
