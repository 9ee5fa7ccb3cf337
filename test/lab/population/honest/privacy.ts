/** Honest wallets near mixers and authorities: used one once, received dust from one, were listed or frozen and cleared. */
import { registryOf } from '../../../../schema/registry/index.ts'
import { ensure, gasMoney, someone, withdraw } from '../actions.ts'
import { NATIVE, NETWORK, ZERO } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { coin, DAY, ether, HOUR, type World, worth } from '../world.ts'
import { ordinary } from './people.ts'

const registry = registryOf(NETWORK)
const POOLS = [...registry.mixerPools.values()].filter((pool) => pool.asset === '')
const [MIXER_ROUTER = { address: '' }] = registry.mixerRouters.values()
const [ORACLE = { address: '' }] = registry.sanctionsOracles.values()

/** The pool of the native coin with this denomination. */
export const mixerPool = (whole: number) => {
  const pool = POOLS.find((one) => BigInt(one.denomination) === ether(whole))
  if (!pool) throw new RangeError(`no mixer pool of ${whole}`)
  return pool
}

/** Deposits once; the sender is visible as the depositor. */
export const mix = (world: World, from: string, whole: number): boolean => {
  const value = ether(whole)
  const pool = mixerPool(whole)
  if (world.chain.balance(NATIVE, from) < value) return false
  // Criminals who mix their proceeds are mixer users too: that flag may be argued.
  const member = world.roster.find(from)
  if (member && member.expected.size > 0) member.tolerated.add('mixer')
  world.chain.send(
    { from, to: MIXER_ROUTER.address, value, selector: '0x13d98d13', inputSize: 164, gas: 950_000 },
    (tx) => {
      tx.internal(MIXER_ROUTER.address, pool.address, value)
      tx.authority(pool.address, 'mixer_deposit', from, value)
    },
  )
  return true
}

/** Withdraws to an address, sent by it or by a relayer. Others have deposited before, outside of the story. */
export const unmix = (world: World, to: string, whole: number, sender: string): void => {
  const pool = mixerPool(whole)
  const value = ether(whole)
  world.chain.endow(NATIVE, pool.address, value)
  world.chain.send(
    { from: sender, to: MIXER_ROUTER.address, selector: '0xb438689f', inputSize: 484, gas: 400_000 },
    (tx) => {
      tx.internal(pool.address, to, value)
      tx.authority(pool.address, 'mixer_withdraw', to, value, sender === to ? ZERO : sender)
    },
  )
}

export const mixerVisitors = (world: World, count: number): void => {
  const { rng, chain } = world
  for (let made = 0; made < count; made++) {
    const self = world.person('one-time mixer user')
    world.start(
      world.arrival(),
      (function* (): Story {
        withdraw(world, self, NATIVE, ether(rng.between(2, 12)))
        yield chain.time() + rng.wait(2 * DAY)
        mix(world, self, rng.pick([0.1, 1]))
        yield* ordinary(world, self)
      })(),
    )
  }
}

/** A prankster or activist sends mixer withdrawals to well-known people, who continue as before. */
export const dusted = (world: World, count: number): void => {
  const { rng, chain } = world
  const { relay } = world
  for (let made = 0; made < count; made++) {
    const self = world.person('mixer-dusted wallet')
    world.start(
      world.arrival(),
      (function* (): Story {
        withdraw(world, self, NATIVE, ether(rng.amount(2)))
        for (let gifts = rng.whole(1, 4); gifts > 0; gifts--) {
          yield chain.time() + rng.wait(10 * DAY)
          gasMoney(world, relay)
          unmix(world, self, 0.1, relay)
        }
        yield* ordinary(world, self)
      })(),
    )
  }
}

/** Logs a decision on an address as a sanctions oracle does. */
export const list = (world: World, by: string, subject: string, event: 'sanction_add' | 'sanction_remove'): void => {
  gasMoney(world, by)
  world.chain.send(
    { from: by, to: ORACLE.address, selector: event === 'sanction_add' ? '0x7a7f8f4b' : '0x4e5d2f20', gas: 60_000 },
    (tx) => tx.authority(ORACLE.address, event, subject),
  )
}

/** Logs a decision on an address as the issuer of a stable coin does. */
export const freeze = (
  world: World,
  by: string,
  subject: string,
  symbol: string,
  event: 'freeze' | 'unfreeze',
): void => {
  gasMoney(world, by)
  const { address } = coin(symbol)
  world.chain.send(
    { from: by, to: address, selector: event === 'freeze' ? '0x0ecb93c0' : '0xe4997dc5', gas: 50_000 },
    (tx) => tx.authority(address, event, subject, 0n, symbol),
  )
}

/** Frozen or listed by mistake, cleared some days later. */
export const cleared = (world: World, count: number, authority: string): void => {
  const { rng, chain } = world
  for (let made = 0; made < count; made++) {
    const how = rng.happens(0.6) ? 'frozen and released' : 'listed and delisted'
    const self = world.person(how)
    const symbol = rng.pick(['USDT', 'USDC'])
    world.start(
      world.moment(0, 0.6),
      (function* (): Story {
        withdraw(world, self, NATIVE, ether(1))
        ensure(world, self, coin(symbol).address, worth(coin(symbol), rng.amount(5_000)))
        yield chain.time() + rng.wait(3 * DAY)
        if (how === 'frozen and released') freeze(world, authority, self, symbol, 'freeze')
        else list(world, authority, self, 'sanction_add')
        yield chain.time() + rng.between(HOUR, 15 * DAY)
        if (how === 'frozen and released') freeze(world, authority, self, symbol, 'unfreeze')
        else list(world, authority, self, 'sanction_remove')
        yield* ordinary(world, self, rng.whole(3, 15))
        if (rng.happens(0.1)) withdraw(world, someone(world, self), NATIVE, ether(0.1))
      })(),
    )
  }
}
