/**
 * Honest people: they get coins from the exchange, then every few days for months they trade, pay each other, wrap,
 * buy dollars, and bring something back. Who ends up in another part of the story lived like this before and after.
 */
import type { Address } from 'viem'
import { PLACES } from '../contracts/contracts.ts'
import { type ActorName, type Actors, SHOPPERS, TRADERS, VETERANS, VICTIMS } from './actors.ts'
import { DOLLAR, ETHER, FOREVER, type Market, UNLIMITED } from './market.ts'
import type { Random } from './random.ts'
import type { Hand, Timeline } from './timeline.ts'

/** `deeds` is the number of days on which they do something; `coins` what they start with, in ether. */
export type Life = { name: ActorName; born: number; until: number; deeds: number; coins: bigint }

/** Tokens held, as far as this part of the story moved them. */
export type Balances = Map<string, bigint>

const MILLI = ETHER / 1000n
/** Civil life happens at two moments a day, so that one block holds what several people did. */
const HALF = 0.5

const spread = (list: readonly ActorName[], first: number, step: number, life: Omit<Life, 'name' | 'born'>): Life[] =>
  list.map((name, index) => ({ name, born: first + step * index, ...life }))

/** When each honest person begins and ends, with how many deeds and coins. */
export const livesOf = (): Life[] => [
  ...spread(VETERANS, 3, 1, { until: 399, deeds: 40, coins: 60n }),
  ...spread(TRADERS, 6, 11, { until: 399, deeds: 30, coins: 40n }),
  ...spread(SHOPPERS, 20, 14, { until: 398, deeds: 16, coins: 12n }),
  ...spread(VICTIMS, 60, 9, { until: 397, deeds: 20, coins: 15n }),
  { name: 'delisted', born: 50, until: 396, deeds: 18, coins: 20n },
  { name: 'released', born: 70, until: 396, deeds: 18, coins: 20n },
  { name: 'mixer-once', born: 55, until: 396, deeds: 22, coins: 45n },
  { name: 'mixer-dusted', born: 65, until: 396, deeds: 22, coins: 30n },
  { name: 'sanctioned', born: 30, until: 290, deeds: 12, coins: 50n },
  { name: 'frozen', born: 40, until: 310, deeds: 12, coins: 30n },
]

/** Buys exactly `amount` of a token; the router returns what is left of `value`. */
export const buy = (hand: Hand, who: ActorName, actors: Actors, token: Address, amount: bigint, value: bigint): void =>
  hand.call(who, PLACES.router, 'swapETHForExactTokens', [amount, [PLACES.weth, token], actors[who], FOREVER], {
    value,
  })

/** Plans a sale through the router. `reverts`: the token refuses it. */
export const sell = (
  hand: Hand,
  who: ActorName,
  actors: Actors,
  token: Address,
  amount: bigint,
  reverts = false,
): void =>
  hand.call(
    who,
    PLACES.router,
    'swapExactTokensForETHSupportingFeeOnTransferTokens',
    [amount, 0n, [token, PLACES.weth], actors[who], FOREVER],
    { reverts },
  )

const createDeeds = (actors: Actors, market: Market, random: Random, friends: readonly ActorName[]) => {
  const dollar = PLACES.usdc
  const some = (low: number, high: number) => BigInt(low + random.below(high - low))
  const held = (balances: Balances, token: string) => balances.get(token) ?? 0n
  const put = (balances: Balances, token: string, amount: bigint) => balances.set(token, held(balances, token) + amount)
  const friendOf = (who: ActorName): ActorName => {
    const friend = random.pick(friends)
    return friend === who ? 'exchange' : friend
  }
  const purchase = (hand: Hand, who: ActorName, balances: Balances) => {
    const token = random.pick([market.harbor, market.harbor, market.toll])
    const amount = some(100, 900) * ETHER
    buy(hand, who, actors, token, amount, (amount * 8n) / 10_000n)
    // 3 % of every Toll goes to its treasury.
    put(balances, token, token === market.toll ? amount - (amount * 3n) / 100n : amount)
  }
  const exchangeDollars = (hand: Hand, who: ActorName, balances: Balances) => {
    const amount = some(50, 900) * DOLLAR
    buy(hand, who, actors, dollar, amount, (amount * 2n * ETHER) / (3000n * DOLLAR))
    put(balances, dollar, amount)
  }
  const sale = (hand: Hand, who: ActorName, balances: Balances) => {
    const token = [market.harbor, market.toll].find((each) => held(balances, each) > 0n)
    if (!token) return purchase(hand, who, balances)
    const amount = held(balances, token) / some(2, 4)
    if (!balances.has(`approved ${token}`)) {
      hand.call(who, token, 'approve', [PLACES.router, UNLIMITED])
      balances.set(`approved ${token}`, 1n)
    }
    sell(hand, who, actors, token, amount)
    put(balances, token, -amount)
  }
  const payDollars = (hand: Hand, who: ActorName, balances: Balances) => {
    const amount = held(balances, dollar) / some(3, 6)
    if (amount === 0n) return exchangeDollars(hand, who, balances)
    hand.call(who, dollar, 'transfer', [actors[friendOf(who)], amount])
    put(balances, dollar, -amount)
  }
  const payCoins = (hand: Hand, who: ActorName) => hand.pay(who, actors[friendOf(who)], some(8, 200) * MILLI)
  const deposit = (hand: Hand, who: ActorName) => hand.pay(who, actors.exchange, some(50, 600) * MILLI)
  const wrap = (hand: Hand, who: ActorName, balances: Balances) => {
    const wrapped = held(balances, PLACES.weth)
    const value = some(20, 300) * MILLI
    if (wrapped === 0n) hand.call(who, PLACES.weth, 'deposit', [], { value })
    else hand.call(who, PLACES.weth, 'withdraw', [wrapped])
    put(balances, PLACES.weth, wrapped === 0n ? value : -wrapped)
  }
  return [purchase, purchase, sale, exchangeDollars, payDollars, payCoins, payCoins, deposit, wrap]
}

/** Tells all lives; returns what everyone holds when the timeline has run. */
export const tellCivilians = (timeline: Timeline, market: Market, random: Random): Map<ActorName, Balances> => {
  const { actors, at } = timeline
  const lives = livesOf()
  const friends = [...VETERANS, ...TRADERS, ...SHOPPERS]
  const deeds = createDeeds(actors, market, random, friends)
  const balancesByName = new Map<ActorName, Balances>()
  // One moment per half day, never at the same hour.
  const hours = Array.from({ length: 801 }, () => 0.05 + 0.4 * random.next())
  const moment = (day: number) => Math.floor(day / HALF) * HALF + (hours[Math.floor(day / HALF)] ?? 0)
  for (const { name, born, until, deeds: count, coins } of lives) {
    const balances: Balances = new Map()
    balancesByName.set(name, balances)
    at(moment(born), ({ pay }) => pay('exchange', actors[name], coins * ETHER))
    const gap = (until - born - 1) / count
    for (let index = 0; index < count; index++) {
      const deed = random.pick(deeds)
      at(moment(born + 1 + gap * (index + random.next())), (hand) => deed(hand, name, balances))
    }
  }
  return balancesByName
}
