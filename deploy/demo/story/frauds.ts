/** The frauds: a token whose liquidity is pulled, a token nobody can sell, and approvals that are drained. */
import type { Address } from 'viem'
import { creationCode, PLACES } from '../contracts/contracts.ts'
import { type ActorName, SHOPPERS, TRADERS, VICTIMS } from './actors.ts'
import { type Balances, buy, sell } from './civilians.ts'
import { ETHER, FOREVER, firstLiquidity, type Market, openPool, UNLIMITED } from './market.ts'
import type { Timeline } from './timeline.ts'

const MILLI = ETHER / 1000n
const SUPPLY = 1_000_000n * ETHER

/** Tokens of the frauds, known once the timeline has run. */
export type Fraud = { token: Address; pool: Address; people: ActorName[] }

/** Plans a launch, nine buyers and the withdrawal of all liquidity by its creator. */
export const tellRug = (timeline: Timeline, market: Market): Fraud => {
  const { actors, at } = timeline
  const coins = 12n * ETHER
  const rug: Fraud = {
    token: PLACES.weth,
    pool: PLACES.weth,
    people: [...TRADERS.slice(0, 4), ...SHOPPERS.slice(0, 5)],
  }
  at(250.2, ({ pay }) => pay('exchange', actors['rug-puller'], 16n * ETHER))
  at(251.13, ({ deploy }) => {
    rug.token = deploy('rug-puller', 'Moonlight', creationCode('RugToken', 'Moonlight', 'MOON', SUPPLY))
    rug.pool = market.pairOf(PLACES.weth, rug.token)
  })
  at(251.32, (hand) => openPool(hand, 'rug-puller', rug.token, SUPPLY, coins, actors['rug-puller']))
  rug.people.forEach((who, index) => {
    at(251.51 + index * 0.13, (hand) => buy(hand, who, actors, rug.token, 20_000n * ETHER, 2n * ETHER))
  })
  // One early buyer gets out, so the token looks tradable.
  at(252.97, (hand) => {
    hand.call('trader-1', rug.token, 'approve', [PLACES.router, UNLIMITED])
    sell(hand, 'trader-1', actors, rug.token, 10_000n * ETHER)
  })
  at(253.63, ({ call }) => {
    const liquidity = (firstLiquidity(SUPPLY, coins) * 97n) / 100n
    call('rug-puller', rug.pool, 'approve', [PLACES.router, UNLIMITED])
    call('rug-puller', PLACES.router, 'removeLiquidityETH', [
      rug.token,
      liquidity,
      0n,
      0n,
      actors['rug-puller'],
      FOREVER,
    ])
  })
  at(253.91, ({ pay }) => pay('rug-puller', actors.exchange, 14n * ETHER))
  return rug
}

/** Plans a token that everybody buys and nobody can sell. */
export const tellHoneypot = (timeline: Timeline, market: Market): Fraud => {
  const { actors, at } = timeline
  const pot: Fraud = { token: PLACES.weth, pool: PLACES.weth, people: [...TRADERS, ...SHOPPERS.slice(0, 11)] }
  at(299.4, ({ pay }) => pay('exchange', actors['honeypot-deployer'], 8n * ETHER))
  at(300.27, ({ deploy }) => {
    pot.token = deploy('honeypot-deployer', 'Nectar', creationCode('HoneypotToken', 'Nectar', 'NCTR', SUPPLY))
    pot.pool = market.pairOf(PLACES.weth, pot.token)
  })
  at(300.35, (hand) => {
    openPool(hand, 'honeypot-deployer', pot.token, SUPPLY / 2n, 5n * ETHER, actors['honeypot-deployer'])
    hand.call('honeypot-deployer', pot.token, 'close', [pot.pool])
  })
  pot.people.forEach((who, index) => {
    at(300.61 + index * 0.21, (hand) => buy(hand, who, actors, pot.token, 3_000n * ETHER, ETHER))
  })
  for (const [index, who] of pot.people.slice(2, 7).entries()) {
    at(305.73 + index * 0.41, (hand) => {
      hand.call(who, pot.token, 'approve', [PLACES.router, UNLIMITED])
      sell(hand, who, actors, pot.token, 3_000n * ETHER, true)
    })
  }
  at(309.12, (hand) => sell(hand, 'honeypot-deployer', actors, pot.token, 60_000n * ETHER))
  at(309.38, ({ pay }) => pay('honeypot-deployer', actors.exchange, 500n * MILLI))
  return pot
}

/** Every victim loses the Harbor it holds on the day; `balancesByName` is what it still counts as its own. */
export const tellDrainer = (timeline: Timeline, market: Market, balancesByName: Map<ActorName, Balances>): Fraud => {
  const { actors, at } = timeline
  const drainer: Fraud = { token: PLACES.weth, pool: PLACES.weth, people: [...VICTIMS] }
  at(340.3, ({ pay }) => {
    pay('exchange', actors.drainer, 2n * ETHER)
    pay('exchange', actors['drainer-affiliate'], ETHER)
  })
  at(340.83, ({ deploy }) => {
    drainer.token = deploy('drainer', 'Drainer', creationCode('Drainer'))
  })
  VICTIMS.forEach((victim, index) => {
    const day = 341.21 + index * 1.37
    // A fresh purchase, so that everyone has something to lose.
    at(day, (hand) => buy(hand, victim, actors, market.harbor, 1_500n * ETHER, 2n * ETHER))
    at(day + 0.19, ({ call }) => call(victim, market.harbor, 'approve', [drainer.token, UNLIMITED]))
    at(day + 0.74, ({ call }) => {
      call('drainer', drainer.token, 'drain', [market.harbor, actors[victim], actors['drainer-affiliate']])
      balancesByName.get(victim)?.set(market.harbor, 0n)
    })
  })
  for (const [who, amount] of [
    ['drainer', 1_500n],
    ['drainer-affiliate', 6_000n],
  ] as const) {
    at(350.17, (hand) => {
      hand.call(who, market.harbor, 'approve', [PLACES.router, UNLIMITED])
      sell(hand, who, actors, market.harbor, amount * ETHER)
      hand.pay(who, actors.exchange, 200n * MILLI)
    })
  }
  return drainer
}
