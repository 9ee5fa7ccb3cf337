/** Rate limits by tier: one for calls, and a smaller one for recalculations. */
import type { Tier } from '../../schema/records/operations.ts'
import type { Caller } from '../keys/caller.ts'
import type { Window, WindowStore } from './window.ts'

/** The limit of a tier. */
export type TierLimit = {
  tier: Tier
  /** Calls per window; 0 means no limit. */
  limit: number
  windowMs: number
}

/** Whether a call is allowed, and the headers for the caller. */
export type Allowance = {
  allowed: boolean
  /** RateLimit-* (IETF draft, seconds to reset) and, when not allowed, Retry-After. */
  headers: Record<string, string>
}

/** Rate limits of callers. */
export type Limits = {
  /** Calls per window, which is also the largest batch that can ever be accepted; Infinity without a limit. */
  window: (caller: Pick<Caller, 'tier'>) => number
  /** Calls possible in 24 hours; Infinity without a limit. */
  perDay: (caller: Pick<Caller, 'tier'>) => number
  /** Takes all of `units` calls (default: 1), or none if they do not fit. */
  call: (caller: Caller, units?: number) => Allowance | Promise<Allowance>
  recalculation: (caller: Caller) => Allowance | Promise<Allowance>
}

/** Limits of each tier, and the store that counts them. */
export type LimitsOptions = {
  calls: readonly TierLimit[]
  recalculations: readonly TierLimit[]
  windows: WindowStore
  /** Milliseconds since the epoch. */
  now: () => number
}

const DAY_MS = 86_400_000

const UNLIMITED: Allowance = { allowed: true, headers: {} }

const createBudget = (name: string, limits: readonly TierLimit[], windows: WindowStore, now: () => number) => {
  const byTier = new Map(limits.map((limit) => [limit.tier, limit]))

  const allowanceOf = ({ limit }: TierLimit, { taken, used, resetMs }: Window): Allowance => {
    const seconds = String(Math.max(1, Math.ceil(resetMs / 1_000)))
    const headers: Record<string, string> = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, limit - used)),
      'ratelimit-reset': seconds,
    }
    if (taken) return { allowed: true, headers }
    headers['retry-after'] = seconds
    return { allowed: false, headers }
  }

  return ({ kind, id, tier }: Caller, units = 1): Allowance | Promise<Allowance> => {
    const limit = byTier.get(tier)
    if (!limit || limit.limit === 0) return UNLIMITED
    const window = windows.take(`${name}:${kind}:${id}`, limit, now(), units)
    return window instanceof Promise ? window.then((late) => allowanceOf(limit, late)) : allowanceOf(limit, window)
  }
}

/** A tier without an entry is unlimited. */
export const createLimits = ({ calls, recalculations, windows, now }: LimitsOptions): Limits => ({
  window: ({ tier }) => calls.find((limit) => limit.tier === tier)?.limit || Number.POSITIVE_INFINITY,
  perDay: ({ tier }) => {
    const known = calls.find((limit) => limit.tier === tier)
    return known?.limit ? Math.floor((known.limit * DAY_MS) / known.windowMs) : Number.POSITIVE_INFINITY
  },
  call: createBudget('call', calls, windows, now),
  recalculation: createBudget('recalculation', recalculations, windows, now),
})
