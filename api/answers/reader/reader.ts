/**
 * Finds the record for a request in memory, else in the store (with coalesced look-ups), else computes it. A record older than
 * `maxAgeMs` is served and refreshed in the background; one that could not be refreshed within `hardMaxAgeMs` is not served. An
 * unknown address is cached briefly too. A new verdict on a wallet invalidates the records of other operations, so that all of
 * them agree.
 *
 * While a network catches up, verdicts may rest on partial data. Once it has caught up, results of work that began earlier are not
 * used: memory is looked up again, and a verdict that leaves the logs of authorities open is computed again, because another
 * replica may store such a verdict late.
 */

import { LRUCache } from 'lru-cache'
import { steadyTime } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Operation } from '../../../schema/networks.ts'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import type { StoredRecord } from '../../../schema/records/stored.ts'
import type { Settled, SettledOf } from '../catching-up.ts'
import { keyOf, type Provider, type Providers, type Subject } from '../providers/provider.ts'
import type { Counter, Counts } from '../served/counts.ts'
import { createAbsent } from './absent.ts'
import { createBatcher } from './batch.ts'
import { type CachedRecord, type Confirmed, createRecordCache, type RecordCache } from './cache.ts'
import type { Compute } from './compute.ts'
import { served } from './first-answers.ts'

/** A record and where it was found. */
export type Found = { entry: CachedRecord; outcome: 'memory' | 'store' | 'computed' }

/** Records of all operations. */
export type Reader = {
  readonly cache: RecordCache
  available: (operation: Operation) => boolean
  /** Synchronous if in memory or known to be absent. `undefined`: no activity. @throws Busy, Late, and errors of the provider */
  find: (operation: Operation, subject: Subject) => Found | undefined | Promise<Found | undefined>
  /** Whether `find` would be synchronous. */
  holds: (operation: Operation, subject: Subject) => boolean
  /** Scores now, ignoring stored records. Concurrent callers share the computation. */
  recalculate: (operation: Operation, subject: Subject) => Promise<Found | undefined>
  /** Applies a newly published record: replaces the one in memory, and ends the absence of its address. */
  refresh: (operation: Operation, subject: Subject, stored: StoredRecord) => void
}

/** Dependencies and limits of the reader. */
export type ReaderOptions = {
  context: Pick<Context, 'clock' | 'log'>
  providers: Providers
  counts: Counts
  compute: Compute
  /** Runs computations of bulk providers. @default compute */
  computeInBulk?: Compute
  maxBytes: number
  /** Age at which a record in memory is refreshed, ms. */
  maxAgeMs: number
  /** Age from which an unconfirmed record is not served, ms. */
  hardMaxAgeMs: number
  lookupConcurrency: number
  maxBatch: number
  lookupDeadlineMs: number
  /** How long an unknown address is cached, ms; at most `maxAbsent` addresses. */
  absentMs: number
  maxAbsent: number
  /** Since when the tables of a network are complete. @default always */
  settled?: SettledOf | undefined
}

/** Maximum clock skew between replicas and scorers, ms. Versions of verdicts are times of their clocks. */
const CLOCKS_MS = 60_000
const ALWAYS: Settled = { since: 0, logsKnown: false }

/** Newest verdicts whose versions are remembered for look-ups in flight. */
const MAX_VERDICTS = 20_000

type Loaded = { stored: StoredRecord | undefined; counter: Counter | undefined }

/** Cache key of an operation's record. */
export const recordKey = (operation: Operation, subject: Subject): string => `${operation}:${keyOf(subject)}`

/** A reader with an empty cache. */
export const createReader = (options: ReaderOptions): Reader => {
  const {
    context,
    providers,
    counts,
    compute,
    computeInBulk = compute,
    maxBytes,
    maxAgeMs,
    hardMaxAgeMs,
    lookupConcurrency,
    maxBatch,
    lookupDeadlineMs,
    settled = () => ALWAYS,
  } = options
  const { clock, log } = context
  const time = steadyTime(clock.now)
  const cache = createRecordCache(maxBytes)
  /** Version of the newest verdict by address. Records of other operations with a lower version are outdated. */
  const verdicts = new LRUCache<string, number>({ max: MAX_VERDICTS })
  const absent = createAbsent({ maxEntries: options.maxAbsent, ttlMs: options.absentMs, now: time })

  const countersOf = async (operation: Operation, subjects: readonly Subject[], signal: AbortSignal) => {
    const kind = OPERATIONS[operation].framing.counted
    return kind ? counts.load(kind, subjects, signal) : []
  }

  const loaderOf = (operation: Operation, provider: Provider) =>
    createBatcher<Subject, Loaded>({
      concurrency: lookupConcurrency,
      maxBatch,
      load: async (subjects) => {
        const signal = AbortSignal.timeout(lookupDeadlineMs)
        const [stored, counters] = await Promise.all([
          provider.lookup(subjects, signal),
          countersOf(operation, subjects, signal),
        ])
        return subjects.map((_, index) => ({ stored: stored[index], counter: counters[index] }))
      },
    })

  const loaders = new Map(
    Object.values(OPERATIONS).flatMap(({ id }) => {
      const provider = providers[id]
      return provider ? [[id, { provider, load: loaderOf(id, provider) }] as const] : []
    }),
  )
  const partsOf = (operation: Operation) => {
    const parts = loaders.get(operation)
    if (!parts) throw new RangeError(`no provider for ${operation}`)
    return parts
  }

  /** Whether the verdict leaves logs open that are known by now, because its computation began before that. */
  const isLate = ({ network }: Subject, { unsure, version }: StoredRecord): boolean => {
    const { since, logsKnown } = settled(network)
    return unsure === true && logsKnown && version < since + CLOCKS_MS
  }

  /** Key under which work is shared. It changes when the network becomes complete, so that earlier work is not shared. */
  const shareOf = (key: string, { network }: Subject): string => `${key}@${settled(network).since}`

  /** The current time and state of the network: what work that begins now rests on. */
  const beginning = ({ network }: Subject): Confirmed => ({ at: time(), settled: settled(network).since })

  /** @param begun when the look-up began */
  const remember = (
    operation: Operation,
    subject: Subject,
    { stored, counter }: { stored: StoredRecord; counter: Counter | undefined },
    begun: Confirmed,
  ) => {
    const key = recordKey(operation, subject)
    const entry: CachedRecord = { ...stored, counter, loadedAt: begun.at, confirmed: begun }
    // A profile older than the newest verdict: serve it for this request, but do not cache it.
    const follows = OPERATIONS[operation].subject === 'wallet'
    return follows && stored.version < (verdicts.get(keyOf(subject)) ?? 0) ? entry : cache.put(key, entry)
  }

  const recalculate = async (operation: Operation, subject: Subject): Promise<Found | undefined> => {
    const { provider } = partsOf(operation)
    const key = recordKey(operation, subject)
    const share = shareOf(key, subject)
    const run = provider.inBulk ? computeInBulk : compute
    return run(share, async (signal): Promise<Found | undefined> => {
      const begun = beginning(subject)
      const [stored, [counter]] = await Promise.all([
        provider.compute(subject, signal),
        countersOf(operation, [subject], signal),
      ])
      if (!stored) {
        absent.add(share)
        cache.delete(key)
        return undefined
      }
      absent.delete(share)
      return { entry: remember(operation, subject, { stored, counter }, begun), outcome: 'computed' }
    })
  }

  const load = async (operation: Operation, subject: Subject): Promise<Found | undefined> => {
    const begun = beginning(subject)
    const share = shareOf(recordKey(operation, subject), subject)
    const { stored, counter } = await partsOf(operation).load(share, subject)
    return stored && !isLate(subject, stored)
      ? { entry: remember(operation, subject, { stored, counter }, begun), outcome: 'store' }
      : recalculate(operation, subject)
  }

  const isCurrent = ({ confirmed }: CachedRecord, { network }: Subject): boolean =>
    time() - confirmed.at <= hardMaxAgeMs && confirmed.settled === settled(network).since

  const renew = (operation: Operation, subject: Subject, key: string, entry: CachedRecord) => {
    const begun = beginning(subject)
    // Even if this look-up fails, the next one starts only after `maxAgeMs`.
    entry.loadedAt = begun.at
    partsOf(operation)
      .load(shareOf(key, subject), subject)
      .then(async ({ stored }) => {
        if (stored && !isLate(subject, stored)) {
          cache.refresh(key, stored, begun)
          cache.confirm(key, begun)
        }
        // The stored record is outdated: a profile behind its fraud record, or an old contract analysis.
        else await recalculate(operation, subject)
      })
      .catch((err: unknown) => log.warn({ operation, err }, 'failed to refresh a record in memory'))
  }

  return {
    cache,
    available: (operation) => loaders.has(operation),
    find: (operation, subject) => {
      const key = recordKey(operation, subject)
      served(key)
      const entry = cache.get(key)
      if (!entry) return absent.has(shareOf(key, subject)) ? undefined : load(operation, subject)
      if (!isCurrent(entry, subject)) return load(operation, subject)
      if (time() - entry.loadedAt > maxAgeMs) renew(operation, subject, key, entry)
      return { entry, outcome: 'memory' }
    },
    holds: (operation, subject) => {
      const key = recordKey(operation, subject)
      const entry = cache.get(key)
      return entry ? isCurrent(entry, subject) : absent.has(shareOf(key, subject))
    },
    recalculate,
    refresh: (operation, subject, stored) => {
      const { body, version } = stored
      const isVerdict = operation === 'fraud_check'
      if (isVerdict) verdicts.set(keyOf(subject), Math.max(version, verdicts.get(keyOf(subject)) ?? 0))
      // Whether the address has activity applies to all operations.
      for (const id of loaders.keys()) {
        const key = recordKey(id, subject)
        // Withdrawn: removed from memory; an absence stays valid.
        if (body === '') {
          cache.delete(key)
          continue
        }
        absent.delete(shareOf(key, subject))
        if (isVerdict && id !== operation) cache.outdate(key, version)
      }
      const key = recordKey(operation, subject)
      if (isLate(subject, stored)) cache.delete(key)
      else if (body !== '') cache.refresh(key, stored, beginning(subject))
    },
  }
}
