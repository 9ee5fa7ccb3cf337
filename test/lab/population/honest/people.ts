/** Ordinary people: they buy at an exchange, hold, pay each other, write messages, clear old wallets. */
import { buy, cashOut, gasMoney, openAccount, pay, share, someone, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { DAY, ether, HOUR, STABLES, type World, worth } from '../world.ts'

/** Pays friends, tops up, sells: an ordinary wallet's history. Activity follows a power law: most do little, a few much. */
export function* ordinary(world: World, self: string, actions = world.rng.heavy(2, 150)): Story {
  const { rng, chain } = world
  const friends = [someone(world, self), someone(world, self)]
  const stable = rng.pick(STABLES)
  const gap = rng.between(1, 12) * DAY * Math.min(1, 8 / actions)
  for (let done = 0; done < actions; done++) {
    yield chain.time() + rng.wait(gap)
    const dice = rng.next()
    const to = rng.happens(0.7) ? rng.pick(friends) : someone(world, self)
    if (dice < 0.25) pay(world, self, to, NATIVE, share(chain.balance(NATIVE, self), rng.between(0.02, 0.3)))
    else if (dice < 0.55) {
      if (chain.balance(stable.address, self) === 0n && rng.happens(0.5))
        withdraw(world, self, stable.address, worth(stable, rng.amount(600, 1.2)))
      gasMoney(world, self)
      pay(world, self, to, stable.address, share(chain.balance(stable.address, self), rng.between(0.05, 0.5)))
    } else if (dice < 0.75) withdraw(world, self, NATIVE, ether(rng.amount(0.2)))
    else if (dice < 0.9) cashOut(world, self, rng.happens(0.5) ? stable.address : NATIVE, rng.between(0.2, 0.9))
    else if (dice < 0.93) buy(world, self, rng.pick(world.pools), share(chain.balance(NATIVE, self), 0.1))
  }
}

function* holder(world: World, self: string): Story {
  const { rng } = world
  withdraw(world, self, NATIVE, ether(rng.amount(0.4, 1.4)))
  if (rng.happens(0.5)) {
    const stable = rng.pick(STABLES)
    withdraw(world, self, stable.address, worth(stable, rng.amount(900, 1.5)))
  }
  yield* ordinary(world, self)
}

/** Holders; some have an account at an exchange, whose deposit address counts as one of the wallets. */
export const holders = (world: World, count: number): void => {
  for (let left = count; left > 0; ) {
    const self = world.person('holder')
    left--
    if (left > 0 && world.rng.happens(0.25)) {
      openAccount(world, self)
      left--
    }
    world.start(world.arrival(), holder(world, self))
  }
}

/** Vanity addresses, ground to begin with zeros or to be memorable. */
export const vanity = (world: World, count: number): void => {
  const { rng } = world
  const starts = ['00000000', '0000000000', 'deadbeef', 'c0ffee', 'babe', '1111111', 'ffffff']
  const ends = ['', '0000', 'beef', '8888', 'cafe']
  for (let made = 0; made < count; made++) {
    const start = rng.pick(starts)
    const end = rng.pick(ends)
    const self = world.person('vanity address', `0x${start}${rng.hex(40 - start.length - end.length)}${end}`)
    world.start(world.arrival(), holder(world, self))
  }
}

const MESSAGES = [
  'Happy birthday Anna, from all of us at the office!',
  'Invoice 2025-0417, thank you for the good work.',
  'For the record: we were here in the summer of 2025.',
  'Will you marry me? I love you more than words can say.',
  'Please return the funds if you received them by mistake, contact help@example.org',
  'Donation for the flood relief from an anonymous friend',
  'gm frens, this is a test of calldata as a notebook',
  'We offer a 10 % bounty for the return of the remaining funds, no questions asked.',
  'Your payment is due within 7 days, please pay invoice 8841 at your convenience.',
]

function* writer(world: World, self: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(rng.amount(0.5)))
  const letters = rng.heavy(1, 30)
  for (let sent = 0; sent < letters; sent++) {
    yield chain.time() + rng.wait(3 * DAY)
    gasMoney(world, self)
    const value = ether(rng.happens(0.6) ? rng.between(0.001, 0.02) : 0)
    if (chain.balance(NATIVE, self) > value)
      chain.send({ from: self, to: someone(world, self), value, message: rng.pick(MESSAGES), gas: 24_000 })
  }
  yield* ordinary(world, self)
}

export const writers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++) world.start(world.arrival(), writer(world, world.person('message writer')))
}

/** Consolidates its own old wallets after sending them gas: looks like a sweep and is housekeeping. */
function* tidy(world: World, self: string, old: readonly string[]): Story {
  const { rng, chain } = world
  const stable = rng.pick(STABLES)
  withdraw(world, self, NATIVE, ether(rng.amount(1)))
  for (const one of old) withdraw(world, one, stable.address, worth(stable, rng.amount(300)))
  for (let round = 0; round < rng.whole(2, 6); round++) {
    yield chain.time() + rng.wait(4 * DAY)
    pay(world, self, rng.pick(old), NATIVE, ether(0.01))
  }
  yield chain.time() + rng.wait(20 * DAY)
  for (const one of old) {
    gasMoney(world, self)
    pay(world, self, one, NATIVE, ether(0.004))
    yield chain.time() + rng.between(30, rng.happens(0.5) ? 300 : 2 * HOUR)
    pay(world, one, self, stable.address, chain.balance(stable.address, one))
    pay(world, one, self, NATIVE, share(chain.balance(NATIVE, one), 0.97))
  }
  yield* ordinary(world, self)
}

export const tidiers = (world: World, count: number): void => {
  for (let left = count; left > 0; ) {
    const old = Array.from({ length: Math.min(left - 1, world.rng.whole(2, 9)) }, () => world.wallet('old own wallet'))
    const self = world.person('consolidator')
    left -= old.length + 1
    if (old.length > 0) world.start(world.moment(0, 0.6), tidy(world, self, old))
    else world.start(world.arrival(), holder(world, self))
  }
}
