/** A drain: assets of one owner that left by its approval, and how many victims make a drainer. */

/** Distinct victims within VICTIMS_WITHIN_S that make a drainer. */
export const MIN_VICTIMS = 3
/** Drains further apart than this do not count together, s. */
export const VICTIMS_WITHIN_S = 30 * 86_400

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

/** Most distinct victims within any stretch of VICTIMS_WITHIN_S. Drains are in time order. */
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
