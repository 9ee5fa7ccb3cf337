/** Badness that only lists show: dark-web markets and their customers, sellers of false identities. */
import { gasMoney, pay, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { coin, DAY, ETHER_USD, ether, HOUR, type World, worth } from '../world.ts'
import { dispose, fund, thief } from './proceeds.ts'

/** Lists contain most of them, with sufficient confidence. */
const KNOWN = 0.85
const labelIfKnown = (world: World, address: string, label: string): boolean => {
  const known = world.rng.happens(KNOWN)
  if (known) world.label(address, label, { confidence: world.rng.pick([0.9, 0.95, 1]) })
  return known
}

/** Orders of some dozens of dollars and more, in coins or a stable coin; the income is used like other proceeds. */
export const darkMarket = (world: World, room: number): void => {
  const { rng, chain } = world
  const usdt = coin('USDT')
  const self = world.wallet('dark-web market', thief('darkweb_transactions'))
  const begin = world.moment(0, 0.5)
  if (labelIfKnown(world, self, 'darknet')) world.darkMarkets.push({ address: self, begin })
  const customers = Array.from({ length: Math.max(1, Math.min(room - 1, rng.heavy(2, 10))) }, () =>
    world.wallet('dark-web customer', { expected: ['darkweb_transactions'] }),
  )
  world.start(
    begin,
    (function* (): Story {
      fund(world, self)
      yield chain.time() + 30 * DAY
      yield* dispose(world, self, [usdt])
    })(),
  )
  for (const customer of customers)
    world.start(
      begin + rng.wait(8 * DAY),
      (function* (): Story {
        for (let orders = rng.whole(1, 5); orders > 0; orders--) {
          const usd = 50 + rng.amount(90)
          const asset = rng.happens(0.6) ? NATIVE : usdt.address
          const amount = asset === NATIVE ? ether(usd / ETHER_USD) : worth(usdt, usd)
          withdraw(world, customer, asset, amount + amount / 5n)
          gasMoney(world, customer)
          yield chain.time() + rng.wait(2 * HOUR)
          if (pay(world, customer, self, asset, amount)) world.offend(self, customer)
          yield chain.time() + rng.wait(6 * DAY)
        }
      })(),
    )
}

/** Sells identity documents of others; exchanges pay for it unknowingly. */
export const identitySeller = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('seller of false identities', thief('fake_kyc'))
  labelIfKnown(world, self, 'fake_kyc')
  world.start(
    world.moment(0, 0.7),
    (function* (): Story {
      fund(world, self)
      for (let sales = rng.heavy(2, 30); sales > 0; sales--) {
        yield chain.time() + rng.wait(2 * DAY)
        withdraw(world, self, coin('USDT').address, worth(coin('USDT'), rng.amount(80)), rng.below(3))
        world.offend(self)
      }
      yield* dispose(world, self, [coin('USDT')])
    })(),
  )
}
