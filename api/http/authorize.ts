/** Who is asking, and whether they may ask now. The same step for HTTP routes, the A2A agent and MCP. */
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Caller } from '../keys/caller.ts'
import { SOURCE_REFUSED } from '../keys/restrictions.ts'
import type { KeyRing } from '../keys/ring.ts'
import type { Failures } from '../limits/failures.ts'
import type { Allowance, Limits } from '../limits/limits.ts'

/** A caller who may ask, with the headers that state what is left of the limit. */
export type Authorized = { caller: Caller; headers: Record<string, string> }
/** The answer to somebody who may not. */
export type Refused = { refused: Answer }

/** Decides who may ask. Nothing that costs something runs before it. */
export type Authorize = {
  /**
   * Accepts a key in force that has not used up its limit, whoever else sends what from its address (`ip`). Synchronous
   * unless limits are shared. An address that sends many invalid keys is told so with 429 for a while.
   */
  byKey: (key: string | string[] | undefined, ip: string) => Authorized | Refused | Promise<Authorized | Refused>
  /** Whether an address sent too many invalid keys or payments lately: the refusal then. */
  shutOut: (ip: string) => Refused | undefined
  /** Counts an invalid payment of an address, as an invalid key counts. */
  fail: (ip: string) => void
  /** The most units a caller can ever be admitted with at once. */
  window: Limits['window']
  /** Holds a caller that is known already, such as a payer, against its limit for `units` calls, one by default. */
  admit: (caller: Caller, units?: number) => Authorized | Refused | Promise<Authorized | Refused>
}

const CHALLENGE = { 'www-authenticate': 'ApiKey realm="assay", header="x-api-key"' }
const MISSING = errorAnswer(
  'KEY_MISSING',
  'The header x-api-key is missing.',
  [{ field: 'x-api-key', reason: 'is required' }],
  CHALLENGE,
)
const INVALID = errorAnswer(
  'KEY_INVALID',
  'The API key is not valid.',
  [{ field: 'x-api-key', reason: 'is unknown or revoked' }],
  CHALLENGE,
)
const EXPIRED = errorAnswer(
  'KEY_EXPIRED',
  'The API key has expired.',
  [{ field: 'x-api-key', reason: 'has expired' }],
  CHALLENGE,
)

/** Longer texts are no keys and are not worth hashing. */
const MAX_KEY = 256

const blocked = (ms: number): Refused => ({
  refused: errorAnswer('RATE_LIMITED', 'Too many invalid keys or payments came from this address.', [], {
    'retry-after': String(Math.max(1, Math.ceil(ms / 1_000))),
  }),
})

const decided = (caller: Caller, { allowed, headers }: Allowance): Authorized | Refused =>
  allowed
    ? { caller, headers }
    : {
        refused: errorAnswer(
          'RATE_LIMITED',
          'The rate limit is exceeded. Retry-After says when to go on.',
          [],
          headers,
        ),
      }

/** Answers at once where keys and limits are in this process. */
export const createAuthorize = (ring: KeyRing, limits: Limits, failures: Failures): Authorize => {
  const admit: Authorize['admit'] = (caller, units) => {
    const allowance = limits.call(caller, units)
    return allowance instanceof Promise ? allowance.then((late) => decided(caller, late)) : decided(caller, allowance)
  }
  return {
    admit,
    window: limits.window,
    shutOut: (ip) => {
      const ms = failures.blockedMs(ip)
      return ms > 0 ? blocked(ms) : undefined
    },
    fail: failures.fail,
    byKey: (key, ip) => {
      if (key === undefined || key === '') return { refused: MISSING }
      const caller = typeof key === 'string' && key.length <= MAX_KEY ? ring.find(key) : undefined
      if (caller) return ring.mayCome(caller, ip) ? admit(caller) : { refused: SOURCE_REFUSED }
      const blockedMs = failures.blockedMs(ip)
      if (blockedMs > 0) return blocked(blockedMs)
      failures.fail(ip)
      return { refused: typeof key === 'string' && key.length <= MAX_KEY && ring.isExpired(key) ? EXPIRED : INVALID }
    },
  }
}
