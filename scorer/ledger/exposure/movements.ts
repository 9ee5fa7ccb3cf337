/**
 * Computes a wallet's real income and spending from its movements.
 *
 * Three things look like income and are not:
 *   - proceeds of a swap: in the same transaction the wallet gave something else to a service, so it had the value before;
 *   - refunds: value that comes back from where it was sent. Only the excess is income. The sum of all movements with a party, in order of
 *     time, is the debt between the two; income is the highest level it reaches above zero;
 *   - dust, which anybody can send to anybody.
 * A token without a price has an account like a party: buying and selling it yields only the difference as income. If most of it was
 * sold in a pool that anybody may have made, the difference is attributed to that pool.
 * Spending is computed in the same way with directions reversed.
 */

/** `incoming` traces where value came from, `outgoing` where it went. */
export type Direction = 'incoming' | 'outgoing'

/** A movement of one wallet. */
export type Movement = {
  counterparty: string
  /** 1 for in, -1 for out. */
  direction: 1 | -1
  asset: string
  /** US dollars; `null` for assets without a trusted price. */
  usd: number | null
  /** Unix seconds, and the order among all movements. */
  time: number
  position: number
  tx: string
  /** Whether the wallet signed the transaction. */
  own: boolean
  /** For bridges: the party on the other network, and when the value was there (Unix seconds). */
  otherSide?: { counterparty: string; time: number }
}

/** Value between the wallet and one party. */
export type Flow = {
  counterparty: string
  /** US dollars. */
  usd: number
  /** Unix seconds: time of the last transfer of incoming flows, of the first of outgoing ones. */
  time: number
  transfers: number
  /** Proceeds of assets without a price, which are not followed further. `counterparty` is the asset. */
  unpriced?: boolean
}

/** All flows of a wallet in one direction, and what was excluded. */
export type Flows = {
  /** Largest first. */
  flows: Flow[]
  /** Movements below the bound: US dollars and count. */
  dust: { usd: number; transfers: number }
  /** Value that the wallet swapped into something else, US dollars. */
  swapped: number
  /** Incoming only: value that it moved out but was never seen to receive, US dollars. */
  unseen: number
}

/** The two sides of a swap differ by less than this factor. Generous, because today's prices apply to swaps of any age. */
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

/** Converts the movements of one transaction to account changes per party. Swapped value is excluded. */
const legsOf = (movements: readonly Movement[], toward: 1 | -1, isService: (address: string) => boolean): Legs => {
  const [first] = movements
  // Fast path: most transactions have one movement, which cannot be a swap.
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
  // The other side is an asset without a price: its account is charged instead of the pool's.
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

/** The largest of the pools that may be anybody's, if most of the value came from such pools. */
const mainUntrustedPool = (paid: readonly Leg[], isUntrusted: (address: string) => boolean): string | undefined => {
  const sums = new Map<string, number>()
  let rest = 0
  for (const { movement, signed } of paid) {
    const { counterparty } = movement
    if (isUntrusted(counterparty)) sums.set(counterparty, (sums.get(counterparty) ?? 0) + signed)
    else rest += signed
  }
  const pools = [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return pools.reduce((sum, [, usd]) => sum + usd, 0) > rest ? pools[0]?.[0] : undefined
}

/**
 * Value that a wallet must have had in addition to its income, US dollars, because nobody moves out more of a coin than it has. Block and
 * staking rewards, coins from contracts where nodes provide no traces, and balances from before the index are not movements. Unwrapping is
 * excluded: without traces, the coins that come back are not seen either.
 */
const unseenOf = (
  movements: readonly Movement[],
  coinOf: (asset: string) => string | undefined,
  leastUsd: number,
  inTime: (time: number) => boolean,
): number => {
  const counted: { coin: string; position: number; signed: number }[] = []
  for (const { asset, counterparty, usd, direction, time, position } of movements) {
    // Dust from others is ignored here too.
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

/** Merges flows into one per party. */
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
 * @param until last time for incoming, first time for outgoing movements, inclusive
 * @param leastUsd movements below it are dust
 */
export const flowsOf = (
  movements: readonly Movement[],
  direction: Direction,
  {
    until,
    leastUsd,
    isService,
    isUntrusted = () => false,
    coinOf = () => undefined,
  }: {
    until?: number | undefined
    leastUsd: number
    isService: (address: string) => boolean
    /** Services that may be anybody's own, and therefore do not end a trace. */
    isUntrusted?: (address: string) => boolean
    /** The coin of an asset whose movements have fixed prices; a wrapped native coin maps to the native coin. */
    coinOf?: (asset: string) => string | undefined
  },
): Flows => {
  const toward = direction === 'incoming' ? 1 : -1
  const inTime = (time: number) => until === undefined || (toward === 1 ? time <= until : time >= until)
  const dust = { usd: 0, transfers: 0 }
  const transactions = new Map<string, Movement[]>()
  for (const moved of movements) {
    if (!inTime(moved.time)) continue
    const one =
      moved.otherSide && moved.direction === toward ? { ...moved, counterparty: moved.otherSide.counterparty } : moved
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
      const at = movement.otherSide?.time ?? movement.time
      time = time === undefined ? at : later(time, at)
    }
    if (usd <= 0) continue
    const flow = { counterparty, usd, time: time ?? 0, transfers }
    if (!legs.some(({ unpriced }) => unpriced)) {
      found.push(flow)
      continue
    }
    const paid = legs.filter(({ signed }) => signed > 0)
    const pool = mainUntrustedPool(paid, isUntrusted)
    found.push(pool === undefined ? { ...flow, unpriced: true } : { ...flow, counterparty: pool })
  }
  const flows = together(found, toward)
  flows.sort((a, b) => b.usd - a.usd || (a.counterparty < b.counterparty ? -1 : 1))
  const unseen = toward === 1 ? unseenOf(movements, coinOf, leastUsd, inTime) : 0
  return { flows, dust, swapped, unseen }
}
