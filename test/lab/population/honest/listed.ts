/** Honest wallets near lists: a small payment to a dark-web market, a refund from one, a withdrawn listing, an uncertain listing. */
import { ensure, gasMoney, pay, someone, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { coin, DAY, ether, HOUR, type World, worth } from '../world.ts'
import { ordinary } from './people.ts'

/** A small payment to an address seen in an article. */
function* curious(world: World, self: string, market: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(rng.between(0.2, 2)))
  yield chain.time() + rng.wait(2 * DAY)
  for (let times = rng.whole(1, 3); times > 0; times--) {
    pay(world, self, market, NATIVE, ether(rng.between(0.0005, 0.008)))
    yield chain.time() + rng.wait(DAY)
  }
  yield* ordinary(world, self)
}

/** The market sends unsolicited coins, or refunds an order that was paid by other means. */
function* refunded(world: World, self: string, market: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(rng.between(0.2, 2)))
  yield chain.time() + rng.wait(2 * DAY)
  gasMoney(world, market, 1)
  pay(world, market, self, NATIVE, ether(rng.between(0.02, 0.3)))
  yield* ordinary(world, self)
}

/** A shop with a withdrawn or uncertain listing; its customers pay ordinary prices. */
function* shop(world: World, self: string): Story {
  const { rng, chain } = world
  const usdt = coin('USDT')
  for (let sales = rng.heavy(3, 20); sales > 0; sales--) {
    yield chain.time() + rng.wait(2 * DAY)
    const customer = someone(world, self)
    const price = worth(usdt, 40 + rng.amount(80))
    ensure(world, customer, usdt.address, price)
    gasMoney(world, customer)
    yield chain.time() + rng.wait(HOUR)
    pay(world, customer, self, usdt.address, price)
  }
  yield* ordinary(world, self)
}

export const nearLists = (world: World, count: number): void => {
  const { rng } = world
  for (let made = 0; made < count; made++) {
    const part = rng.pick(['curious', 'refunded', 'shop'] as const)
    const market = world.darkMarkets[rng.below(world.darkMarkets.length)]
    if (part === 'shop' || market === undefined) {
      const self = world.person('shop once or doubtfully listed')
      const label = rng.pick(['darknet', 'fake_kyc'])
      if (rng.happens(0.5)) world.label(self, label, { revoked: true })
      else world.label(self, label, { confidence: rng.between(0.3, 0.85), class: 'reported' })
      world.start(world.arrival(), shop(world, self))
    } else {
      const self = world.person(part === 'curious' ? 'payer of trifles to a market' : 'paid by a dark-web market')
      const play = part === 'curious' ? curious : refunded
      world.start(market.begin + rng.wait(8 * DAY), play(world, self, market.address))
    }
  }
}
