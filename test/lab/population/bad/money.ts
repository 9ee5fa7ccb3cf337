/** Money after the crime, and addresses listed by an authority: launderers, mixer users, listed and frozen ones. */
import { approve, cashOut, gasMoney, holderOf, openAccount, pay, share, someone, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import { ordinary } from '../honest/people.ts'
import { freeze, list, mix, unmix } from '../honest/privacy.ts'
import type { Story } from '../schedule.ts'
import { BRIDGES, DAY, ether, HOUR, STABLES, type World, worth } from '../world.ts'
import { fund, liquidate, thief } from './proceeds.ts'

/** Robs a few wealthy people in one stable coin, and ends with the proceeds. */
function* rob(world: World, self: string, victims: number): Story {
  const { rng, chain } = world
  const stable = rng.pick(STABLES)
  fund(world, self)
  for (let left = victims; left > 0; left--) {
    yield chain.time() + rng.wait(DAY)
    const victim = holderOf(world, stable, rng.amount(2_500))
    world.harm(victim, 'drained')
    world.offend(self)
    gasMoney(world, victim)
    approve(world, victim, stable.address, self)
    yield chain.time() + rng.between(24, HOUR)
    const proceeds = chain.balance(stable.address, victim)
    gasMoney(world, self)
    if (proceeds > 0n)
      chain.send({ from: self, to: stable.address, selector: '0x23b872dd', gas: 80_000 }, (tx) =>
        tx.token(stable.address, victim, self, proceeds),
      )
  }
  liquidate(world, self, stable)
}

/** Passes the proceeds quickly through fresh wallets, each keeping a little, to an exchange, a bridge or a mixer. */
export const peelChain = (world: World, room: number): void => {
  const { rng, chain } = world
  const self = world.wallet('thief who launders', thief('phishing_activities', 'money_laundering'))
  const hops = Array.from({ length: Math.max(1, Math.min(room - 1, rng.whole(3, 8))) }, () =>
    world.wallet('laundering hop', { expected: ['money_laundering'], tolerated: ['blacklist_doubt', 'cybercrime'] }),
  )
  const hasty = rng.happens(0.8)
  world.start(
    world.moment(0, 0.7),
    (function* (): Story {
      yield* rob(world, self, rng.heavy(3, 12))
      yield chain.time() + rng.wait(hasty ? 2 * HOUR : 2 * DAY)
      let at = self
      for (const hop of hops) {
        if (rng.happens(0.3))
          pay(world, at, someone(world, at), NATIVE, share(chain.balance(NATIVE, at), rng.between(0.01, 0.05)))
        pay(world, at, hop, NATIVE, share(chain.balance(NATIVE, at), rng.between(0.91, 0.99)))
        world.offend(at)
        at = hop
        yield chain.time() + (hasty ? rng.between(36, HOUR) : rng.between(HOUR, DAY))
      }
      world.offend(at)
      const end = rng.next()
      if (end < 0.4) {
        openAccount(world, at, "criminal's deposit address", { tolerated: ['blacklist_doubt'] })
        cashOut(world, at)
      } else if (end < 0.7) {
        const value = share(chain.balance(NATIVE, at), 0.95)
        if (value > 0n) chain.send({ from: at, to: rng.pick(BRIDGES), value, selector: '0x9a2ac6d5', gas: 130_000 })
      } else
        for (let deposits = 0; deposits < 20; deposits++) {
          if (!mix(world, at, 1) && !mix(world, at, 0.1)) break
          yield chain.time() + 60
        }
    })(),
  )
}

/** Robs, and puts the proceeds into a mixer within hours. */
export const mixingThief = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('thief who mixes', {
    ...thief('phishing_activities', 'money_laundering'),
  })
  world.start(
    world.moment(0, 0.7),
    (function* (): Story {
      yield* rob(world, self, rng.heavy(3, 15))
      yield chain.time() + rng.wait(4 * HOUR)
      for (let deposits = 0; deposits < 40; deposits++) {
        if (!mix(world, self, 10) && !mix(world, self, 1) && !mix(world, self, 0.1)) break
        yield chain.time() + rng.between(30, 1_200)
      }
    })(),
  )
}

/** Uses the mixer for everything: withdraws income from it, deposits savings into it. */
export const mixerHabit = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('habitual mixer user', { expected: ['mixer'] })
  world.start(
    world.moment(0, 0.6),
    (function* (): Story {
      withdraw(world, self, NATIVE, ether(rng.between(1, 15)))
      for (let visits = rng.whole(2, 15); visits > 0; visits--) {
        yield chain.time() + rng.wait(3 * DAY)
        const size = rng.pick([0.1, 1, 1])
        if (rng.happens(0.6)) {
          if (mix(world, self, size)) world.offend(self)
        } else {
          world.offend(self)
          gasMoney(world, self)
          unmix(world, self, size, self)
        }
        if (rng.happens(0.3)) pay(world, self, someone(world, self), NATIVE, share(chain.balance(NATIVE, self), 0.15))
      }
    })(),
  )
}

export const listed = (world: World, authority: string): void => {
  const { rng, chain } = world
  const self = world.wallet('sanctioned', { expected: ['sanctioned'], tolerated: ['blacklist_doubt'] })
  world.start(
    world.moment(0, 0.8),
    (function* (): Story {
      withdraw(world, self, NATIVE, ether(rng.amount(3)))
      world.start(
        chain.time() + rng.wait(8 * DAY),
        (function* (): Story {
          list(world, authority, self, 'sanction_add')
          world.offend(self)
          if (!rng.happens(0.15)) return
          yield chain.time() + 2 * DAY
          // Cleared, until the list reverses its decision.
          list(world, authority, self, 'sanction_remove')
          world.roster.find(self)?.expected.delete('sanctioned')
          yield chain.time() + 2 * DAY
          list(world, authority, self, 'sanction_add')
          world.roster.find(self)?.expected.add('sanctioned')
        })(),
      )
      yield* ordinary(world, self)
    })(),
  )
}

export const frozen = (world: World, authority: string): void => {
  const { rng, chain } = world
  const self = world.wallet('frozen by an issuer', { expected: ['blacklist_doubt'] })
  const stable = rng.pick(STABLES.slice(0, 2))
  world.start(
    world.moment(0, 0.8),
    (function* (): Story {
      withdraw(world, self, NATIVE, ether(1))
      withdraw(world, self, stable.address, worth(stable, rng.amount(20_000)))
      world.start(
        chain.time() + rng.wait(8 * DAY),
        (function* (): Story {
          freeze(world, authority, self, stable.symbol, 'freeze')
          world.offend(self)
          yield chain.time() + HOUR
        })(),
      )
      yield* ordinary(world, self)
    })(),
  )
}
