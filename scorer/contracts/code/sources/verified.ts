/**
 * Asks a service whether a contract's source was verified, in the words of Sourcify or of Etherscan (`services.ts`). A
 * service that fails is left alone for a while, and what it would have said stays unknown. Where it fails about one contract
 * only, whose source may be larger than anybody reads, only that contract stays unknown.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../platform/context/context.ts'
import { messageOf } from '../../../../platform/errors.ts'
import { bytesOf, codeHashOf } from '../bytecode.ts'
import type { Published, RunningCode, VerifiedSources } from './registry.ts'
import { ContractRefusal, Refusal, type SourceMatch, serviceAt } from './services.ts'

/** One service. An Etherscan-compatible one may have a key in its query, which no evidence and no log line shows. */
export type VerifiedSourcesDeps = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  /** Sourcify's server, such as https://sourcify.dev/server, or an Etherscan-compatible API, whose path ends in `/api`. */
  url: string
  /** Milliseconds one contract may take, retries included. @default 3_000 */
  deadlineMs?: number
}

const DEADLINE_MS = 3_000
const ATTEMPTS = 3
const PAUSE_MS = 100
/** Milliseconds a service that failed is not asked. */
const REST_MS = 30_000
/** What was not verified, or could not be read, may be any day; what was verified stays so. */
const UNVERIFIED_MS = 3_600_000
const MAX_REMEMBERED = 50_000

/**
 * Asks the service at `url`, and never throws: no answer is unknown. Verified answers are kept for good, others about a
 * contract for an hour, by address and code.
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
  const remembered = new LRUCache<string, { answer: Published; until: number }>({ max: MAX_REMEMBERED })
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
  const told = ({ published, name }: SourceMatch): Published => {
    const as = name === undefined ? '' : ` as ${name}`
    const evidence = published ? `${base} has verified the source${as}` : `${base} knows no source`
    return { published, evidence, ...(name === undefined ? {} : { name }) }
  }
  const find = async (key: string, asked: RunningCode): Promise<Published> => {
    const remember = (answer: Published): Published => {
      const until = answer.published ? Number.POSITIVE_INFINITY : clock.now() + UNVERIFIED_MS
      remembered.set(key, { answer, until })
      return answer
    }
    try {
      const found = await attempts(asked)
      lookups.inc({ outcome: found.published ? 'verified' : 'unverified' })
      return remember(told(found))
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
    // Code at an address can be replaced: what was said of other code says nothing of this.
    const key = `${asked.chainId}:${asked.address}:${codeHashOf(bytesOf(asked.code))}`
    const known = remembered.get(key)
    if (known && known.until > clock.now()) return known.answer
    if (clock.now() < restUntil)
      return { published: undefined, evidence: `${base} failed and is left alone for a while` }
    const pending = running.get(key) ?? find(key, asked).finally(() => running.delete(key))
    running.set(key, pending)
    return pending
  }
}
