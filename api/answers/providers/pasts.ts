/**
 * Fetches the pasts of wallets on demand: requests from the indexer what the tables lack, and waits within a budget. Longer
 * fetches continue in the background, and the wallet is scored again when they end.
 */
import { LRUCache } from 'lru-cache'
import type { Producer } from '../../../platform/bus/bus.ts'
import { isWithin, steadyTime } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { messageOf } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { encodePastRequest, type PastRequest, topics } from '../../../schema/topics.ts'
import { type FetchedPast, loadFetched } from '../../../scorer/ledger/past/fetched.ts'
import { beginsWithChain, loadPast } from '../../../scorer/ledger/past/past.ts'
import { keyOf, type Subject } from './provider.ts'

/** `why`: what is unknown about the past of a wallet; `undefined` if it is complete. */
export type PastKnown = { why: string | undefined }

/** Fetches history from before the index. */
export type Pasts = {
  /** Waits for the past of a wallet within the budget. Does not throw. */
  fetch: (subject: Subject) => Promise<PastKnown>
  /** Waits for the pools of a token that exchanges created before the first covered block. Does not throw. */
  findPools: (network: Network, token: string) => Promise<void>
}

/** Dependencies and the wait budget. */
export type PastsOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  store: Store
  producer: Pick<Producer, 'send'>
  /** How long a caller waits, ms; 0: requests without waiting. */
  budgetMs: number
}

/** Pause before an incomplete past is requested again, ms. */
const AGAIN_MS = 600_000
/** Pause before an unanswered request is repeated, ms: it is still on the indexer's topic. */
const ASKED_AGAIN_MS = 60_000
/** First and longest pause between two polls of the tables, ms. The pause doubles, because many callers may wait at once. */
const POLL_MS = 50
const MAX_POLL_MS = 400
const MAX_REQUESTED = 10_000
/** After this many consecutive unanswered requests callers do not wait for `REST_MS`. */
const MAX_UNANSWERED = 3
const REST_MS = 30_000

const KNOWN: PastKnown = { why: undefined }

/** Requests each past at most once per minute, and stops waiting on a network whose indexer does not answer. */
export const createPasts = ({ context, store, producer, budgetMs }: PastsOptions): Pasts => {
  const { clock, log, metrics } = context
  const time = steadyTime(clock.now)
  const asked = new LRUCache<string, number>({ max: MAX_REQUESTED })
  const fromBeginning = new Set<Network>()
  const silent = new Map<Network, { times: number; since: number }>()
  const outcomes = metrics.counter(
    'assay_past_requests_total',
    'Pasts of wallets that callers waited for, by outcome',
    ['network', 'outcome'] as const,
  )

  const isRecent = ({ done, version }: FetchedPast) => done === 1 && isWithin(clock, AGAIN_MS, version)

  const ask = async ({ network, address }: Subject, what: Omit<PastRequest, 'address'> = {}) => {
    const key = `${keyOf({ network, address })}${what.pools ? ' pools' : ''}`
    const before = asked.get(key)
    if (before !== undefined && time() - before < ASKED_AGAIN_MS) return
    await producer.send([
      { topic: topics.pasts(network), messages: [encodePastRequest(network, { address, ...what })] },
    ])
    asked.set(key, time())
  }

  const mayWait = (network: Network): boolean => {
    const { times, since } = silent.get(network) ?? { times: 0, since: 0 }
    return times < MAX_UNANSWERED || time() - since > REST_MS
  }

  /** Polls until the fetch has changed the stored state and is done. Returns whether it changed. */
  const wait = async ({ network, address }: Subject, before: FetchedPast | undefined): Promise<boolean> => {
    const deadline = time() + (mayWait(network) ? budgetMs : 0)
    let answered = false
    for (let pause = POLL_MS; time() < deadline; pause = Math.min(pause * 2, MAX_POLL_MS)) {
      await clock.sleep(Math.min(pause, deadline - time()))
      const now = (await loadFetched(store, network, [address])).get(address)
      answered ||= now !== undefined && now.version !== before?.version
      if (answered && now?.done === 1) break
    }
    if (answered) silent.delete(network)
    else silent.set(network, { times: (silent.get(network)?.times ?? 0) + 1, since: time() })
    return answered
  }

  const fetch = async (subject: Subject): Promise<PastKnown> => {
    const { network, address } = subject
    const { past, fetched } = await loadPast(store, network, address)
    if (past.kind === 'whole') {
      if (fetched === undefined && (await beginsWithChain(store, network))) fromBeginning.add(network)
      return KNOWN
    }
    if (fetched && isRecent(fetched)) return past
    await ask(subject)
    const answered = await wait(subject, fetched)
    const { past: now } = await loadPast(store, network, address)
    outcomes.inc({ network, outcome: now.kind === 'whole' ? 'whole' : answered ? 'partial' : 'late' })
    return now.kind === 'whole' ? KNOWN : now
  }

  const findPools = async (network: Network, token: string) => {
    const subject = { network, address: token }
    const before = (await loadFetched(store, network, [token])).get(token)
    // Only if the last fetch was a search for pools.
    if (before && /pools/.test(before.why) && isRecent(before)) return
    await ask(subject, { pools: true })
    await wait(subject, before)
  }

  return {
    findPools: async (network, token) => {
      if (networkInfo(network).dialect === null) return
      try {
        await findPools(network, token)
      } catch (error) {
        outcomes.inc({ network, outcome: 'failed' })
        log.warn({ network, reason: messageOf(error) }, 'failed to find the pools of a token')
      }
    },
    fetch: async (subject) => {
      const { network } = subject
      if (networkInfo(network).dialect === null || fromBeginning.has(network)) return KNOWN
      try {
        return await fetch(subject)
      } catch (error) {
        outcomes.inc({ network, outcome: 'failed' })
        log.warn({ network, reason: messageOf(error) }, 'failed to fetch the past of a wallet')
        return { why: 'it could not be fetched' }
      }
    },
  }
}
