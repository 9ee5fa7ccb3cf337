/**
 * Has the pasts of wallets fetched that somebody wants a verdict on now: asks the indexer for what the tables lack, and waits for it
 * as long as a caller can. What takes longer goes on in the background, and the wallet is scored again when it is there.
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

/** `why`: what is not known of what the wallet did; `undefined` where everything is. */
export type PastKnown = { why: string | undefined }

/** Has history from before the index fetched while somebody waits. */
export type Pasts = {
  /** Waits for the past of a wallet within the budget. Failures leave it as it was. */
  fetch: (subject: Subject) => Promise<PastKnown>
  /** Waits for the pools that exchanges announced with a token before the first covered block. Failures leave them as they were. */
  findPools: (network: Network, token: string) => Promise<void>
}

/** Where requests go, and how long they are waited for. */
export type PastsOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  store: Store
  producer: Pick<Producer, 'send'>
  /** How long a caller waits, ms; 0 to ask without waiting. */
  budgetMs: number
}

/** A past that could not be made whole is not asked for again for this long, ms. */
const AGAIN_MS = 600_000
/** The same of one that was asked for and not answered at all: the indexer has it on its topic. */
const ASKED_AGAIN_MS = 60_000
/** First pause between two looks at the tables, which doubles, and the longest: many may wait at once. */
const LOOK_MS = 50
const MOST_LOOK_MS = 400
const MOST_REMEMBERED = 10_000
/** Questions in a row without any answer, after which nobody waits for a while. */
const PATIENCE = 3
const REST_MS = 30_000

const KNOWN: PastKnown = { why: undefined }

/** Asks for each wallet once in a while, and waits no more where an indexer was silent repeatedly. */
export const createPasts = ({ context, store, producer, budgetMs }: PastsOptions): Pasts => {
  const { clock, log, metrics } = context
  const time = steadyTime(clock.now)
  const asked = new LRUCache<string, number>({ max: MOST_REMEMBERED })
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
    return times < PATIENCE || time() - since > REST_MS
  }

  /** Until the state of the past is another one than before, and nothing more is looked for. */
  const wait = async ({ network, address }: Subject, before: FetchedPast | undefined): Promise<boolean> => {
    const deadline = time() + (mayWait(network) ? budgetMs : 0)
    let answered = false
    for (let pause = LOOK_MS; time() < deadline; pause = Math.min(pause * 2, MOST_LOOK_MS)) {
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
    // Of a search for its pools, not of one for what it did.
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
        log.warn({ network, reason: messageOf(error) }, 'failed to have the pools of a token looked for')
      }
    },
    fetch: async (subject) => {
      const { network } = subject
      if (networkInfo(network).dialect === null || fromBeginning.has(network)) return KNOWN
      try {
        return await fetch(subject)
      } catch (error) {
        outcomes.inc({ network, outcome: 'failed' })
        log.warn({ network, reason: messageOf(error) }, 'failed to have the past of a wallet fetched')
        return { why: 'it could not be fetched' }
      }
    },
  }
}
