/**
 * Asks a Sourcify-compatible service whether a contract's source was verified: `GET /v2/contract/{chainId}/{address}`
 * answers 200 with a `match`, or 404 (Sourcify API v2). A service that fails is left alone for a while, and what it would
 * have said stays unknown.
 */
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Context } from '../../../../platform/context.ts'
import { messageOf } from '../../../../platform/errors.ts'
import { bytesOf, codeHashOf } from '../bytecode.ts'
import type { Published, RunningCode, VerifiedSources } from './registry.ts'

export type VerifiedSourcesDeps = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  /** Base of the service, for example https://sourcify.dev/server. */
  url: string
  /** Milliseconds one contract may take, retries included. @default 3_000 */
  deadlineMs?: number
}

const DEADLINE_MS = 3_000
const ATTEMPTS = 3
const PAUSE_MS = 100
/** Milliseconds a service that failed is not asked. */
const REST_MS = 30_000
/** What was not verified may be any day; what was verified stays so. */
const UNVERIFIED_MS = 3_600_000
const MOST_REMEMBERED = 50_000

const answer = z.object({ match: z.enum(['exact_match', 'match']).nullish() })

class Refusal extends Error {}

/** @throws Refusal when asking again makes no sense, and whatever fetch throws. */
const ask = async (url: string, signal: AbortSignal): Promise<boolean> => {
  const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
  if (response.status === 404) {
    await response.body?.cancel()
    return false
  }
  if (response.status === 200) {
    const parsed = answer.safeParse(await response.json())
    if (!parsed.success) throw new Refusal('the answer is not that of a verified contract')
    return typeof parsed.data.match === 'string'
  }
  await response.body?.cancel()
  if (response.status === 429 || response.status >= 500) throw new Error(`status ${response.status}`)
  throw new Refusal(`status ${response.status}`)
}

export const createVerifiedSources = ({
  context,
  url,
  deadlineMs = DEADLINE_MS,
}: VerifiedSourcesDeps): VerifiedSources => {
  const { clock, log, metrics } = context
  const base = url.replace(/\/+$/, '')
  const lookups = metrics.counter('assay_source_lookups_total', 'Questions to the service of verified sources', [
    'outcome',
  ])
  const remembered = new LRUCache<string, { published: boolean; until: number }>({ max: MOST_REMEMBERED })
  const running = new Map<string, Promise<Published>>()
  let restUntil = 0

  const attempts = async (target: string): Promise<boolean> => {
    const signal = AbortSignal.timeout(deadlineMs)
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask(target, signal)
      } catch (error) {
        if (attempt === ATTEMPTS || error instanceof Refusal || signal.aborted) throw error
        await clock.sleep(PAUSE_MS * 2 ** (attempt - 1), signal)
      }
    }
  }
  const told = (published: boolean): Published => ({
    published,
    evidence: published ? `${base} has verified the source` : `${base} knows no source`,
  })
  const find = async (key: string, { chainId, address }: RunningCode): Promise<Published> => {
    try {
      const published = await attempts(`${base}/v2/contract/${chainId}/${address}`)
      remembered.set(key, { published, until: published ? Number.POSITIVE_INFINITY : clock.now() + UNVERIFIED_MS })
      lookups.inc({ outcome: published ? 'verified' : 'unverified' })
      return told(published)
    } catch (error) {
      restUntil = clock.now() + REST_MS
      lookups.inc({ outcome: 'failed' })
      log.warn(
        { url: base, reason: messageOf(error), restMs: REST_MS },
        'got no answer from the service of verified sources',
      )
      return { published: undefined, evidence: `${base} did not answer` }
    }
  }

  return async (asked) => {
    // Code at an address can be replaced: what was said of other code says nothing of this.
    const key = `${asked.chainId}:${asked.address}:${codeHashOf(bytesOf(asked.code))}`
    const known = remembered.get(key)
    if (known && known.until > clock.now()) return told(known.published)
    if (clock.now() < restUntil)
      return { published: undefined, evidence: `${base} failed and is left alone for a while` }
    const pending = running.get(key) ?? find(key, asked).finally(() => running.delete(key))
    running.set(key, pending)
    return pending
  }
}
