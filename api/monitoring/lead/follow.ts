/**
 * Follows topic `records`, and changes of the watch list. Messages are told apart by their keys, so that a record nobody watches costs a
 * look into a set. Of the messages of one round the newest of each address counts: what came and went in between is not told.
 *
 * A range of the topic is written down before it is compared and after. A process that takes over compares a range that was begun with
 * the same bounds, so that it makes the same deliveries. An address that was added is compared with the tables once the topic is
 * followed for it, so that nothing is missed in between.
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

/** Records of watched addresses in a range of the topic. */
const MOST_HITS = 1_000
/** Records compared together: so few that nobody waits long for the thread. */
const COMPARED = 250
/** Messages read in one go. */
const MOST_MESSAGES = 50_000
/** Messages looked at between two looks at the time. */
const LOOKS = 64
/** Addresses taken from the tables at once. */
const PAGE = 50_000
/** A position without anything to compare is written this often, ms. */
const POSITION_MS = 30_000
/** Rows of the watch list may show late by this, ms. */
const OVERLAP_MS = 10_000
/** Addresses that were looked at lately: the overlap shows them again. */
const MOST_RECENT = 200_000

/** What is followed, and what is done with it. */
export type FollowOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  bus: Pick<Bus, 'offsets' | 'read'>
  list: Pick<WatchList, 'subjects' | 'changes'>
  verdicts: Pick<Verdicts, 'records'>
  positions: Positions
  compare: Compare
  catchingUp: CatchingUpOf
  /** Told of deliveries that were made, and of endpoints whose deliveries are in the tables. */
  onMade: (made: readonly Delivery[], known: ReadonlySet<string>) => void
}

const published = z.object({
  network: z.enum(NETWORK_CODES),
  address: z.string(),
  version: z.number(),
  body: z.string(),
  reasons: z.string().optional().default('[]'),
  // A list in records of wallets, where nothing that is watched can be told apart by it.
  unknowns: z.string().catch(''),
  model_version: z.string().optional().default(''),
  data_height: z.number().optional(),
})

const SUFFIXES = WATCHED_OPERATIONS.map((operation) => [operation, `:${operation}`] as const)

/** What the key of a message is about. A key without an operation belongs to the fraud check; others end with theirs. */
export const subjectOfKey = (key: string): { network: string; address: string; operation: WatchedOperation } => {
  const at = key.indexOf(':')
  const [operation, suffix] = SUFFIXES.find(([, end]) => key.endsWith(end)) ?? (['fraud_check', ''] as const)
  return { network: key.slice(0, at), address: key.slice(at + 1, key.length - suffix.length), operation }
}

/** Goes on where the last leader stopped. Records that were seen twice change nothing. */
export const createFollow = (options: FollowOptions) => {
  const { context, bus, list, verdicts, positions, compare, catchingUp, onMade } = options
  const { clock, log, metrics } = context
  const watchedNow = metrics.gauge('assay_watch_addresses', 'Watched addresses that this process compares')
  const seen = metrics.counter('assay_watch_records_total', 'Records that were looked at for watched addresses')
  let filter = createWatchFilter()
  const places = new Map<number, Position & { written: number }>()
  const recent = new Map<string, number>()
  let learned = 0
  const behind = new Set<Network>()
  const recheck = new Map<Network, WatchSubject | undefined>()

  const place = async (partition: number, next: bigint, until: bigint) => {
    const position = { next, until, learned, behind: [...behind] }
    await positions.write({ partition, ...position })
    places.set(partition, { ...position, written: clock.now() })
  }

  const compareAll = async (records: readonly WatchedRecord[]) => {
    for (let at = 0; at < records.length; at += COMPARED) {
      const { made, known, behind: passedOver } = await compare(records.slice(at, at + COMPARED))
      for (const network of passedOver) behind.add(network)
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

  /** Newest records of watched addresses from an offset on, up to a bound or to as many as are compared together. */
  const scan = async (partition: number, from: bigint, until: bigint | undefined) => {
    const hits = new Map<string, { value: Buffer; operation: WatchedOperation }>()
    let next = from
    let messages = 0
    const pause = createPause()
    for await (const { offset, key, value } of bus.read(topics.records, partition, from)) {
      if (until !== undefined && offset >= until) break
      next = offset + 1n
      messages++
      // What is at hand already comes without a turn for anybody else.
      if (messages % LOOKS === 0) await pause()
      const { network, address, operation } = subjectOfKey(key ?? '')
      if (filter.mayHave(network, address)) hits.set(key ?? '', { value, operation })
      if (until === undefined && (hits.size >= MOST_HITS || messages >= MOST_MESSAGES)) break
    }
    seen.inc(messages)
    const records: WatchedRecord[] = []
    for (const [key, { value, operation }] of hits) {
      const record = recordOf(key, value, operation)
      if (record) records.push(record)
      await pause()
    }
    const more = messages >= MOST_MESSAGES || hits.size >= MOST_HITS
    return { records, next: until !== undefined && until > next ? until : next, more }
  }

  /** Reads on; whether there is more at once. */
  const advance = async (partition: number): Promise<boolean> => {
    const position = places.get(partition)
    if (!position) return false
    const begun = position.until > position.next ? position.until : undefined
    const { records, next, more } = await scan(partition, position.next, begun)
    if (records.length > 0) {
      if (begun === undefined) await place(partition, position.next, next)
      await compareAll(records)
      await place(partition, next, next)
    } else {
      const hasMoved = next > position.next || learned > position.learned
      const isDue = hasMoved && !isWithin(clock, POSITION_MS, position.written)
      const isOther = behind.size !== position.behind.length || position.behind.some((network) => !behind.has(network))
      if (isDue || isOther) await place(partition, next, next)
      else places.set(partition, { ...position, next, until: next })
    }
    return more
  }

  /** Takes over what was added to watch lists. */
  const learn = async () => {
    const now = clock.now()
    for (const [key, at] of recent) {
      if (at > now - 3 * OVERLAP_MS && recent.size < MOST_RECENT) break
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
    for (let at = 0; at < subjects.length; at += COMPARED) {
      await compareAll(await verdicts.records(subjects.slice(at, at + COMPARED)))
    }
  }

  /** Compares a page of a network that caught up with the tables: its records were passed over. */
  const lookAgain = async () => {
    for (const network of behind) {
      if (catchingUp(network)) recheck.delete(network)
      else if (!recheck.has(network)) recheck.set(network, undefined)
    }
    for (const [network, after] of recheck) {
      const subjects = await list.subjects(after, MOST_HITS, network)
      await compareTables(subjects)
      if (subjects.length === MOST_HITS) recheck.set(network, subjects.at(-1))
      else {
        recheck.delete(network)
        if (!catchingUp(network)) behind.delete(network)
      }
    }
  }

  /** Reads the whole watch list anew, which also forgets what was removed from it. */
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
    /** Begins where the process before ended; at the end of the topic when there was none. */
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
        if (isOther) log.warn({ partition }, 'found another topic of records: it is compared from its beginning')
        const next = isOther ? first : (position?.next ?? end)
        const until = isOther ? first : (position?.until ?? end)
        places.set(partition, { next, until, learned, behind: [...behind], written: 0 })
        if (!position) await place(partition, next, until)
      }
    },
    /** Another process goes on. */
    reset: () => {
      filter = createWatchFilter()
      watchedNow.set(0)
    },
    learn,
    lookAgain,
    reload,
    /** Compares what came since; whether there is more at once. */
    advance: async (): Promise<boolean> => {
      let more = false
      for (const partition of places.keys()) more = (await advance(partition)) || more
      return more
    },
  }
}
