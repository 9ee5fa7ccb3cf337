/**
 * From the movements of one wallet to what it was really paid, and what it really paid.
 *
 * Three things look like income and are not:
 *   - what came out of a swap: in the same transaction the wallet gave something else to a service. It is the money that the wallet had;
 *   - a refund: what comes back from where it had been sent. Only what exceeds it is new. The sum of all movements with a party,
 *     taken in order of time, is the debt between the two; income is how far it ever rose above zero;
 *   - dust, which anybody can send to anybody.
 * A token without a price has an account like a party has: who buys one and sells it again was paid nothing but the difference.
 * Looking ahead, everything is the same with the directions turned round.
 */

/** Back to where value came from, or ahead to where it went. */
export type Direction = 'incoming' | 'outgoing'

/** A movement of one wallet. */
export type Movement = {
  counterparty: string
  /** 1 came in, -1 went out. */
  direction: 1 | -1
  asset: string
  /** US dollars; `null` for assets whose price is not believed. */
  usd: number | null
  /** Unix seconds, and the order among all movements. */
  time: number
  position: number
  tx: string
  /** Made by the wallet's own transaction. */
  own: boolean
  /** Where the other side of a bridge is, and when the value was there (Unix seconds). */
  over?: { counterparty: string; time: number }
}

/** Value between the wallet and one party. */
export type Flow = {
  counterparty: string
  /** US dollars. */
  usd: number
  /** Unix seconds: of its last transfer looking back, of its first looking ahead. */
  time: number
  transfers: number
  /** Proceeds of assets without a price, which are followed no further: `counterparty` is the asset. */
  unpriced?: boolean
}

export type Flows = {
  /** Largest first. */
  flows: Flow[]
  /** Movements below the bound, US dollars and count. */
  dust: { usd: number; transfers: number }
  /** What was changed into something else by the wallet, US dollars. */
  swapped: number
}

/** Dollar values of the two sides of a swap differ by less than this factor; today's prices are applied to swaps of any age. */
const SAME_VALUE = 2

type Leg = { key: string; signed: number; movement: Movement; unpriced: boolean }

/** Movements of one transaction, as changes of accounts with parties. What was only changed into something else is left out. */
const legsOf = (
  movements: readonly Movement[],
  toward: 1 | -1,
  isService: (address: string) => boolean,
): { legs: Leg[]; swapped: number } => {
  const priced = movements.filter((one): one is Movement & { usd: number } => one.usd !== null)
  const plain = (one: Movement & { usd: number }): Leg => ({
    key: one.counterparty,
    signed: one.usd * one.direction * toward,
    movement: one,
    unpriced: false,
  })
  const swappable = priced.filter(({ counterparty }) => isService(counterparty))
  const others = priced.filter(({ counterparty }) => !isService(counterparty)).map(plain)
  const sumOf = (direction: 1 | -1) =>
    swappable.reduce((sum, one) => sum + (one.direction === direction ? one.usd : 0), 0)
  const [came, went] = [sumOf(1), sumOf(-1)]
  const least = Math.min(came, went)
  if (least > 0 && Math.max(came, went) < SAME_VALUE * least) return { legs: others, swapped: least }
  // The other side is an asset without a price: its account is charged, and not that of the pool.
  const larger = came > went ? 1 : -1
  const [token] = movements
    .filter(({ usd, own, direction }) => usd === null && own && direction === -larger)
    .map(({ asset }) => asset)
    .sort()
  const net = 1 - least / Math.max(came, went)
  const rest = swappable
    .filter(({ direction }) => direction === larger)
    .map((one) => {
      const leg = plain(one)
      const signed = leg.signed * net
      return token === undefined ? { ...leg, signed } : { ...leg, signed, key: token, unpriced: true }
    })
  return { legs: [...others, ...rest], swapped: least }
}

/**
 * Flows of a wallet in one direction.
 * @param until only movements at or before it when looking back, at or after it when looking ahead
 * @param leastUsd movements below it are dust
 */
export const flowsOf = (
  movements: readonly Movement[],
  direction: Direction,
  {
    until,
    leastUsd,
    isService,
  }: { until?: number | undefined; leastUsd: number; isService: (address: string) => boolean },
): Flows => {
  const toward = direction === 'incoming' ? 1 : -1
  const inTime = (time: number) => until === undefined || (toward === 1 ? time <= until : time >= until)
  const dust = { usd: 0, transfers: 0 }
  const transactions = new Map<string, Movement[]>()
  for (const moved of movements) {
    if (!inTime(moved.time)) continue
    const one = moved.over && moved.direction === toward ? { ...moved, counterparty: moved.over.counterparty } : moved
    if (one.usd !== null && one.usd < leastUsd) {
      if (one.direction === toward) Object.assign(dust, { usd: dust.usd + one.usd, transfers: dust.transfers + 1 })
      continue
    }
    const together = transactions.get(one.tx)
    if (together) together.push(one)
    else transactions.set(one.tx, [one])
  }
  let swapped = 0
  const accounts = new Map<string, Leg[]>()
  for (const together of transactions.values()) {
    const of = legsOf(together, toward, isService)
    swapped += of.swapped
    for (const leg of of.legs) {
      const account = accounts.get(leg.key)
      if (account) account.push(leg)
      else accounts.set(leg.key, [leg])
    }
  }
  const flows = [...accounts].flatMap(([counterparty, legs]): Flow[] => {
    let [debt, usd] = [0, 0]
    for (const { signed } of legs.sort((a, b) => a.movement.position - b.movement.position)) {
      debt += signed
      usd = Math.max(usd, debt)
    }
    const paid = legs.filter(({ signed }) => signed > 0)
    const times = paid.map(({ movement }) => movement.over?.time ?? movement.time)
    const time = times.reduce((a, b) => (toward === 1 ? Math.max(a, b) : Math.min(a, b)), times[0] ?? 0)
    const unpriced = legs.some((leg) => leg.unpriced)
    return usd > 0 ? [{ counterparty, usd, time, transfers: paid.length, ...(unpriced && { unpriced }) }] : []
  })
  flows.sort((a, b) => b.usd - a.usd || (a.counterparty < b.counterparty ? -1 : 1))
  return { flows, dust, swapped }
}
