/**
 * The state of one network's follow loop, as one value, and the moves it may make:
 *
 *     starting ------> history ------> head
 *      ^  |  |            |             |
 *      |  |  +------------|-----------> |
 *      |  v               v             v
 *      +----------- waiting <-----------+        every state ------> stopped
 *
 *   starting -> history   the position was read; nothing is on the head topic yet
 *   starting -> head      the position was read; publishing continues at the tip of the head topic
 *   history  -> history   blocks were published
 *   history  -> head      few finalized blocks are left: history is handed over, and the head topic takes them along
 *   head     -> head      the chain was looked at once
 *   any      -> waiting   a retryable failure
 *   waiting  -> the state that failed, or `starting` where the outcome of a send is unknown (a new producer settles it)
 *                         or a topic was created again
 *   any      -> stopped   shutdown, or an error that is not retryable
 *
 * `head` never goes back to `history`: what was missed is published on the head topic. Only a start that finds the head
 * topic empty leads to `history` again.
 */
import { BugError, type RetryableError } from '../../platform/errors.ts'
import type { Network } from '../../schema/networks.ts'
import type { Anchor, Window } from './window.ts'

/** Failures in a row, which decide how long the next one is waited out. */
type Counted = { failures: number }

/** The chain is not checked, or the position in the topics is not known. */
export type Starting = Counted & { at: 'starting' }

/** Finalized blocks go to the history topic. */
export type History = Counted & {
  at: 'history'
  /** Lowest block of the history topic, `undefined` when it is empty. */
  first: number | undefined
  /** Last block of the history topic, `undefined` when it is empty. */
  last: Anchor | undefined
  /** Whether a whole pass up to the finalized head is done since the start or the last failure. */
  passed: boolean
}

/** Blocks, reorgs and finality go to the head topic. */
export type Head = Counted & { at: 'head'; window: Window }

/** A retryable failure is waited out. */
export type Waiting = Counted & { at: 'waiting'; error: RetryableError; next: Starting | History | Head }

/** The loop has ended, with an error unless it was shut down. */
export type Stopped = { at: 'stopped'; error?: unknown }

/** Where the loop of one network is, with all that it needs to go on from there. */
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

/** What is wrong with a move between two states that may follow each other. */
const objection = (from: FollowState, to: FollowState): string | undefined => {
  if (from.at === 'waiting' && to.at !== 'stopped' && to !== from.next) return 'it is not the state that was waited for'
  if (from.at === 'history' && to.at === 'history' && (to.last?.number ?? -1) < (from.last?.number ?? -1)) {
    return `the last block falls from ${from.last?.number} to ${to.last?.number ?? 'none'}`
  }
  if (from.at === 'history' && to.at === 'head' && to.window.tip().hash !== from.last?.hash) {
    return 'the window does not begin at the last block of history'
  }
  return undefined
}

/** @throws BugError ASSAY_INDEXER_MOVE when the state cannot follow the one before. */
export const assertMove = (network: Network, from: FollowState, to: FollowState): void => {
  const problem = MOVES[from.at].includes(to.at) ? objection(from, to) : 'the table of moves does not have it'
  if (problem === undefined) return
  throw new BugError(
    'ASSAY_INDEXER_MOVE',
    `Following ${network} cannot go from ${from.at} to ${to.at}: ${problem}. Indexing of this network stopped. Please report it.`,
  )
}
