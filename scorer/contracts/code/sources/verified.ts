/**
 * Asks a source service whether a contract's source is verified. After a failure the service is not called for a while, and
 * answers are unknown. A failure that concerns one contract, such as a source that is too large, leaves only that contract
 * unknown.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../platform/context/context.ts'
import { messageOf } from '../../../../platform/errors.ts'
import { bytesOf, codeHashOf } from '../bytecode.ts'
import type { Published, RunningCode, VerifiedSources } from './registry.ts'
import { ContractRefusal, Refusal, type SourceMatch, serviceAt } from './services.ts'

/** Options of a source service. The query of an Etherscan-compatible URL may hold a key; evidence and log lines leave it out. */
export type VerifiedSourcesDeps = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  /** Sourcify's server, such as https://sourcify.dev/server, or an Etherscan-compatible API, whose path ends in `/api`. */
  url: string
  /** Deadline for one contract, retries included, ms. @default 3_000 */
  deadlineMs?: number
}

const DEADLINE_MS = 3_000
const ATTEMPTS = 3
const PAUSE_MS = 100
/** Pause after a failure of the service, ms. */
const REST_MS = 30_000
/** Lifetime of cached answers other than "verified", which never expires, ms. */
const UNVERIFIED_MS = 3_600_000
const MAX_CACHED = 50_000

/**
 * Creates a client of the service at `url`. It never throws; without an answer `published` is undefined. Verified answers
 * are cached for good, others about a contract for an hour, by address and code.
 */
export const createVerifiedSources = ({
  context,
  url,
  deadlineMs = DEADLINE_MS,
}: VerifiedSourcesDeps): VerifiedSources => {
  const { clock, log, metrics } = context
  const service = serviceAt(url)
  const { displayUrl: base } = service
  const lookups = metrics.counter('assay_source_lookups_total', 'Questions to the service of verified sources', [
    'outcome',
  ])
  const cache = new LRUCache<string, { answer: Published; until: number }>({ max: MAX_CACHED })
  const running = new Map<string, Promise<Published>>()
  let restUntil = 0

  const attempts = async (asked: RunningCode): Promise<SourceMatch> => {
    const signal = AbortSignal.timeout(deadlineMs)
    for (let attempt = 1; ; attempt++) {
      try {
        return await service.ask(asked, signal)
      } catch (error) {
        if (attempt === ATTEMPTS || error instanceof Refusal || signal.aborted) throw error
        await clock.sleep(PAUSE_MS * 2 ** (attempt - 1), signal)
      }
    }
  }
  const publishedOf = ({ published, name }: SourceMatch): Published => {
    const as = name === undefined ? '' : ` as ${name}`
    const evidence = published ? `${base} has verified the source${as}` : `${base} knows no source`
    return { published, evidence, ...(name === undefined ? {} : { name }) }
  }
  const find = async (key: string, asked: RunningCode): Promise<Published> => {
    const remember = (answer: Published): Published => {
      const until = answer.published ? Number.POSITIVE_INFINITY : clock.now() + UNVERIFIED_MS
      cache.set(key, { answer, until })
      return answer
    }
    try {
      const found = await attempts(asked)
      lookups.inc({ outcome: found.published ? 'verified' : 'unverified' })
      return remember(publishedOf(found))
    } catch (error) {
      lookups.inc({ outcome: 'failed' })
      const reason = messageOf(error)
      if (error instanceof ContractRefusal) {
        const { chainId, address } = asked
        log.warn(
          { url: base, chainId, address, reason },
          'got no answer about a contract from the service of verified sources',
        )
        return remember({ published: undefined, evidence: `${base} did not answer about this contract: ${reason}` })
      }
      restUntil = clock.now() + REST_MS
      log.warn({ url: base, reason, restMs: REST_MS }, 'got no answer from the service of verified sources')
      return { published: undefined, evidence: `${base} did not answer` }
    }
  }

  return async (asked) => {
    // Code at an address can be replaced, so the key includes its hash.
    const key = `${asked.chainId}:${asked.address}:${codeHashOf(bytesOf(asked.code))}`
    const known = cache.get(key)
    if (known && known.until > clock.now()) return known.answer
    if (clock.now() < restUntil)
      return { published: undefined, evidence: `${base} failed and is left alone for a while` }
    const pending = running.get(key) ?? find(key, asked).finally(() => running.delete(key))
    running.set(key, pending)
    return pending
  }
}
