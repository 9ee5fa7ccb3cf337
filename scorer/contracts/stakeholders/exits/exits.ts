/**
 * What insiders took out of a token's pools: liquidity they withdrew, and proceeds of their sales within a day.
 * Insiders are the creator and wallets it supplied; each wallet counts with the share of its tokens that comes from the
 * creator.
 */

/**
 * An event that changed the reserves of a pool. Amounts are from the pool's view: positive came in. `actor` is empty
 * when unknown.
 */
export type PoolEvent = {
  pool: string
  event: 'add' | 'remove' | 'swap'
  actor: string
  txHash: string
  /** Unix seconds. */
  time: number
  /** Base units of the pool's base asset. */
  base: bigint
  /** Value comparable between pools: USD, or coins when no price is known. */
  value: number
  /** Holder of the position by the event, if it names one. */
  owner?: string
  /** Base units that `txHash` moved, when the event sums up an hour of an account's swaps. */
  largest?: bigint
  /** Base units of the token that came in; `undefined` when unknown. */
  tokens?: bigint | undefined
}

/** Share (0..1) of an event that is attributed to insiders. */
export type WeightOf = (event: PoolEvent) => number

/** What insiders took. Share 0 and no events when they took nothing. */
export type Exit = {
  /** Share of the value in all pools, 0..1. */
  share: number
  /** In the unit of `value`. */
  taken: number
  /** What was taken, newest first. */
  events: PoolEvent[]
}

const DAY = 86_400
/** Minimum number of other buyers before a sale can harm anyone. */
const MIN_BUYERS = 3

const rounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 10_000
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * Liquidity that insiders withdrew and did not put back. `events` in chain order; `reserve`: current value of all
 * pools. Liquidity that they added to the same pool after a withdrawal, or to other pools from a day before it, counts
 * as moved.
 */
export const withdrawnBy = (weightOf: WeightOf, events: readonly PoolEvent[], reserve: number): Exit => {
  const own = events
    .filter((event) => event.event !== 'swap' && weightOf(event) > 0)
    .map((event) => ({ ...event, value: event.value * weightOf(event) }))
  const pools = new Set(own.map(({ pool }) => pool))
  const removed = own.filter(({ event }) => event === 'remove')
  const from = (removed[0]?.time ?? 0) - DAY
  const balances = [...pools].map((pool) => {
    const here = own.filter((event) => event.pool === pool)
    if (here.every(({ event }) => event === 'add'))
      return -sum(here.filter(({ time }) => time >= from).map(({ value }) => value))
    let out = 0
    for (const { value } of here) out = Math.max(0, out - value)
    return out
  })
  const taken = Math.max(0, sum(balances))
  return {
    share: taken > 0 ? rounded(taken / (taken + reserve)) : 0,
    taken,
    events: taken > 0 ? removed.reverse() : [],
  }
}

/**
 * The day on which insiders took the largest share of the pools' value by selling and withdrawing. Their purchases are
 * subtracted from their sales. Nothing when they sold nothing, or when hardly anyone else had bought.
 */
export const soldBy = (weightOf: WeightOf, events: readonly PoolEvent[], reserve: number): Exit => {
  const buyers = new Set<string>()
  let best: Exit = { share: 0, taken: 0, events: [] }
  let left = reserve - sum(events.map(({ value }) => value))
  let recent: PoolEvent[] = []
  for (const event of events) {
    left += event.value
    const weight = weightOf(event)
    if (event.event === 'swap' && event.value > 0 && weight === 0 && event.actor !== '') buyers.add(event.actor)
    if (weight === 0 || (event.event === 'add' && recent.length === 0)) continue
    recent = [...recent.filter(({ time }) => time > event.time - DAY), { ...event, value: event.value * weight }]
    const sold = recent.filter((one) => one.event === 'swap' && one.value < 0)
    const taken = -sum(recent.map(({ value }) => value))
    const share = taken > 0 ? rounded(taken / (taken + Math.max(0, left))) : 0
    if (sold.length === 0 || buyers.size < MIN_BUYERS || share <= best.share) continue
    best = { share, taken, events: [...sold].reverse() }
  }
  return best
}
