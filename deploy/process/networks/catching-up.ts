/**
 * Decides whether a network is catching up: its tables lack blocks of its nodes, or required logs. Meanwhile verdicts may change
 * without new events, so they are not given. A missing or restarted indexer keeps its last phase, because only one that follows
 * the head shows that nothing is left to read. During a start, old newest blocks count as catching up. A halted chain has nothing
 * to catch up with.
 */
import type { CatchingUp } from '../../../api/answers/catching-up.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import type { AuthorityState } from './authorities.ts'
import type { LastIndexing, ReportedPart } from './board.ts'
import type { Height } from './heights.ts'

export type { CatchingUp } from '../../../api/answers/catching-up.ts'

/** Facts for the decision. */
export type CatchUpFacts = {
  parts: readonly ReportedPart[]
  /** Highest head of the nodes that parts report. */
  head: number | undefined
  /** Last state of the indexer, even if it is gone or restarting. */
  last: LastIndexing | undefined
  height: Height | undefined
  authorities: AuthorityState | undefined
}

/** Tolerated lag: the blocks of one minute, at least ten. */
const LAG_MS = 60_000
const LAG_BLOCKS = 10
/** When to ask again where nothing says how long it takes, and at most; seconds. */
const RETRY_SECONDS = 5
const MAX_RETRY_SECONDS = 300
/** Time after the start in which indexers are expected to report, ms. Reports come every ten seconds. */
const SILENCE_MS = 30_000

const toleratedBlocks = (network: Network): number =>
  Math.max(LAG_BLOCKS, Math.ceil(LAG_MS / networkInfo(network).blockTimeMs))

const retryAfter = (seconds: number | undefined): number =>
  Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(seconds ?? RETRY_SECONDS)))

/** Height and time when the network was first seen to lag. */
type Pace = { height: number; at: number }

/** Creates the check. It tracks the pace of each network to estimate the time left. */
export const createCatchUp = (now: () => number) => {
  const paces = new Map<Network, Pace>()
  const startedAt = now()

  /** Blocks per second since the network was first seen to lag; `undefined` without new blocks. */
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
