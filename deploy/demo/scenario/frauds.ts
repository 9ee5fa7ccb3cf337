/** The frauds: a rug pull, a honeypot token and a drainer. */
import type { Address } from 'viem'
import { ADDRESSES, creationCode } from '../contracts/contracts.ts'
import { type ActorName, SHOPPERS, TRADERS, VICTIMS } from './actors.ts'
import { ETHER, firstLiquidity, type Market, NO_DEADLINE, openPool, UNLIMITED } from './market.ts'
import { type Balances, buy, sell } from './ordinary-wallets.ts'
import type { Timeline } from './timeline.ts'

const MILLI = ETHER / 1000n
const SUPPLY = 1_000_000n * ETHER

/** A fraud's token and pool, set once the timeline is planned. The token of the drainer is its contract. */
export type Fraud = { token: Address; pool: Address; victims: ActorName[] }

/** Plans a token launch, nine buyers and the removal of 97 % of the liquidity by the creator. */
export const planRugPull = (timeline: Timeline, market: Market): Fraud => {
  const { actors, at } = timeline
  const coins = 12n * ETHER
  const rug: Fraud = {
    token: ADDRESSES.weth,
    pool: ADDRESSES.weth,
    victims: [...TRADERS.slice(0, 4), ...SHOPPERS.slice(0, 5)],
  }
  at(250.2, ({ pay }) => pay('exchange', actors['rug-puller'], 16n * ETHER))
  at(251.13, ({ deploy }) => {
    rug.token = deploy('rug-puller', 'Moonlight', creationCode('RugToken', 'Moonlight', 'MOON', SUPPLY))
    rug.pool = market.pairOf(ADDRESSES.weth, rug.token)
  })
  at(251.32, (block) => openPool(block, 'rug-puller', rug.token, SUPPLY, coins, actors['rug-puller']))
  rug.victims.forEach((who, index) => {
    at(251.51 + index * 0.13, (block) => buy(block, who, actors, rug.token, 20_000n * ETHER, 2n * ETHER))
  })
  // One early buyer can sell, so the token looks tradable.
  at(252.97, (block) => {
    block.call('trader-1', rug.token, 'approve', [ADDRESSES.router, UNLIMITED])
    sell(block, 'trader-1', actors, rug.token, 10_000n * ETHER)
  })
  at(253.63, ({ call }) => {
    const liquidity = (firstLiquidity(SUPPLY, coins) * 97n) / 100n
    call('rug-puller', rug.pool, 'approve', [ADDRESSES.router, UNLIMITED])
    call('rug-puller', ADDRESSES.router, 'removeLiquidityETH', [
      rug.token,
      liquidity,
      0n,
      0n,
      actors['rug-puller'],
      NO_DEADLINE,
    ])
  })
  at(253.91, ({ pay }) => pay('rug-puller', actors.exchange, 14n * ETHER))
  return rug
}

/** Plans a token that can be bought but not sold, except by its deployer. */
export const planHoneypot = (timeline: Timeline, market: Market): Fraud => {
  const { actors, at } = timeline
  const pot: Fraud = { token: ADDRESSES.weth, pool: ADDRESSES.weth, victims: [...TRADERS, ...SHOPPERS.slice(0, 11)] }
  at(299.4, ({ pay }) => pay('exchange', actors['honeypot-deployer'], 8n * ETHER))
  at(300.27, ({ deploy }) => {
    pot.token = deploy('honeypot-deployer', 'Nectar', creationCode('HoneypotToken', 'Nectar', 'NCTR', SUPPLY))
    pot.pool = market.pairOf(ADDRESSES.weth, pot.token)
  })
  at(300.35, (block) => {
    openPool(block, 'honeypot-deployer', pot.token, SUPPLY / 2n, 5n * ETHER, actors['honeypot-deployer'])
    block.call('honeypot-deployer', pot.token, 'close', [pot.pool])
  })
  pot.victims.forEach((who, index) => {
    at(300.61 + index * 0.21, (block) => buy(block, who, actors, pot.token, 3_000n * ETHER, ETHER))
  })
  for (const [index, who] of pot.victims.slice(2, 7).entries()) {
    at(305.73 + index * 0.41, (block) => {
      block.call(who, pot.token, 'approve', [ADDRESSES.router, UNLIMITED])
      sell(block, who, actors, pot.token, 3_000n * ETHER, true)
    })
  }
  at(309.12, (block) => sell(block, 'honeypot-deployer', actors, pot.token, 60_000n * ETHER))
  at(309.38, ({ pay }) => pay('honeypot-deployer', actors.exchange, 500n * MILLI))
  return pot
}

/** Plans a drainer. Each victim loses all its Harbor tokens, also in `balancesByName`, which later steps of the victims use. */
export const planDrainer = (timeline: Timeline, market: Market, balancesByName: Map<ActorName, Balances>): Fraud => {
  const { actors, at } = timeline
  const drainer: Fraud = { token: ADDRESSES.weth, pool: ADDRESSES.weth, victims: [...VICTIMS] }
  at(340.3, ({ pay }) => {
    pay('exchange', actors.drainer, 2n * ETHER)
    pay('exchange', actors['drainer-affiliate'], ETHER)
  })
  at(340.83, ({ deploy }) => {
    drainer.token = deploy('drainer', 'Drainer', creationCode('Drainer'))
  })
  VICTIMS.forEach((victim, index) => {
    const day = 341.21 + index * 1.37
    // A purchase just before, so that every victim has tokens to lose.
    at(day, (block) => buy(block, victim, actors, market.harbor, 1_500n * ETHER, 2n * ETHER))
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
    at(350.17, (block) => {
      block.call(who, market.harbor, 'approve', [ADDRESSES.router, UNLIMITED])
      sell(block, who, actors, market.harbor, amount * ETHER)
      block.pay(who, actors.exchange, 200n * MILLI)
    })
  }
  return drainer
}
