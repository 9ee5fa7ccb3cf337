import type { Network } from '../../../schema/networks.ts'
import type { AuthorityLogState } from '../../../schema/topics.ts'
import { isComplete, type LogState } from './plan.ts'

/** Progress of each log, as it is published and stored. Block numbers below 0 are written as 0. */
export const messagesState = (
  network: Network,
  states: readonly LogState[],
  target: number,
  leftSeconds: number,
): AuthorityLogState[] =>
  states.map((state) => {
    const complete = isComplete(state, target)
    return {
      network,
      authority: state.authority,
      list: state.list,
      name: state.name,
      since: state.since,
      from_block: state.from,
      to_block: Math.max(0, state.to),
      target: Math.max(0, target),
      complete: complete ? 1 : 0,
      source: state.source,
      reason: complete ? '' : state.reason || 'it is being read',
      left_seconds: complete ? 0 : leftSeconds,
    }
  })
