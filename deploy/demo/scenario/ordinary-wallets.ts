/**
 * Activity of ordinary wallets: they receive ETH from the exchange, then every few days for months they trade, pay each
 * other, wrap ETH, buy USDC and deposit to the exchange. Actors of other parts of the scenario have such activity too.
 */
import type { Address } from 'viem'
import { ADDRESSES } from '../contracts/contracts.ts'
import { type ActorName, type Actors, SHOPPERS, TRADERS, VETERANS, VICTIMS } from './actors.ts'
import { DOLLAR, ETHER, type Market, NO_DEADLINE, UNLIMITED } from './market.ts'
import type { Random } from './random.ts'
import type { BlockBuilder, Timeline } from './timeline.ts'

/** When a wallet is active, in days. `actions`: number of its actions; `ether`: initial balance, in ETH. */
export type Schedule = { name: ActorName; firstDay: number; lastDay: number; actions: number; ether: bigint }

/** Token balances of a wallet from these actions. */
export type Balances = Map<string, bigint>

const MILLI = ETHER / 1000n
/** Actions happen at two times a day, so that a block contains actions of several wallets. */
const HALF = 0.5

const spread = (
  list: readonly ActorName[],
  first: number,
  step: number,
  schedule: Omit<Schedule, 'name' | 'firstDay'>,
): Schedule[] => list.map((name, index) => ({ name, firstDay: first + step * index, ...schedule }))

/** The schedule of every wallet with ordinary activity. */
export const schedulesOf = (): Schedule[] => [
  ...spread(VETERANS, 3, 1, { lastDay: 399, actions: 40, ether: 60n }),
  ...spread(TRADERS, 6, 11, { lastDay: 399, actions: 30, ether: 40n }),
  ...spread(SHOPPERS, 20, 14, { lastDay: 398, actions: 16, ether: 12n }),
  ...spread(VICTIMS, 60, 9, { lastDay: 397, actions: 20, ether: 15n }),
  { name: 'delisted', firstDay: 50, lastDay: 396, actions: 18, ether: 20n },
  { name: 'released', firstDay: 70, lastDay: 396, actions: 18, ether: 20n },
  { name: 'mixer-once', firstDay: 55, lastDay: 396, actions: 22, ether: 45n },
  { name: 'mixer-dusted', firstDay: 65, lastDay: 396, actions: 22, ether: 30n },
  { name: 'sanctioned', firstDay: 30, lastDay: 290, actions: 12, ether: 50n },
  { name: 'frozen', firstDay: 40, lastDay: 310, actions: 12, ether: 30n },
]

/** Buys exactly `amount` of a token. The router refunds the rest of `value`. */
export const buy = (
  block: BlockBuilder,
  who: ActorName,
  actors: Actors,
  token: Address,
  amount: bigint,
  value: bigint,
): void =>
  block.call(
    who,
    ADDRESSES.router,
    'swapETHForExactTokens',
    [amount, [ADDRESSES.weth, token], actors[who], NO_DEADLINE],
    {
      value,
    },
  )

/** Sells through the router. `reverts`: whether the token refuses the sale. */
export const sell = (
  block: BlockBuilder,
  who: ActorName,
  actors: Actors,
  token: Address,
  amount: bigint,
  reverts = false,
): void =>
  block.call(
    who,
    ADDRESSES.router,
    'swapExactTokensForETHSupportingFeeOnTransferTokens',
    [amount, 0n, [token, ADDRESSES.weth], actors[who], NO_DEADLINE],
    { reverts },
  )

const createActions = (actors: Actors, market: Market, random: Random, friends: readonly ActorName[]) => {
  const dollar = ADDRESSES.usdc
  const amountBetween = (low: number, high: number) => BigInt(low + random.below(high - low))
  const balanceOf = (balances: Balances, token: string) => balances.get(token) ?? 0n
  const addBalance = (balances: Balances, token: string, amount: bigint) =>
    balances.set(token, balanceOf(balances, token) + amount)
  const friendOf = (who: ActorName): ActorName => {
    const friend = random.pick(friends)
    return friend === who ? 'exchange' : friend
  }
  const purchase = (block: BlockBuilder, who: ActorName, balances: Balances) => {
    const token = random.pick([market.harbor, market.harbor, market.toll])
    const amount = amountBetween(100, 900) * ETHER
    buy(block, who, actors, token, amount, (amount * 8n) / 10_000n)
    // 3 % of every Toll goes to its treasury.
    addBalance(balances, token, token === market.toll ? amount - (amount * 3n) / 100n : amount)
  }
  const exchangeDollars = (block: BlockBuilder, who: ActorName, balances: Balances) => {
    const amount = amountBetween(50, 900) * DOLLAR
    buy(block, who, actors, dollar, amount, (amount * 2n * ETHER) / (3000n * DOLLAR))
    addBalance(balances, dollar, amount)
  }
  const sale = (block: BlockBuilder, who: ActorName, balances: Balances) => {
    const token = [market.harbor, market.toll].find((each) => balanceOf(balances, each) > 0n)
    if (!token) return purchase(block, who, balances)
    const amount = balanceOf(balances, token) / amountBetween(2, 4)
    if (!balances.has(`approved ${token}`)) {
      block.call(who, token, 'approve', [ADDRESSES.router, UNLIMITED])
      balances.set(`approved ${token}`, 1n)
    }
    sell(block, who, actors, token, amount)
    addBalance(balances, token, -amount)
  }
  const payDollars = (block: BlockBuilder, who: ActorName, balances: Balances) => {
    const amount = balanceOf(balances, dollar) / amountBetween(3, 6)
    if (amount === 0n) return exchangeDollars(block, who, balances)
    block.call(who, dollar, 'transfer', [actors[friendOf(who)], amount])
    addBalance(balances, dollar, -amount)
  }
  const payCoins = (block: BlockBuilder, who: ActorName) =>
    block.pay(who, actors[friendOf(who)], amountBetween(8, 200) * MILLI)
  const deposit = (block: BlockBuilder, who: ActorName) =>
    block.pay(who, actors.exchange, amountBetween(50, 600) * MILLI)
  const wrap = (block: BlockBuilder, who: ActorName, balances: Balances) => {
    const wrapped = balanceOf(balances, ADDRESSES.weth)
    const value = amountBetween(20, 300) * MILLI
    if (wrapped === 0n) block.call(who, ADDRESSES.weth, 'deposit', [], { value })
    else block.call(who, ADDRESSES.weth, 'withdraw', [wrapped])
    addBalance(balances, ADDRESSES.weth, wrapped === 0n ? value : -wrapped)
  }
  return [purchase, purchase, sale, exchangeDollars, payDollars, payCoins, payCoins, deposit, wrap]
}

/** Plans the actions of all schedules. Returns balances by wallet, filled when the timeline is planned. */
export const planOrdinaryWallets = (timeline: Timeline, market: Market, random: Random): Map<ActorName, Balances> => {
  const { actors, at } = timeline
  const schedules = schedulesOf()
  const friends = [...VETERANS, ...TRADERS, ...SHOPPERS]
  const actions = createActions(actors, market, random, friends)
  const balancesByName = new Map<ActorName, Balances>()
  // One time per half day, at varying hours.
  const hours = Array.from({ length: 801 }, () => 0.05 + 0.4 * random.next())
  const moment = (day: number) => Math.floor(day / HALF) * HALF + (hours[Math.floor(day / HALF)] ?? 0)
  for (const { name, firstDay, lastDay, actions: count, ether } of schedules) {
    const balances: Balances = new Map()
    balancesByName.set(name, balances)
    at(moment(firstDay), ({ pay }) => pay('exchange', actors[name], ether * ETHER))
    const gap = (lastDay - firstDay - 1) / count
    for (let index = 0; index < count; index++) {
      const action = random.pick(actions)
      at(moment(firstDay + 1 + gap * (index + random.next())), (block) => action(block, name, balances))
    }
  }
  return balancesByName
}
