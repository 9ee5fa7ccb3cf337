/** Stolen keys: delegated sweepers, emptied wallets, and exploits of contracts. */
import { deploy, gasMoney, pay, share, someone, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import { mix } from '../honest/privacy.ts'
import { emptyVault, openVault } from '../honest/vaults.ts'
import type { Story } from '../schedule.ts'
import { COINS, DAY, ether, HOUR, STABLES, type World, worth } from '../world.ts'
import { dispose, fund, HARMFUL, thief } from './proceeds.ts'

/** Leaked keys are delegated to code that forwards all receipts; the owner is the victim. */
export const delegatedSweeper = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('7702 sweeper sink', thief('cybercrime', 'stealing_attack'))
  const code = world.contract('7702 sweeper code', HARMFUL)
  const atOnce = rng.happens(0.5)
  world.start(
    world.moment(0, 0.6),
    (function* (): Story {
      fund(world, self, 1)
      yield chain.time() + HOUR
      deploy(world, self, code, 'sweeper family')
      const victims = Array.from({ length: rng.heavy(10, 300) }, () => someone(world, self))
      for (let at = 0; at < victims.length; at += 10) {
        yield chain.time() + rng.wait(DAY / 2)
        gasMoney(world, self, 0.1)
        const some = victims.slice(at, at + 10)
        chain.send({ from: self, to: self, type: 4, selector: '0x00000000', gas: 40_000 * some.length }, (tx) => {
          for (const one of some) tx.delegate(one, code)
        })
      }
      for (const one of victims) {
        world.harm(one, '7702 swept')
        world.swept.set(one, { sink: self, atOnce })
      }
      for (let payments = victims.length; payments > 0; payments--) {
        yield chain.time() + rng.wait((30 * DAY) / victims.length)
        const victim = rng.pick(victims)
        const payer = someone(world, victim)
        gasMoney(world, payer, 0.4)
        pay(world, payer, victim, NATIVE, ether(rng.between(0.01, 0.3)))
      }
      yield* dispose(world, self, STABLES)
    })(),
  )
}

/** A thief has the keys of many unrelated wallets and empties them at once, paying their gas. */
export const keyThief = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('key thief', thief('stealing_attack'))
  world.start(
    world.moment(0.1, 0.8),
    (function* (): Story {
      fund(world, self, 1)
      yield chain.time() + rng.wait(DAY)
      const stable = rng.pick(STABLES)
      const victims = Array.from({ length: rng.happens(0.25) ? rng.whole(2, 4) : rng.heavy(5, 60) }, () =>
        someone(world, self),
      )
      for (const victim of new Set(victims)) {
        if (chain.balance(stable.address, victim) === 0n)
          withdraw(world, victim, stable.address, worth(stable, rng.amount(500)))
        yield chain.time() + 12
      }
      yield chain.time() + rng.wait(2 * DAY)
      for (const victim of new Set(victims)) {
        gasMoney(world, self)
        world.harm(victim, 'key stolen')
        world.offend(self)
        pay(world, self, victim, NATIVE, ether(0.003))
        yield chain.time() + rng.between(12, 90)
        for (const { address } of COINS) pay(world, victim, self, address, chain.balance(address, victim))
        if (rng.happens(0.9)) pay(world, victim, self, NATIVE, share(chain.balance(NATIVE, victim), 0.99))
        yield chain.time() + rng.between(12, 120)
      }
      yield* dispose(world, self, [stable])
    })(),
  )
}

/** A fresh contract with borrowed money empties a vault with many savers in one transaction. */
export const exploiter = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('exploiter', thief('cybercrime', 'stealing_attack'))
  const tool = world.contract('exploit contract', HARMFUL)
  const builder = world.wallet('vault builder')
  world.start(
    world.moment(0, 0.3),
    (function* (): Story {
      const vault = yield* openVault(world, builder, rng.heavy(10, 120))
      yield chain.time() + rng.between(0, 20) * DAY
      fund(world, self, 1)
      yield chain.time() + rng.between(600, 30 * HOUR)
      deploy(world, self, tool, `exploit ${tool}`)
      yield chain.time() + rng.between(60, rng.happens(0.8) ? 3 * HOUR : 60 * HOUR)
      if (emptyVault(world, self, tool, vault.address, rng.between(0.35, 1)) > 0n) world.offend(self)
      yield chain.time() + rng.wait(3 * HOUR)
      for (let deposits = rng.whole(3, 30); deposits > 0; deposits--) {
        if (!mix(world, self, 10)) mix(world, self, 1)
        yield chain.time() + rng.between(30, 600)
      }
    })(),
  )
}
