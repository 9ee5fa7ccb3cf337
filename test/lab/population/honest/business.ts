/** Businesses that pay many or collect from many: payrolls, airdrops, subscriptions, sales, lotteries, exchanges. */
import {
  approve,
  cashOut,
  deploy,
  deployToken,
  ensure,
  gasMoney,
  openAccount,
  pay,
  share,
  someone,
  withdraw,
} from '../actions.ts'
import { NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { DAY, DISPERSE, END, ether, HOUR, STABLES, type World, worth } from '../world.ts'
import { ordinary } from './people.ts'

/** Pays everyone the same day each week or month, from one wallet, in near-equal amounts, at times through a batch contract. */
function* payroll(world: World, self: string, employees: readonly string[]): Story {
  const { rng, chain } = world
  const stable = rng.pick(STABLES)
  const every = rng.pick([7, 14, 30]) * DAY
  const salary = rng.between(300, 4_000)
  const batch = rng.happens(0.4)
  while (chain.time() < END) {
    gasMoney(world, self, 0.3)
    ensure(world, self, stable.address, worth(stable, salary * employees.length * 1.3))
    if (batch) {
      if (chain.balance(stable.address, DISPERSE) === 0n) approve(world, self, stable.address, DISPERSE)
      chain.send(
        {
          from: self,
          to: DISPERSE,
          selector: '0xc73a2d60',
          inputSize: 64 * employees.length,
          gas: 40_000 * employees.length,
        },
        (tx) => {
          for (const one of employees) tx.token(stable.address, self, one, worth(stable, salary))
        },
      )
    } else
      for (const one of employees) {
        pay(world, self, one, stable.address, worth(stable, salary * rng.between(0.9, 1.1)))
        yield chain.time() + 24
      }
    yield chain.time() + every
  }
}

/** Wages arrive and are mostly spent soon: rent, exchange, friends. */
function* employee(world: World, self: string): Story {
  const { rng, chain } = world
  for (let months = 0; months < 6; months++) {
    yield chain.time() + rng.wait(12 * DAY)
    for (const { address } of STABLES) {
      const held = chain.balance(address, self)
      if (held === 0n) continue
      gasMoney(world, self)
      if (!cashOut(world, self, address, 1)) pay(world, self, someone(world, self), address, share(held, 0.9))
    }
  }
  yield* ordinary(world, self, rng.whole(1, 6))
}

export const employers = (world: World, count: number): void => {
  for (let left = count; left > 0; ) {
    const payer = world.wallet('payroll payer')
    left--
    const employees: string[] = []
    const size = world.rng.heavy(4, 120)
    while (left > 0 && employees.length < size) {
      const one = world.person('employee')
      employees.push(one)
      left--
      if (left > 0 && world.rng.happens(0.5)) {
        openAccount(world, one)
        left--
      }
      world.start(world.moment(0.05, 0.3), employee(world, one))
    }
    if (employees.length > 0) world.start(world.moment(0, 0.2), payroll(world, payer, employees))
  }
}

/** Sends its own token to many, or has them claim it from a contract. */
function* airdrop(world: World, self: string, claimers: readonly string[]): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(20))
  yield chain.time() + HOUR
  const address = world.contract('honest token')
  const name = `${rng.pick(['Atlas', 'Beacon', 'Cinder', 'Delta'])} Protocol ${rng.whole(2, 99)}`
  deployToken(world, self, address, {
    name,
    symbol: name.slice(0, 4).toUpperCase(),
    supply: 1e9,
    code: `erc20 ${rng.below(5)}`,
  })
  const claim = world.contract('airdrop claim contract')
  if (rng.happens(0.5)) {
    deploy(world, self, claim, 'merkle distributor')
    pay(world, self, claim, address, share(chain.balance(address, self), 0.5))
    for (const one of claimers) {
      yield chain.time() + rng.wait(DAY / 4)
      gasMoney(world, one)
      const due = share(chain.balance(address, claim), 0.001)
      chain.send({ from: one, to: claim, selector: '0x2e7ba6ef', inputSize: 420, gas: 90_000 }, (tx) =>
        tx.token(address, claim, one, due),
      )
    }
    return
  }
  for (let round = 0; round < claimers.length; round += 100) {
    const some = claimers.slice(round, round + 100)
    chain.send(
      { from: self, to: DISPERSE, selector: '0xc73a2d60', inputSize: 64 * some.length, gas: 30_000 * some.length },
      (tx) => {
        for (const one of some) tx.token(address, self, one, share(chain.balance(address, self), 0.0005))
      },
    )
    yield chain.time() + rng.wait(HOUR)
  }
}

export const airdroppers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++) {
    const self = world.wallet('airdrop distributor')
    world.start(
      world.moment(0.1, 0.8),
      (function* (): Story {
        yield* airdrop(
          world,
          self,
          Array.from({ length: world.rng.heavy(60, 600) }, () => someone(world, self)),
        )
      })(),
    )
  }
}

/** Pulls what customers allowed, month after month, without their signature, and little of what they have. */
function* service(world: World, self: string, customers: readonly string[]): Story {
  const { rng, chain } = world
  const contract = world.contract('subscription contract')
  const stable = rng.pick(STABLES)
  const price = worth(stable, rng.between(5, 60))
  gasMoney(world, self, 2)
  yield chain.time() + HOUR
  deploy(world, self, contract, 'subscriptions')
  for (const one of customers) {
    yield chain.time() + rng.wait(6 * HOUR)
    gasMoney(world, one)
    ensure(world, one, stable.address, price * 3n)
    approve(world, one, stable.address, contract, rng.happens(0.5) ? undefined : price * 12n)
  }
  for (let month = 0; month < 4; month++) {
    yield chain.time() + (rng.happens(0.3) ? 7 : 25) * DAY
    for (const one of customers) {
      if (chain.balance(stable.address, one) < price) continue
      gasMoney(world, self, 1)
      chain.send({ from: self, to: contract, selector: '0x8d80ff0a', gas: 80_000 }, (tx) =>
        tx.token(stable.address, one, self, price),
      )
      yield chain.time() + 12
    }
    cashOut(world, self, stable.address)
  }
}

export const subscriptions = (world: World, count: number): void => {
  for (let left = count; left > 0; ) {
    const self = world.wallet('subscription service')
    left--
    const customers: string[] = []
    for (const size = world.rng.heavy(8, 300); left > 0 && customers.length < size; left--) {
      const one = world.person('subscriber')
      customers.push(one)
      world.start(world.arrival(), ordinary(world, one))
    }
    world.start(world.moment(0, 0.3), service(world, self, customers))
  }
}

/** Takes native coin for tokens delivered later: at first many payers and nothing in return. */
function* sale(world: World, self: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(2))
  const contract = world.contract('token sale contract')
  const address = world.contract('honest token')
  yield chain.time() + HOUR
  deployToken(world, self, address, {
    name: `Sale ${rng.whole(2, 9_999)}`,
    symbol: 'SALE',
    supply: 1e8,
    code: `erc20 ${rng.below(5)}`,
  })
  deploy(world, self, contract, 'crowd sale')
  pay(world, self, contract, address, share(chain.balance(address, self), 0.5))
  const buyers = new Map<string, bigint>()
  for (let left = rng.heavy(5, 120); left > 0; left--) {
    yield chain.time() + rng.wait(6 * HOUR)
    const one = someone(world, self)
    const paid = ether(rng.amount(0.1))
    gasMoney(world, one)
    ensure(world, one, NATIVE, paid * 2n)
    chain.send({ from: one, to: contract, value: paid, selector: '0xd0e30db0', gas: 60_000 }, (tx) =>
      tx.internal(contract, self, paid),
    )
    buyers.set(one, (buyers.get(one) ?? 0n) + paid)
  }
  yield chain.time() + rng.between(1, 12) * DAY
  for (const [one, paid] of buyers) {
    gasMoney(world, one)
    chain.send({ from: one, to: contract, selector: '0x4e71d92d', gas: 70_000 }, (tx) =>
      tx.token(address, contract, one, paid),
    )
    yield chain.time() + rng.wait(HOUR)
  }
}

export const sellers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++)
    world.start(world.moment(0, 0.5), sale(world, world.wallet('token sale operator')))
}

/** A lottery: pays some players out of others' stakes; the house keeps a small cut. */
function* lottery(world: World, self: string): Story {
  const { rng, chain } = world
  const contract = world.contract('lottery contract')
  withdraw(world, self, NATIVE, ether(1))
  yield chain.time() + HOUR
  deploy(world, self, contract, 'lottery')
  for (let round = 0; round < 12; round++) {
    const players = Array.from({ length: rng.whole(4, 20) }, () => someone(world, self))
    for (const one of players) {
      yield chain.time() + rng.wait(2 * HOUR)
      gasMoney(world, one, 0.1)
      chain.send({ from: one, to: contract, value: ether(0.05), selector: '0xed21187a', gas: 60_000 })
    }
    const winner = rng.pick(players)
    const pot = chain.balance(NATIVE, contract)
    chain.send({ from: self, to: contract, selector: '0x5d495aea', gas: 120_000 }, (tx) => {
      tx.internal(contract, winner, share(pot, 0.95))
      tx.internal(contract, self, share(pot, 0.05))
    })
  }
}

export const lotteries = (world: World, count: number): void => {
  for (let made = 0; made < count; made++)
    world.start(world.moment(0, 0.6), lottery(world, world.wallet('lottery operator')))
}

/** Exchanges move between their own wallets and pay withdrawals in bulk. */
function* exchange(world: World, which: number): Story {
  const { rng, chain } = world
  const one = world.exchanges[which]
  if (!one) return
  while (chain.time() < END) {
    yield chain.time() + rng.wait(DAY)
    const coin = rng.pick([NATIVE, ...STABLES.map((stable) => stable.address)])
    const hot = rng.pick(one.hot)
    if (rng.happens(0.5)) pay(world, hot, one.cold, coin, share(chain.balance(coin, hot), 0.01))
    else pay(world, one.cold, hot, coin, share(chain.balance(coin, one.cold), 0.01))
    if (rng.happens(0.5)) pay(world, hot, one.gas, NATIVE, ether(5))
  }
}

export const runExchanges = (world: World): void => {
  for (const which of world.exchanges.keys()) world.start(world.moment(0, 0.02), exchange(world, which))
}
