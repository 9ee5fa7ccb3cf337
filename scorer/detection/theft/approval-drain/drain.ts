/** A drain: assets of one owner taken through its approval, and the number of victims that makes a drainer. */

import { keepMatching, type Others } from '../../detector.ts'

/** Minimum number of distinct victims within VICTIMS_WITHIN_S. */
export const MIN_VICTIMS = 3
/** Drains further apart do not count together, s. */
export const VICTIMS_WITHIN_S = 30 * 86_400

/** One asset taken from one victim by its approval. `amount` in base units, `time` in Unix seconds. */
export type Drain = {
  kind: 'fungible' | 'nft'
  spender: string
  victim: string
  asset: string
  amount: string
  taker: string
  initiator: string
  tx_hash: string
  granted_in: string
  time: number
}

/**
 * How drains depend on the past of others: the first funder and the holdings of a victim must be known, and a spender that does not
 * sign is an old contract if its creation was not seen.
 */
export const DRAINED: Others<Drain[]> = {
  concerns: ({ approvers, pulled_in, contracts_created }) => approvers + pulled_in + contracts_created > 0,
  parties: (drains) => drains.flatMap(({ victim, spender }) => [victim, spender]),
  proven: (drains, known) =>
    keepMatching(
      drains,
      ({ victim, spender, initiator }) => known(victim) && (spender === initiator || known(spender)),
    ),
}

/** Largest number of distinct victims within VICTIMS_WITHIN_S. `drains` are in time order. */
export const victimsTogether = (drains: readonly Drain[]): number =>
  Math.max(
    0,
    ...drains.map(
      (first) =>
        new Set(
          drains.filter((d) => d.time >= first.time && d.time <= first.time + VICTIMS_WITHIN_S).map((d) => d.victim),
        ).size,
    ),
  )
