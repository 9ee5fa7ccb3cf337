/**
 * What insiders took out of a token's pools: liquidity they withdrew, and what they sold for it within a day. Insiders
 * are the creator and the wallets it supplied, each by the part of its tokens that goes back to the creator.
 */

/** Something that changed the reserves of a pool. Amounts from the pool's view: positive came in. `actor` is empty where nobody is named. */
export type PoolEvent = {
  pool: string
  event: 'add' | 'remove' | 'swap'
  actor: string
  txHash: string
  /** Unix seconds. */
  time: number
  /** Base units of the pool's base asset. */
  base: bigint
  /** The same as a number comparable between pools: dollars, or coins where no price is known. */
  value: number
  /** Whom the event names as the holder of the position, where it does. */
  owner?: string
  /** Base units that `txHash` moved, where the event stands for all that somebody swapped in an hour. */
  largest?: bigint
  /** Base units of the token that came in; `undefined` where that is not known. */
  tokens?: bigint | undefined
}

/** Part (0..1) of what somebody put in or took out that goes back to an insider. */
export type WeightOf = (event: PoolEvent) => number

/** What insiders took; a share of 0 and no events where they took nothing. */
export type Exit = {
  /** Of what lay in all pools, 0..1. */
  share: number
  /** In the unit of `value`. */
  taken: number
  /** What was taken, newest first. */
  events: PoolEvent[]
}

const DAY = 86_400
/** Others who have to have bought before a sale can harm anybody. */
const LEAST_BUYERS = 3

const rounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 10_000
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * Liquidity that insiders withdrew and did not put back. `events` in chain order; `reserve`: value in all pools now.
 * What they put into a pool after they withdrew, or into other pools from a day before on, was moved.
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
 * The day on which insiders took most, by selling and withdrawing, of what lay in all pools when it began. Nothing where
 * hardly anybody else had bought, or where they sold nothing. What they bought is set against what they sold.
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
    if (sold.length === 0 || buyers.size < LEAST_BUYERS || share <= best.share) continue
    best = { share, taken, events: [...sold].reverse() }
  }
  return best
}
