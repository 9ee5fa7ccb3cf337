/**
 * Whether a network catches up: its tables lack blocks that its nodes have shown, or logs that have to be known. While it does,
 * verdicts may turn without anything new, so they are not given. An indexer that is gone or starts again is where it was: only one
 * that follows the head shows that nothing is left to read. So one that starts, and an API that starts before it has heard of one, take
 * old blocks for a part. A chain that stands still has nothing to catch up with.
 */
import type { CatchingUp } from '../../../api/answers/catching-up.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import type { AuthorityState } from './authorities.ts'
import type { LastIndexing, ReportedPart } from './board.ts'
import type { Height } from './heights.ts'

export type { CatchingUp } from '../../../api/answers/catching-up.ts'

/** What it is decided by. */
export type CatchUpFacts = {
  parts: readonly ReportedPart[]
  /** Highest block that parts report of the nodes. */
  head: number | undefined
  /** What the indexer was at last, also when it is gone or starts again. */
  last: LastIndexing | undefined
  height: Height | undefined
  authorities: AuthorityState | undefined
}

/** What blocks of a minute, and ten at least, may lack: following a head takes a moment. */
const LAG_MS = 60_000
const LAG_BLOCKS = 10
/** When to ask again where nothing says how long it takes, and at most; seconds. */
const RETRY_SECONDS = 5
const MOST_RETRY_SECONDS = 300
/** Who has not reported this long after a start is not there, ms: reports come every ten seconds. */
const SILENCE_MS = 30_000

const toleratedBlocks = (network: Network): number =>
  Math.max(LAG_BLOCKS, Math.ceil(LAG_MS / networkInfo(network).blockTimeMs))

const retryAfter = (seconds: number | undefined): number =>
  Math.min(MOST_RETRY_SECONDS, Math.max(1, Math.ceil(seconds ?? RETRY_SECONDS)))

/** Blocks a second since the network was first seen to lag. */
type Pace = { height: number; at: number }

/** Remembers how fast each network is, to say how long it takes. */
export const createCatchUp = (now: () => number) => {
  const paces = new Map<Network, Pace>()
  const startedAt = now()

  /** How fast blocks have come since the network was first seen to lag; `undefined` while none have. */
  const paceOf = (network: Network, blocks: number, height: number) => {
    const pace = paces.get(network)
    if (!pace || height < pace.height) {
      paces.set(network, { height, at: now() })
      return undefined
    }
    const perSecond = (height - pace.height) / ((now() - pace.at) / 1_000)
    return perSecond > 0 ? { blocksPerSecond: perSecond, secondsLeft: blocks / perSecond } : undefined
  }

  return {
    /** `undefined` for a network that has caught up. */
    of: (network: Network, { parts, head, last, height, authorities }: CatchUpFacts): CatchingUp | undefined => {
      if (!height) return { reason: 'has no blocks yet', retryAfterSeconds: RETRY_SECONDS }
      const live = parts.filter(({ silent }) => !silent)
      const missing = live.flatMap(({ progress }) => progress.waitsFor ?? [])[0]
      const behind = Math.max(0, Math.max(head ?? 0, last?.head ?? 0) - height.height)
      const phases = live.flatMap(({ progress }) => progress.phase ?? [])
      const at = phases.includes('history') ? 'history' : phases.includes('head') ? 'head' : last?.phase
      if (behind > toleratedBlocks(network)) {
        const speed = paceOf(network, behind, height.height)
        const retryAfterSeconds = retryAfter(speed?.secondsLeft)
        return { reason: `is ${behind} blocks behind its nodes`, retryAfterSeconds, ...speed }
      }
      paces.delete(network)
      if (at === 'history') return { reason: 'is reading its history', retryAfterSeconds: RETRY_SECONDS }
      const isFollowed = phases.includes('history') || phases.includes('head')
      const begins = phases.includes('starting') || now() - startedAt < SILENCE_MS
      const age = now() - height.time * 1_000
      const isOld = age > toleratedBlocks(network) * networkInfo(network).blockTimeMs
      if (at === 'starting' || (!isFollowed && begins && isOld))
        return { reason: 'is starting', retryAfterSeconds: RETRY_SECONDS }
      if (missing !== undefined) return { reason: `waits for ${missing}`, retryAfterSeconds: RETRY_SECONDS }
      if (authorities && authorities.reasons.length > 0) {
        const left = authorities.leftSeconds > 0 ? authorities.leftSeconds : undefined
        return { reason: 'does not know all logs of its authorities', retryAfterSeconds: retryAfter(left) }
      }
      return undefined
    },
  }
}
