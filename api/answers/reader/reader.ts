/**
 * Finds the record for a request: memory, else the store (look-ups coalesced), else computed on the spot. A record that
 * has been in memory for long is served as it is and looked up again behind the answer; one that could not be looked up for
 * very long is not served. That an address was never seen is remembered too, for a moment. A new verdict on a wallet outdates
 * what other operations hold of it, so that all of them tell the same.
 *
 * While a network catches up, verdicts may rest on a part of what exists. Once it has caught up, nothing is shared with or taken from
 * what was begun before: memory is looked up again, and a verdict that leaves the logs of authorities open is computed again. Another
 * replica may store one that it began before, however late.
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
  /** At once when in memory or known to be absent. `undefined`: never seen. @throws Busy, Late, or what the provider throws. */
  find: (operation: Operation, subject: Subject) => Found | undefined | Promise<Found | undefined>
  /** Whether `find` would answer at once. */
  holds: (operation: Operation, subject: Subject) => boolean
  /** Scores now, whatever is stored; callers who ask together share it. */
  recalculate: (operation: Operation, subject: Subject) => Promise<Found | undefined>
  /** A newer record exists: replaces the one in memory, and its address is absent no more. */
  refresh: (operation: Operation, subject: Subject, stored: StoredRecord) => void
}

/** Where records come from, and bounds of time and memory. */
export type ReaderOptions = {
  context: Pick<Context, 'clock' | 'log'>
  providers: Providers
  counts: Counts
  compute: Compute
  /** Runs computations of providers that compute in bulk. @default compute */
  computeInBulk?: Compute
  maxBytes: number
  /** Age at which a record in memory is looked up again, ms. */
  maxAgeMs: number
  /** Age from which a record that nobody has confirmed is not served, ms. */
  hardMaxAgeMs: number
  lookupConcurrency: number
  maxBatch: number
  lookupDeadlineMs: number
  /** How long an address is held to be never seen, ms; at most `maxAbsent` of them. */
  absentMs: number
  maxAbsent: number
  /** Since when what is read of a network can be relied on; always when not given. */
  settled?: SettledOf | undefined
}

/** How far the clocks of replicas and scorers may be apart, ms: versions of verdicts are times of theirs. */
const CLOCKS_MS = 60_000
const ALWAYS: Settled = { since: 0, logsKnown: false }

/** Look-ups under way meet at most so many new verdicts. */
const VERDICTS = 20_000

type Loaded = { stored: StoredRecord | undefined; counter: Counter | undefined }

/** Cache key of an operation's record. */
export const recordKey = (operation: Operation, subject: Subject): string => `${operation}:${keyOf(subject)}`

/** A reader with an empty memory. */
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
  /** Versions that records of other operations must not be below, of the addresses with the newest verdicts. */
  const verdicts = new LRUCache<string, number>({ max: VERDICTS })
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

  /** Whether it was begun before all logs were known, which it leaves open although they are. */
  const isLate = ({ network }: Subject, { unsure, version }: StoredRecord): boolean => {
    const { since, logsKnown } = settled(network)
    return unsure === true && logsKnown && version < since + CLOCKS_MS
  }

  /** What is begun under this name is shared by those who ask while the network stays what it is. */
  const shareOf = (key: string, { network }: Subject): string => `${key}@${settled(network).since}`

  /** Now, and what the network is now: what is begun rests on no more than that. */
  const beginning = ({ network }: Subject): Confirmed => ({ at: time(), settled: settled(network).since })

  /** @param begun when it was looked for */
  const remember = (
    operation: Operation,
    subject: Subject,
    { stored, counter }: { stored: StoredRecord; counter: Counter | undefined },
    begun: Confirmed,
  ) => {
    const key = recordKey(operation, subject)
    const entry: CachedRecord = { ...stored, counter, loadedAt: begun.at, confirmed: begun }
    // A profile that was looked up before the newest verdict came: this answer may have it, later ones look again.
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
    // Not asked again before another such age has passed, whatever becomes of this look-up.
    entry.loadedAt = begun.at
    partsOf(operation)
      .load(shareOf(key, subject), subject)
      .then(async ({ stored }) => {
        if (stored && !isLate(subject, stored)) {
          cache.refresh(key, stored, begun)
          cache.confirm(key, begun)
        }
        // What the store has is out of date: a profile behind its fraud record, an old contract analysis.
        else await recalculate(operation, subject)
      })
      .catch((err: unknown) => log.warn({ operation, err }, 'failed to renew a record in memory'))
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
      // What a record of one operation shows of the address, that it was seen or is no longer, holds for all of them.
      for (const id of loaders.keys()) {
        const key = recordKey(id, subject)
        // A record is withdrawn by the answer that found nothing, too, which stays true.
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
