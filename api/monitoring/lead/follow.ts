/**
 * Follows topic `records` and changes of the watch list. Messages are filtered by their key, so an unwatched record costs one look-up in
 * a set. Of the messages of one round only the newest of each address counts; verdicts in between are not reported.
 *
 * The position is stored before and after a range of the topic is compared. A new leader compares a started range with the same bounds,
 * so that it creates the same deliveries. A newly watched address is added to the filter first and then compared with the tables, so that
 * no change is missed.
 */

import { z } from 'zod'
import type { Bus } from '../../../platform/bus/bus.ts'
import { isWithin } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'
import { WATCHED_OPERATIONS, type WatchedOperation } from '../../../schema/records/service/monitoring.ts'
import { topics } from '../../../schema/topics.ts'
import type { CatchingUpOf } from '../../answers/catching-up.ts'
import { createPause } from '../pause.ts'
import { createWatchFilter } from '../watch/filter.ts'
import { subjectKey, type WatchList, type WatchSubject } from '../watch/list.ts'
import type { WatchedRecord } from '../watch/verdict.ts'
import type { Verdicts } from '../watch/verdicts.ts'
import type { Delivery } from '../webhooks/deliveries.ts'
import type { Compare } from './compare.ts'
import type { Position, Positions } from './position.ts'

/** Watched records per range of the topic. */
const MAX_HITS = 1_000
/** Records per comparison: few enough not to block the event loop. */
const COMPARE_BATCH = 250
/** Messages per scan. */
const MAX_MESSAGES = 50_000
/** Messages between two checks whether to yield to the event loop. */
const MESSAGES_PER_CHECK = 64
/** Addresses per query. */
const PAGE = 50_000
/** How often a position is stored if there is nothing to compare, ms. */
const POSITION_MS = 30_000
/** Rows of the watch list may become visible with this delay, ms. */
const OVERLAP_MS = 10_000
/** Recently compared addresses, which the overlap returns again. */
const MAX_RECENT = 200_000

/** Dependencies. */
export type FollowOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  bus: Pick<Bus, 'offsets' | 'read'>
  list: Pick<WatchList, 'subjects' | 'changes'>
  verdicts: Pick<Verdicts, 'records'>
  positions: Positions
  compare: Compare
  catchingUp: CatchingUpOf
  /** Called with created deliveries, and with endpoints whose deliveries are in the tables. */
  onMade: (made: readonly Delivery[], known: ReadonlySet<string>) => void
}

const published = z.object({
  network: z.enum(NETWORK_CODES),
  address: z.string(),
  version: z.number(),
  body: z.string(),
  reasons: z.string().optional().default('[]'),
  // Wallet records have a list here, which the comparison does not use.
  unknowns: z.string().catch(''),
  model_version: z.string().optional().default(''),
  data_height: z.number().optional(),
})

const SUFFIXES = WATCHED_OPERATIONS.map((operation) => [operation, `:${operation}`] as const)

/** Parses the key of a message. A key without operation belongs to the fraud check; others end with their operation. */
export const subjectOfKey = (key: string): { network: string; address: string; operation: WatchedOperation } => {
  const at = key.indexOf(':')
  const [operation, suffix] = SUFFIXES.find(([, end]) => key.endsWith(end)) ?? (['fraud_check', ''] as const)
  return { network: key.slice(0, at), address: key.slice(at + 1, key.length - suffix.length), operation }
}

/** Continues where the last leader stopped. Comparing a record twice has no effect. */
export const createFollow = (options: FollowOptions) => {
  const { context, bus, list, verdicts, positions, compare, catchingUp, onMade } = options
  const { clock, log, metrics } = context
  const watchedNow = metrics.gauge('assay_watch_addresses', 'Watched addresses that this process compares')
  const seen = metrics.counter('assay_watch_records_total', 'Records checked for watched addresses')
  let filter = createWatchFilter()
  const places = new Map<number, Position & { written: number }>()
  const recent = new Map<string, number>()
  let learned = 0
  const behind = new Set<Network>()
  const recheck = new Map<Network, WatchSubject | undefined>()

  const savePosition = async (partition: number, next: bigint, until: bigint) => {
    const position = { next, until, learned, behind: [...behind] }
    await positions.write({ partition, ...position })
    places.set(partition, { ...position, written: clock.now() })
  }

  const compareAll = async (records: readonly WatchedRecord[]) => {
    for (let at = 0; at < records.length; at += COMPARE_BATCH) {
      const { made, known, behind: skipped } = await compare(records.slice(at, at + COMPARE_BATCH))
      for (const network of skipped) behind.add(network)
      onMade(made, known)
    }
  }

  const recordOf = (key: string, value: Buffer, operation: WatchedOperation): WatchedRecord | undefined => {
    try {
      const read = published.parse(JSON.parse(value.toString()))
      const { model_version: modelVersion, data_height: dataHeight = null, ...record } = read
      return { ...record, operation, modelVersion, dataHeight }
    } catch (err) {
      log.error({ key, err }, 'failed to read a message about a watched address')
      return undefined
    }
  }

  /** Newest records of watched addresses from an offset on, up to `until` or a maximum number. */
  const scan = async (partition: number, from: bigint, until: bigint | undefined) => {
    const hits = new Map<string, { value: Buffer; operation: WatchedOperation }>()
    let next = from
    let messages = 0
    const pause = createPause()
    for await (const { offset, key, value } of bus.read(topics.records, partition, from)) {
      if (until !== undefined && offset >= until) break
      next = offset + 1n
      messages++
      // Buffered messages arrive without a turn of the event loop.
      if (messages % MESSAGES_PER_CHECK === 0) await pause()
      const { network, address, operation } = subjectOfKey(key ?? '')
      if (filter.mayHave(network, address)) hits.set(key ?? '', { value, operation })
      if (until === undefined && (hits.size >= MAX_HITS || messages >= MAX_MESSAGES)) break
    }
    seen.inc(messages)
    const records: WatchedRecord[] = []
    for (const [key, { value, operation }] of hits) {
      const record = recordOf(key, value, operation)
      if (record) records.push(record)
      await pause()
    }
    const more = messages >= MAX_MESSAGES || hits.size >= MAX_HITS
    return { records, next: until !== undefined && until > next ? until : next, more }
  }

  /** Compares the next range. Returns whether more messages are available. */
  const advance = async (partition: number): Promise<boolean> => {
    const position = places.get(partition)
    if (!position) return false
    const begun = position.until > position.next ? position.until : undefined
    const { records, next, more } = await scan(partition, position.next, begun)
    if (records.length > 0) {
      if (begun === undefined) await savePosition(partition, position.next, next)
      await compareAll(records)
      await savePosition(partition, next, next)
    } else {
      const hasMoved = next > position.next || learned > position.learned
      const isDue = hasMoved && !isWithin(clock, POSITION_MS, position.written)
      const isOther = behind.size !== position.behind.length || position.behind.some((network) => !behind.has(network))
      if (isDue || isOther) await savePosition(partition, next, next)
      else places.set(partition, { ...position, next, until: next })
    }
    return more
  }

  /** Applies additions to watch lists. */
  const learn = async () => {
    const now = clock.now()
    for (const [key, at] of recent) {
      if (at > now - 3 * OVERLAP_MS && recent.size < MAX_RECENT) break
      recent.delete(key)
    }
    let since: number | undefined = learned - OVERLAP_MS
    while (since !== undefined) {
      const changes = await list.changes(since, PAGE)
      const fresh = changes.filter((change) => !recent.has(`${subjectKey(change)} ${change.stored}`))
      for (const change of fresh) {
        filter.add(change.network, change.address)
        recent.set(`${subjectKey(change)} ${change.stored}`, now)
      }
      await compareTables(fresh)
      const last = changes.at(-1)?.stored ?? 0
      learned = Math.max(learned, last)
      since = changes.length === PAGE ? last - 1 : undefined
    }
    watchedNow.set(filter.size)
  }

  const compareTables = async (subjects: readonly WatchSubject[]) => {
    for (let at = 0; at < subjects.length; at += COMPARE_BATCH) {
      await compareAll(await verdicts.records(subjects.slice(at, at + COMPARE_BATCH)))
    }
  }

  /** Compares one page of each network that has caught up with the tables, because its records were skipped. */
  const recheckCaughtUp = async () => {
    for (const network of behind) {
      if (catchingUp(network)) recheck.delete(network)
      else if (!recheck.has(network)) recheck.set(network, undefined)
    }
    for (const [network, after] of recheck) {
      const subjects = await list.subjects(after, MAX_HITS, network)
      await compareTables(subjects)
      if (subjects.length === MAX_HITS) recheck.set(network, subjects.at(-1))
      else {
        recheck.delete(network)
        if (!catchingUp(network)) behind.delete(network)
      }
    }
  }

  /** Rebuilds the filter from the whole watch list, which drops removed addresses. */
  const reload = async () => {
    const made = createWatchFilter()
    let after: WatchSubject | undefined
    do {
      const subjects: WatchSubject[] = await list.subjects(after, PAGE)
      for (const { network, address } of subjects) made.add(network, address)
      after = subjects.length === PAGE ? subjects.at(-1) : undefined
    } while (after)
    filter = made
    watchedNow.set(filter.size)
  }

  return {
    /** Starts at the position of the last leader, or else at the end of the topic. */
    takeOver: async () => {
      const known = await positions.read()
      places.clear()
      recent.clear()
      behind.clear()
      recheck.clear()
      learned = Math.max(0, ...[...known.values()].map((position) => position.learned)) || (await positions.now())
      for (const { behind: networks } of known.values()) for (const network of networks) behind.add(network)
      await reload()
      for (const { partition, first, next: end } of await bus.offsets(topics.records)) {
        const position = known.get(partition)
        const isOther = position !== undefined && position.next > end
        if (isOther) log.warn({ partition }, 'the topic of records was recreated, comparing it from its beginning')
        const next = isOther ? first : (position?.next ?? end)
        const until = isOther ? first : (position?.until ?? end)
        places.set(partition, { next, until, learned, behind: [...behind], written: 0 })
        if (!position) await savePosition(partition, next, until)
      }
    },
    /** Call when another process becomes leader. */
    reset: () => {
      filter = createWatchFilter()
      watchedNow.set(0)
    },
    learn,
    recheckCaughtUp,
    reload,
    /** Compares new records. Returns whether more are available. */
    advance: async (): Promise<boolean> => {
      let more = false
      for (const partition of places.keys()) more = (await advance(partition)) || more
      return more
    },
  }
}
