/**
 * From the movements of one wallet to what it was really paid, and what it really paid.
 *
 * Three things look like income and are not:
 *   - what came out of a swap: in the same transaction the wallet gave something else to a service. It is the money that the wallet had;
 *   - a refund: what comes back from where it had been sent. Only what exceeds it is new. The sum of all movements with a party,
 *     taken in order of time, is the debt between the two; income is how far it ever rose above zero;
 *   - dust, which anybody can send to anybody.
 * A token without a price has an account like a party has: who buys one and sells it again was paid nothing but the difference. Where most
 * of it was sold in a pool that anybody may have made, the difference is the money of that pool.
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

/** All flows of a wallet in one direction, with what was left aside. */
export type Flows = {
  /** Largest first. */
  flows: Flow[]
  /** Movements below the bound, US dollars and count. */
  dust: { usd: number; transfers: number }
  /** What was changed into something else by the wallet, US dollars. */
  swapped: number
  /** Looking back: what it moved out and was never seen to get, US dollars. */
  unseen: number
}

/** Dollar values of the two sides of a swap differ by less than this factor; today's prices are applied to swaps of any age. */
const SAME_VALUE = 2

type Priced = Movement & { usd: number }
type Leg = { key: string; signed: number; movement: Movement; unpriced: boolean }
type Legs = { legs: Leg[]; swapped: number }

const isPriced = (one: Movement): one is Priced => one.usd !== null

const plainLeg = (movement: Priced, toward: 1 | -1): Leg => ({
  key: movement.counterparty,
  signed: movement.usd * movement.direction * toward,
  movement,
  unpriced: false,
})

/** Movements of one transaction, as changes of accounts with parties. What was only changed into something else is left out. */
const legsOf = (movements: readonly Movement[], toward: 1 | -1, isService: (address: string) => boolean): Legs => {
  const [first] = movements
  // Nothing was swapped in a transaction of one movement, as most are.
  if (first !== undefined && movements.length === 1)
    return { legs: isPriced(first) ? [plainLeg(first, toward)] : [], swapped: 0 }
  const swappable: Priced[] = []
  const legs: Leg[] = []
  let [came, went] = [0, 0]
  for (const one of movements) {
    if (!isPriced(one)) continue
    if (!isService(one.counterparty)) {
      legs.push(plainLeg(one, toward))
      continue
    }
    swappable.push(one)
    if (one.direction === 1) came += one.usd
    else went += one.usd
  }
  const least = Math.min(came, went)
  if (least > 0 && Math.max(came, went) < SAME_VALUE * least) return { legs, swapped: least }
  // The other side is an asset without a price: its account is charged, and not that of the pool.
  const larger = came > went ? 1 : -1
  const [token] = movements
    .filter(({ usd, own, direction }) => usd === null && own && direction === -larger)
    .map(({ asset }) => asset)
    .sort()
  const net = 1 - least / Math.max(came, went)
  for (const one of swappable) {
    if (one.direction !== larger) continue
    const leg = plainLeg(one, toward)
    const signed = leg.signed * net
    legs.push(token === undefined ? { ...leg, signed } : { ...leg, signed, key: token, unpriced: true })
  }
  return { legs, swapped: least }
}

/** The largest of the pools that may be anybody's, where most of some money came from such. */
const poolBehind = (paid: readonly Leg[], isAnybodys: (address: string) => boolean): string | undefined => {
  const sums = new Map<string, number>()
  let rest = 0
  for (const { movement, signed } of paid) {
    const { counterparty } = movement
    if (isAnybodys(counterparty)) sums.set(counterparty, (sums.get(counterparty) ?? 0) + signed)
    else rest += signed
  }
  const pools = [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return pools.reduce((sum, [, usd]) => sum + usd, 0) > rest ? pools[0]?.[0] : undefined
}

/**
 * What a wallet has to have had beside what came in, US dollars: nobody moves out more of a coin than it has. Rewards of blocks and of
 * stakes, coins out of contracts where nodes give no traces, and what was there before the index are no movements. To unwrap a coin is
 * no income: there the coins that come back are not seen without traces either.
 */
const unseenOf = (
  movements: readonly Movement[],
  coinOf: (asset: string) => string | undefined,
  leastUsd: number,
  inTime: (time: number) => boolean,
): number => {
  const counted: { coin: string; position: number; signed: number }[] = []
  for (const { asset, counterparty, usd, direction, time, position } of movements) {
    // Dust from others changes nothing here either.
    if (usd === null || (direction === 1 && usd < leastUsd) || !inTime(time)) continue
    const coin = coinOf(asset)
    if (coin !== undefined && coin !== coinOf(counterparty)) counted.push({ coin, position, signed: usd * direction })
  }
  const held = new Map<string, { now: number; least: number }>()
  for (const { coin, signed } of counted.sort((a, b) => a.position - b.position)) {
    const balance = held.get(coin) ?? { now: 0, least: 0 }
    balance.now += signed
    balance.least = Math.min(balance.least, balance.now)
    held.set(coin, balance)
  }
  return [...held.values()].reduce((sum, { least }) => sum - least, 0)
}

/** One flow of each party. */
const together = (flows: readonly Flow[], toward: 1 | -1): Flow[] => {
  const parties = new Map<string, Flow>()
  for (const flow of flows) {
    const { counterparty, usd, time, transfers } = flow
    const one = parties.get(counterparty)
    parties.set(
      counterparty,
      one
        ? {
            ...one,
            usd: one.usd + usd,
            time: toward === 1 ? Math.max(one.time, time) : Math.min(one.time, time),
            transfers: one.transfers + transfers,
          }
        : flow,
    )
  }
  return [...parties.values()]
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
    isAnybodys = () => false,
    coinOf = () => undefined,
  }: {
    until?: number | undefined
    leastUsd: number
    isService: (address: string) => boolean
    /** Of services: which may be anybody's own, and end nothing. */
    isAnybodys?: (address: string) => boolean
    /** The coin of an asset of which every movement counts for what it is worth: the native coin of its wrapped form. */
    coinOf?: (asset: string) => string | undefined
  },
): Flows => {
  const toward = direction === 'incoming' ? 1 : -1
  const inTime = (time: number) => until === undefined || (toward === 1 ? time <= until : time >= until)
  const dust = { usd: 0, transfers: 0 }
  const transactions = new Map<string, Movement[]>()
  for (const moved of movements) {
    if (!inTime(moved.time)) continue
    const one = moved.over && moved.direction === toward ? { ...moved, counterparty: moved.over.counterparty } : moved
    if (one.usd !== null && one.usd < leastUsd) {
      if (one.direction === toward) {
        dust.usd += one.usd
        dust.transfers++
      }
      continue
    }
    const others = transactions.get(one.tx)
    if (others) others.push(one)
    else transactions.set(one.tx, [one])
  }
  let swapped = 0
  const accounts = new Map<string, Leg[]>()
  for (const one of transactions.values()) {
    const of = legsOf(one, toward, isService)
    swapped += of.swapped
    for (const leg of of.legs) {
      const account = accounts.get(leg.key)
      if (account) account.push(leg)
      else accounts.set(leg.key, [leg])
    }
  }
  const later = toward === 1 ? Math.max : Math.min
  const found: Flow[] = []
  for (const [counterparty, legs] of accounts) {
    let [debt, usd, transfers] = [0, 0, 0]
    let time: number | undefined
    if (legs.length > 1) legs.sort((a, b) => a.movement.position - b.movement.position)
    for (const { signed, movement } of legs) {
      debt += signed
      usd = Math.max(usd, debt)
      if (!(signed > 0)) continue
      transfers++
      const at = movement.over?.time ?? movement.time
      time = time === undefined ? at : later(time, at)
    }
    if (usd <= 0) continue
    const flow = { counterparty, usd, time: time ?? 0, transfers }
    if (!legs.some(({ unpriced }) => unpriced)) {
      found.push(flow)
      continue
    }
    const paid = legs.filter(({ signed }) => signed > 0)
    const pool = poolBehind(paid, isAnybodys)
    found.push(pool === undefined ? { ...flow, unpriced: true } : { ...flow, counterparty: pool })
  }
  const flows = together(found, toward)
  flows.sort((a, b) => b.usd - a.usd || (a.counterparty < b.counterparty ? -1 : 1))
  const unseen = toward === 1 ? unseenOf(movements, coinOf, leastUsd, inTime) : 0
  return { flows, dust, swapped, unseen }
}
