/**
 * Networks whose tables lack blocks or logs that already exist. A verdict of such a network may turn by itself, without
 * anything new: it is refused, unless a flag is raised that what is missing does not take back. A listing by an authority may be:
 * the part of its log that is missing may release the wallet.
 */
import { z } from 'zod'
import type { Network, Operation } from '../../schema/networks.ts'
import type { DetectorId } from '../../scorer/detection/index.ts'
import { type Answer, errorAnswer } from './answer.ts'

/** Why a network is not answered about, and for how long. */
export type CatchingUp = {
  /** What follows the name of the network, such as `is 1200 blocks behind its nodes`. */
  reason: string
  /** When to ask again; an estimate. */
  retryAfterSeconds: number
  /** How fast blocks come into the tables and how long the missing ones take, once that is known. */
  blocksPerSecond?: number
  secondsLeft?: number
}

/** Whether a network catches up; asked for every answer, so it must not wait for anything. */
export type CatchingUpOf = (network: Network) => CatchingUp | undefined

/**
 * Since when verdicts of a network can be relied on, ms since the epoch: what was begun before may rest on a part of what exists, and is
 * looked up again. And whether all logs of its authorities are known, so that no verdict begun since then leaves them open.
 */
export type Settled = { since: number; logsKnown: boolean }

/** What a network was when it was looked at last; asked for every answer, so it must not wait for anything. */
export type SettledOf = (network: Network) => Settled

const flagged = z.object({ forensic_details: z.record(z.string(), z.string()) })

const AUTHORITIES: ReadonlySet<string> = new Set<DetectorId>(['sanctions-oracle', 'issuer-freeze'])

/** Whether a flag is raised by something else than authorities alone. */
const isFlagged = (body: string): boolean => {
  const { forensic_details: found } = flagged.parse(JSON.parse(body))
  const { data_source: by = '' } = found
  return (
    Object.entries(found).some(([name, value]) => name !== 'data_source' && value !== '0') &&
    by.split(',').some((detector) => !AUTHORITIES.has(detector))
  )
}

/** The 503 for an answer that would rest on part of a network; `undefined` where it may be given. */
export const whileCatchingUp = (
  state: CatchingUp | undefined,
  operation: Operation,
  network: Network,
  body: string | undefined,
): Answer | undefined => {
  if (!state || (operation === 'fraud_check' && body !== undefined && isFlagged(body))) return undefined
  return errorAnswer(
    'CATCHING_UP',
    `${network} ${state.reason}. A verdict given now could change without anything new. Try again later.`,
    [],
    { 'retry-after': String(Math.max(1, Math.ceil(state.retryAfterSeconds))) },
  )
}
