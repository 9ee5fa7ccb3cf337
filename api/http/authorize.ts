/** Authenticates callers and checks their limits, for HTTP routes, A2A and MCP. */
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Caller } from '../keys/caller.ts'
import { SOURCE_REFUSED } from '../keys/restrictions.ts'
import type { KeyRing } from '../keys/ring.ts'
import type { Failures } from '../limits/failures.ts'
import type { Allowance, Limits } from '../limits/limits.ts'

/** An admitted caller, with the rate limit headers. */
export type Authorized = { caller: Caller; headers: Record<string, string> }
/** The answer to a refused caller. */
export type Refused = { refused: Answer }

/** Runs before any costly work of a request. */
export type Authorize = {
  /**
   * Admits a valid key within its limit, even from an address that is blocked for invalid keys. Synchronous unless limits
   * are shared. An address that sends many invalid keys gets 429 for a while.
   */
  byKey: (key: string | string[] | undefined, ip: string) => Authorized | Refused | Promise<Authorized | Refused>
  /** The refusal for an address that recently sent too many invalid keys or payments. */
  blocked: (ip: string) => Refused | undefined
  /** Counts an invalid payment of an address like an invalid key. */
  fail: (ip: string) => void
  /** The largest number of units that `admit` can ever accept for a caller. */
  window: Limits['window']
  /** Checks the limit of an identified caller, such as a payer, for `units` calls. Default: 1. */
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

/** Longer strings are not keys and are not hashed. */
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
          'The rate limit is exceeded. Wait for the seconds in Retry-After.',
          [],
          headers,
        ),
      }

/** Synchronous if limits are local to this process. */
export const createAuthorize = (ring: KeyRing, limits: Limits, failures: Failures): Authorize => {
  const admit: Authorize['admit'] = (caller, units) => {
    const allowance = limits.call(caller, units)
    return allowance instanceof Promise ? allowance.then((late) => decided(caller, late)) : decided(caller, allowance)
  }
  return {
    admit,
    window: limits.window,
    blocked: (ip) => {
      const ms = failures.blockedMs(ip)
      return ms > 0 ? blocked(ms) : undefined
    },
    fail: failures.fail,
    byKey: (key, ip) => {
      if (key === undefined || key === '') return { refused: MISSING }
      const caller = typeof key === 'string' && key.length <= MAX_KEY ? ring.find(key) : undefined
      if (caller) return ring.allowsSource(caller, ip) ? admit(caller) : { refused: SOURCE_REFUSED }
      const blockedMs = failures.blockedMs(ip)
      if (blockedMs > 0) return blocked(blockedMs)
      failures.fail(ip)
      return { refused: typeof key === 'string' && key.length <= MAX_KEY && ring.isExpired(key) ? EXPIRED : INVALID }
    },
  }
}
