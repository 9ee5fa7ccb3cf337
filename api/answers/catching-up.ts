/**
 * Networks whose tables lack existing blocks or logs. Their verdicts may still change without new activity, so they are refused,
 * except for a raised flag that missing data cannot lower. Listings by authorities are no such flags: the missing part of a log
 * may delist the wallet.
 */
import { z } from 'zod'
import type { Network, Operation } from '../../schema/networks.ts'
import type { DetectorId } from '../../scorer/detection/index.ts'
import { type Answer, errorAnswer } from './answer.ts'

/** Why a network is not served, and for how long. */
export type CatchingUp = {
  /** Continues the name of the network, such as `is 1200 blocks behind its nodes`. */
  reason: string
  /** Estimated seconds until a retry succeeds. */
  retryAfterSeconds: number
  /** Rate at which blocks are stored, and the time for the missing ones, once known. */
  blocksPerSecond?: number
  secondsLeft?: number
}

/** State of a network that is catching up. Called for every answer, so it must be synchronous and cheap. */
export type CatchingUpOf = (network: Network) => CatchingUp | undefined

/**
 * `since`: when the tables of a network became complete, ms since the epoch. Work that began earlier may rest on partial data and is
 * repeated. `logsKnown`: whether all logs of its authorities are known, so that verdicts begun since then evaluate them.
 */
export type Settled = { since: number; logsKnown: boolean }

/** Latest known state of a network. Called for every answer, so it must be synchronous and cheap. */
export type SettledOf = (network: Network) => Settled

const flagged = z.object({ forensic_details: z.record(z.string(), z.string()) })

const AUTHORITIES: ReadonlySet<string> = new Set<DetectorId>(['sanctions-oracle', 'issuer-freeze'])

/** Whether a flag is raised, and not only by authorities. */
const isFlagged = (body: string): boolean => {
  const { forensic_details: found } = flagged.parse(JSON.parse(body))
  const { data_source: by = '' } = found
  return (
    Object.entries(found).some(([name, value]) => name !== 'data_source' && value !== '0') &&
    by.split(',').some((detector) => !AUTHORITIES.has(detector))
  )
}

/** The 503 for an answer that would rest on partial data; `undefined` if the answer may be served. */
export const whileCatchingUp = (
  state: CatchingUp | undefined,
  operation: Operation,
  network: Network,
  body: string | undefined,
): Answer | undefined => {
  if (!state || (operation === 'fraud_check' && body !== undefined && isFlagged(body))) return undefined
  return errorAnswer(
    'CATCHING_UP',
    `${network} ${state.reason}. A verdict now would rest on incomplete data. Try again later.`,
    [],
    { 'retry-after': String(Math.max(1, Math.ceil(state.retryAfterSeconds))) },
  )
}
