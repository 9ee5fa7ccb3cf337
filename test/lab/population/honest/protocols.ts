/** Users of contracts: permits and relayers, staking pools, bridges, delegated accounts. */
import { PERMIT2 } from '../../../../schema/registry/index.ts'
import { approve, deploy, ensure, gasMoney, pay, share, withdraw } from '../actions.ts'
import { MAX, NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { BRIDGES, DAY, ether, HOUR, ROUTER, STABLES, UNIVERSAL_ROUTER, WETH, type World, worth } from '../world.ts'
import { ordinary } from './people.ts'

/** Swaps a stable coin by Permit2 and the universal router: once allowed, every spending is a signature. */
function* permitUser(world: World, self: string): Story {
  const { rng, chain } = world
  const stable = rng.pick(STABLES)
  const pool = world.pools.find((one) => one.asset.address === stable.address)
  if (!pool) return
  withdraw(world, self, NATIVE, ether(rng.amount(0.3)))
  withdraw(world, self, stable.address, worth(stable, rng.amount(1_500, 1.2)))
  yield chain.time() + rng.wait(DAY)
  approve(world, self, stable.address, PERMIT2)
  for (let done = rng.heavy(1, 40); done > 0; done--) {
    yield chain.time() + rng.wait(4 * DAY)
    const amount = share(chain.balance(stable.address, self), rng.happens(0.3) ? 1 : rng.between(0.1, 0.8))
    if (amount === 0n) withdraw(world, self, stable.address, worth(stable, rng.amount(800)))
    else {
      gasMoney(world, self)
      const out = share(chain.balance(WETH, pool.address), 0.00001)
      chain.send({ from: self, to: UNIVERSAL_ROUTER, selector: '0x3593564c', inputSize: 900, gas: 190_000 }, (tx) => {
        tx.approve('permit2', stable.address, self, UNIVERSAL_ROUTER, MAX >> 96n)
        tx.token(stable.address, self, pool.address, amount)
        tx.token(WETH, pool.address, UNIVERSAL_ROUTER, out)
        tx.swap(
          pool.address,
          UNIVERSAL_ROUTER,
          UNIVERSAL_ROUTER,
          ...(pool.token0 === WETH ? ([-out, amount] as const) : ([amount, -out] as const)),
        )
        tx.wrap(WETH, UNIVERSAL_ROUTER, 'out', out)
        tx.internal(WETH, UNIVERSAL_ROUTER, out)
        tx.internal(UNIVERSAL_ROUTER, self, out)
      })
    }
  }
}

export const permitUsers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++) world.start(world.arrival(), permitUser(world, world.person('permit user')))
}

/** Sends other people's signed payments for a fee: permit and pull in one transaction that the owner did not send. */
function* relayer(world: World, self: string, customers: readonly string[]): Story {
  const { rng, chain } = world
  const usdc = STABLES[1]
  if (!usdc) return
  withdraw(world, self, NATIVE, ether(5))
  for (let sent = 0; sent < 3 * customers.length; sent++) {
    yield chain.time() + rng.wait(8 * HOUR)
    const one = rng.pick(customers)
    ensure(world, one, usdc.address, worth(usdc, 60))
    gasMoney(world, self, 1)
    const held = chain.balance(usdc.address, one)
    const all = rng.happens(0.25)
    const fee = worth(usdc, rng.between(0.2, 2))
    const amount = all ? held - fee : share(held, rng.between(0.05, 0.6))
    const payee = rng.pick(customers)
    if (payee === one || amount + fee > held) continue
    chain.send({ from: self, to: usdc.address, selector: '0xac9650d8', inputSize: 500, gas: 150_000 }, (tx) => {
      tx.approve('fungible', usdc.address, one, self, amount + fee)
      tx.token(usdc.address, one, payee, amount)
      tx.token(usdc.address, one, self, fee)
    })
  }
}

export const relayers = (world: World, count: number): void => {
  for (let left = count; left > 0; ) {
    const self = world.wallet('meta-transaction relayer')
    left--
    const customers: string[] = []
    for (const size = world.rng.heavy(8, 60); left > 0 && customers.length < size; left--) {
      const one = world.person('gasless customer')
      customers.push(one)
      world.start(world.arrival(), ordinary(world, one, 3))
    }
    if (customers.length > 1) world.start(world.moment(0, 0.4), relayer(world, self, customers))
  }
}

/** A staking pool of an honest operator: deposits by allowance, rewards in native coin, and everyone gets the stake back. */
function* stakingPool(world: World, self: string, stakers: readonly string[]): Story {
  const { rng, chain } = world
  const contract = world.contract('staking pool')
  const stable = rng.pick(STABLES)
  withdraw(world, self, NATIVE, ether(10))
  yield chain.time() + HOUR
  deploy(world, self, contract, 'staking pool')
  const stakes = new Map<string, bigint>()
  for (const one of stakers) {
    yield chain.time() + rng.wait(6 * HOUR)
    gasMoney(world, one)
    ensure(world, one, stable.address, worth(stable, rng.amount(700)))
    const amount = share(chain.balance(stable.address, one), rng.happens(0.4) ? 1 : 0.5)
    approve(world, one, stable.address, contract)
    chain.send({ from: one, to: contract, selector: '0xa694fc3a', gas: 110_000 }, (tx) =>
      tx.token(stable.address, one, contract, amount),
    )
    stakes.set(one, amount)
  }
  for (let week = 0; week < 4; week++) {
    yield chain.time() + 7 * DAY
    gasMoney(world, self, 2)
    chain.send(
      { from: self, to: contract, value: ether(0.001 * stakes.size), selector: '0x3d18b912', gas: 400_000 },
      (tx) => {
        for (const one of stakes.keys()) tx.internal(contract, one, ether(0.001))
      },
    )
  }
  for (const [one, amount] of stakes) {
    yield chain.time() + rng.wait(HOUR)
    gasMoney(world, one)
    chain.send({ from: one, to: contract, selector: '0x2e1a7d4d', gas: 90_000 }, (tx) =>
      tx.token(stable.address, contract, one, amount),
    )
  }
}

export const stakingPools = (world: World, count: number): void => {
  for (let left = count; left > 0; ) {
    const self = world.wallet('staking operator')
    left--
    const stakers: string[] = []
    for (const size = world.rng.heavy(20, 400); left > 0 && stakers.length < size; left--) {
      const one = world.person('staker')
      stakers.push(one)
      world.start(world.arrival(), ordinary(world, one))
    }
    world.start(world.moment(0, 0.2), stakingPool(world, self, stakers))
  }
}

/** Receives, and sends nearly everything over a bridge soon after: fast pass-through, honestly. */
function* bridger(world: World, self: string): Story {
  const { rng, chain } = world
  const bridge = rng.pick(BRIDGES)
  for (let trips = rng.heavy(1, 20); trips > 0; trips--) {
    withdraw(world, self, NATIVE, ether(rng.amount(0.6, 1.2)))
    yield chain.time() + rng.wait(HOUR)
    const value = share(chain.balance(NATIVE, self), 0.95)
    if (value > 0n) chain.send({ from: self, to: bridge, value, selector: '0x9a2ac6d5', gas: 130_000 })
    yield chain.time() + rng.wait(10 * DAY)
  }
}

export const bridgers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++) world.start(world.arrival(), bridger(world, world.person('bridge user')))
}

/** Accounts delegated to a well-behaved wallet contract; each batches its own calls and payments. */
export const delegators = (world: World, count: number): void => {
  const { rng, chain } = world
  const vendor = world.wallet('smart account vendor')
  const code = world.contract('smart account code')
  world.start(
    world.moment(0, 0.02),
    (function* (): Story {
      withdraw(world, vendor, NATIVE, ether(2))
      yield chain.time() + HOUR
      deploy(world, vendor, code, 'smart account')
    })(),
  )
  for (let made = 1; made < count; made++) {
    const self = world.person('7702 delegator')
    world.start(
      world.moment(0.05),
      (function* (): Story {
        withdraw(world, self, NATIVE, ether(rng.amount(0.4)))
        yield chain.time() + rng.wait(DAY)
        const sponsor = rng.happens(0.4) ? vendor : self
        gasMoney(world, sponsor)
        chain.send({ from: sponsor, to: self, type: 4, selector: '0x34fcd5be', gas: 90_000 }, (tx) =>
          tx.delegate(self, code),
        )
        const stable = rng.pick(STABLES)
        for (let batches = rng.whole(1, 5); batches > 0; batches--) {
          yield chain.time() + rng.wait(5 * DAY)
          ensure(world, self, stable.address, worth(stable, 200))
          gasMoney(world, self)
          const amount = share(chain.balance(stable.address, self), 0.4)
          chain.send({ from: self, to: self, selector: '0x34fcd5be', gas: 160_000 }, (tx) => {
            tx.approve('fungible', stable.address, self, ROUTER, amount)
            tx.token(stable.address, self, vendor, amount / 100n)
          })
        }
        yield* ordinary(world, self, 4)
      })(),
    )
  }
}

const GATHERINGS = ['signs', 'signs', 'pulls', 'delegates'] as const

/**
 * A company that receives payments at its own one-time addresses and consolidates them: by signing for each, pulling by an
 * allowance of each address, or by delegated code that forwards. It looks like every kind of sweep and robs nobody.
 */
function* processor(world: World, self: string, way: (typeof GATHERINGS)[number], invoices: string[]): Story {
  const { rng, chain } = world
  const stable = rng.pick(STABLES)
  withdraw(world, self, NATIVE, ether(4))
  yield chain.time() + HOUR
  const contract = world.contract('payment gathering contract')
  if (way !== 'signs') deploy(world, self, contract, `gathering ${way}`)
  for (const invoice of invoices) {
    yield chain.time() + rng.wait(DAY)
    const payer = rng.pick(world.roster.people).address
    const price = worth(stable, rng.amount(120))
    gasMoney(world, self, 0.5)
    if (way === 'delegates')
      chain.send({ from: self, to: self, type: 4, selector: '0x00000000', gas: 60_000 }, (tx) =>
        tx.delegate(invoice, contract),
      )
    ensure(world, payer, stable.address, price)
    gasMoney(world, payer)
    pay(world, payer, invoice, stable.address, price)
    yield chain.time() + (way === 'delegates' ? 24 : rng.wait(HOUR))
    const held = chain.balance(stable.address, invoice)
    const gather = { from: self, to: way === 'delegates' ? invoice : contract, selector: '0x6ea056a9', gas: 90_000 }
    if (way !== 'delegates') pay(world, self, invoice, NATIVE, ether(0.002))
    yield chain.time() + 60
    if (way === 'signs') pay(world, invoice, self, stable.address, held)
    else {
      if (way === 'pulls') approve(world, invoice, stable.address, contract)
      chain.send(gather, (tx) => tx.token(stable.address, invoice, self, held))
    }
  }
}

export const paymentProcessors = (world: World, count: number): void => {
  const { rng } = world
  for (let left = count; left > 0; ) {
    const way = rng.pick(GATHERINGS)
    const self = world.wallet(`payment processor (${way})`)
    left--
    const invoices = Array.from({ length: Math.min(left, rng.whole(4, 60)) }, () => world.wallet('invoice address'))
    left -= invoices.length
    world.start(world.moment(0, 0.3), processor(world, self, way, invoices))
  }
}
