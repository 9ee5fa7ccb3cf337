/**
 * The state of one network's follow loop, and its allowed transitions:
 *
 *     starting ------> history ------> head
 *      ^  |  |            |             |
 *      |  |  +------------|-----------> |
 *      |  v               v             v
 *      +----------- waiting <-----------+        every state ------> stopped
 *
 *   starting -> history   position read; the head topic is empty
 *   starting -> head      position read; continues at the tip of the head topic
 *   history  -> history   blocks were published
 *   history  -> head      few finalized blocks are left: hand-over, and they go to the head topic
 *   head     -> head      the chain was checked once
 *   any      -> waiting   a retryable failure
 *   waiting  -> the state that failed, or `starting` after a failure of the bus (a new producer settles the outcome of
 *                         a send) or if a topic was created again
 *   any      -> stopped   shutdown, or an error that is not retryable
 *
 * `head` never goes back to `history`: missed blocks are published on the head topic. Only a start with an empty head topic
 * leads to `history` again.
 */
import { BugError, type RetryableError } from '../../platform/errors.ts'
import type { Network } from '../../schema/networks.ts'
import type { Anchor, Window } from './window.ts'

/** Consecutive failures, which determine the length of the next wait. */
type Counted = { failures: number }

/** The chain is not verified yet, or the position in the topics is unknown. */
export type Starting = Counted & { at: 'starting' }

/** Finalized blocks go to the history topic. */
export type History = Counted & {
  at: 'history'
  /** Lowest block of the history topic, `undefined` when it is empty. */
  first: number | undefined
  /** Last block of the history topic, `undefined` when it is empty. */
  last: Anchor | undefined
  /** Whether a pass has reached the finalized head since the start or the last failure. */
  passed: boolean
}

/** Blocks, reorgs and finality go to the head topic. */
export type Head = Counted & { at: 'head'; window: Window }

/** Waits after a retryable failure. */
export type Waiting = Counted & { at: 'waiting'; error: RetryableError; next: Starting | History | Head }

/** The loop has ended, with an error unless it was shut down. */
export type Stopped = { at: 'stopped'; error?: unknown }

/** State of the loop, complete enough to continue from it. */
export type FollowState = Starting | History | Head | Waiting | Stopped

type Place = FollowState['at']

/** The loop before its first step. */
export const START: FollowState = { at: 'starting', failures: 0 }

const MOVES: Record<Place, readonly Place[]> = {
  starting: ['history', 'head', 'waiting', 'stopped'],
  history: ['history', 'head', 'waiting', 'stopped'],
  head: ['head', 'waiting', 'stopped'],
  waiting: ['starting', 'history', 'head', 'stopped'],
  stopped: [],
}

/** Why a transition between the two states is invalid, though the table allows it. */
const invalidity = (from: FollowState, to: FollowState): string | undefined => {
  if (from.at === 'waiting' && to.at !== 'stopped' && to !== from.next) return 'it is not the expected state'
  if (from.at === 'history' && to.at === 'history' && (to.last?.number ?? -1) < (from.last?.number ?? -1)) {
    return `the last block falls from ${from.last?.number} to ${to.last?.number ?? 'none'}`
  }
  if (from.at === 'history' && to.at === 'head' && to.window.tip().hash !== from.last?.hash) {
    return 'the window does not begin at the last block of history'
  }
  return undefined
}

/** @throws BugError ASSAY_INDEXER_MOVE for an invalid transition. */
export const assertMove = (network: Network, from: FollowState, to: FollowState): void => {
  const problem = MOVES[from.at].includes(to.at) ? invalidity(from, to) : 'the transition is not in the table'
  if (problem === undefined) return
  throw new BugError(
    'ASSAY_INDEXER_MOVE',
    `The follow loop of ${network} cannot go from state ${from.at} to ${to.at}: ${problem}. Indexing of this network stopped. Please report it.`,
  )
}
