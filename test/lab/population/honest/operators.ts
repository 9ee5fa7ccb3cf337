/** Operators that move money for very many people, or through very many own wallets: custodians, farmers, relayers, paymasters. */
import { approve, buy, deploy, ensure, gasMoney, pay, sell, share, someone, withdraw } from '../actions.ts'
import { NATIVE, ZERO } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { AGGREGATOR, BRIDGES, coin, DAY, END, ether, HOUR, ROUTER, STABLES, type World, worth } from '../world.ts'

/**
 * Keeps the money of its customers in one wallet: sweeps their deposit addresses, whose gas it pays, and pays them out.
 * For some customers it controls the whole wallet, which has paid others before it is swept.
 */
function* custodian(world: World, self: string, addresses: readonly string[], lively: boolean): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(30))
  const stable = rng.pick(STABLES)
  for (const address of addresses) {
    yield chain.time() + rng.wait((40 * DAY) / addresses.length)
    world.start(
      chain.time(),
      (function* (): Story {
        for (let deposits = rng.heavy(1, 6); deposits > 0; deposits--) {
          const customer = someone(world, self)
          gasMoney(world, customer)
          ensure(world, customer, stable.address, worth(stable, rng.amount(300)))
          pay(world, customer, address, stable.address, share(chain.balance(stable.address, customer), 0.7))
          if (rng.happens(0.4)) pay(world, customer, address, NATIVE, share(chain.balance(NATIVE, customer), 0.3))
          yield chain.time() + rng.wait(DAY)
          if (lively && chain.balance(stable.address, address) > 0n)
            for (let payments = rng.below(4); payments > 0; payments--) {
              ensure(world, self, NATIVE, ether(0.1))
              pay(world, self, address, NATIVE, ether(0.003))
              pay(
                world,
                address,
                someone(world, self),
                stable.address,
                share(chain.balance(stable.address, address), 0.2),
              )
              yield chain.time() + rng.wait(2 * DAY)
            }
          ensure(world, self, NATIVE, ether(1))
          pay(world, self, address, NATIVE, ether(0.003))
          yield chain.time() + rng.between(24, 1_800)
          pay(world, address, self, stable.address, chain.balance(stable.address, address))
          if (rng.happens(0.6)) pay(world, address, self, NATIVE, share(chain.balance(NATIVE, address), 0.97))
          yield chain.time() + rng.wait(10 * DAY)
        }
      })(),
    )
    if (rng.happens(0.6))
      pay(world, self, someone(world, self), stable.address, share(chain.balance(stable.address, self), 0.1))
  }
}

export const custodians = (world: World, count: number): void => {
  for (let left = count; left > 1; ) {
    const lively = world.rng.happens(0.4)
    const self = world.wallet(`custodian (${lively ? 'wallets of customers' : 'deposit addresses'})`)
    const size = Math.min(left - 1, world.rng.heavy(20, 3_000))
    const addresses = Array.from({ length: size }, () => world.wallet('custody address'))
    world.start(world.moment(0, 0.2), custodian(world, self, addresses, lively))
    left -= size + 1
  }
}

/** Dozens of own wallets do the same things for a possible airdrop, and are consolidated. */
function* farmer(world: World, self: string, own: readonly string[]): Story {
  const { rng, chain } = world
  const token = world.contract('airdropped token')
  const maker = someone(world, self)
  const bridge = rng.pick(BRIDGES)
  const pool = rng.pick(world.pools)
  withdraw(world, self, NATIVE, ether(own.length * 0.3))
  for (const one of own) {
    yield chain.time() + rng.between(30, 2 * HOUR)
    pay(world, self, one, NATIVE, ether(rng.between(0.15, 0.25)))
  }
  for (let rounds = rng.whole(2, 6); rounds > 0; rounds--) {
    yield chain.time() + rng.wait(5 * DAY)
    for (const one of own) {
      yield chain.time() + rng.between(24, 1_200)
      buy(world, one, pool, ether(0.05), AGGREGATOR)
      if (rng.happens(0.5)) approve(world, one, pool.asset.address, AGGREGATOR)
      if (rng.happens(0.3)) sell(world, one, pool, share(chain.balance(pool.asset.address, one), 0.5), AGGREGATOR)
      if (rng.happens(0.3) && chain.balance(NATIVE, one) > ether(0.02))
        chain.send({ from: one, to: bridge, value: ether(0.01), selector: '0x9a2ac6d5', gas: 130_000 })
      if (rng.happens(0.3)) pay(world, one, rng.pick(own), NATIVE, ether(0.01))
    }
  }
  gasMoney(world, maker, 0.2)
  deploy(world, maker, token, 'airdropped')
  for (const one of own) {
    gasMoney(world, maker, 0.1)
    chain.send({ from: maker, to: token, selector: '0x40c10f19', gas: 60_000 }, (tx) =>
      tx.token(token, ZERO, one, ether(100)),
    )
  }
  yield chain.time() + rng.wait(3 * DAY)
  for (const one of own) {
    yield chain.time() + rng.between(12, 600)
    gasMoney(world, self)
    pay(world, self, one, NATIVE, ether(0.002))
    yield chain.time() + 24
    for (const asset of [token, pool.asset.address]) pay(world, one, self, asset, chain.balance(asset, one))
    pay(world, one, self, NATIVE, share(chain.balance(NATIVE, one), 0.98))
  }
}

export const farmers = (world: World, count: number): void => {
  for (let left = count; left > 1; ) {
    const own = Array.from({ length: Math.min(left - 1, world.rng.heavy(10, 90)) }, () =>
      world.wallet("farmer's wallet"),
    )
    world.start(world.moment(0, 0.4), farmer(world, world.person('airdrop farmer'), own))
    left -= own.length + 1
  }
}

/** Pays coins to many in one transaction of its own contract, week after week: wages, refunds, winnings. */
function* disperser(world: World, self: string, receivers: readonly string[]): Story {
  const { rng, chain } = world
  const contract = world.contract('disperse contract')
  withdraw(world, self, NATIVE, ether(3))
  yield chain.time() + HOUR
  deploy(world, self, contract, 'disperse')
  const stable = rng.pick(STABLES)
  const inCoins = rng.happens(0.5)
  if (!inCoins) approve(world, self, stable.address, contract)
  while (chain.time() < END) {
    const each = inCoins ? ether(rng.between(0.01, 0.3)) : worth(stable, rng.between(30, 900))
    const total = each * BigInt(receivers.length)
    const call = {
      from: self,
      to: contract,
      selector: '0xe63d38ed',
      inputSize: 64 * receivers.length,
      gas: 30_000 * receivers.length,
    }
    gasMoney(world, self, 1)
    ensure(world, self, inCoins ? NATIVE : stable.address, total + total / 10n)
    if (inCoins)
      chain.send({ ...call, value: total }, (tx) => {
        for (const one of receivers) tx.internal(contract, one, each)
      })
    else
      chain.send(call, (tx) => {
        tx.token(stable.address, self, contract, total)
        for (const one of receivers) tx.token(stable.address, contract, one, each)
      })
    yield chain.time() + 7 * DAY
  }
}

export const dispersers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++) {
    const self = world.wallet('disperser')
    world.start(
      world.moment(0.02, 0.3),
      (function* (): Story {
        const receivers = Array.from({ length: world.rng.heavy(15, 150) }, () => someone(world, self))
        yield* disperser(world, self, [...new Set(receivers)])
      })(),
    )
  }
}

/** Pays at one end what people sent into the bridge at the other, from its own funds, and is repaid in bulk. */
function* bridgeRelayer(world: World, self: string): Story {
  const { rng, chain } = world
  const bridge = rng.pick(BRIDGES)
  const usdc = coin('USDC')
  withdraw(world, self, NATIVE, ether(60))
  withdraw(world, self, usdc.address, worth(usdc, 150_000))
  chain.endow(NATIVE, bridge, ether(500))
  let owed = 0n
  for (let fills = rng.heavy(60, 600); fills > 0; fills--) {
    yield chain.time() + rng.wait(4 * HOUR)
    const to = someone(world, self)
    gasMoney(world, self, 2)
    if (rng.happens(0.5)) {
      const value = ether(rng.amount(0.2))
      if (chain.balance(NATIVE, self) < value) continue
      chain.send({ from: self, to: bridge, value, selector: '0x2e378115', gas: 120_000 }, (tx) =>
        tx.internal(bridge, to, value),
      )
      owed += value
    } else pay(world, self, to, usdc.address, share(chain.balance(usdc.address, self), rng.between(0.001, 0.02)))
    if (owed < ether(8) || chain.balance(NATIVE, bridge) < owed) continue
    const back = owed
    owed = 0n
    chain.send({ from: self, to: bridge, selector: '0x1b3d5559', gas: 200_000 }, (tx) =>
      tx.internal(bridge, self, back),
    )
    withdraw(world, self, usdc.address, worth(usdc, 20_000))
  }
}

export const bridgeRelayers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++)
    world.start(world.moment(0, 0.3), bridgeRelayer(world, world.wallet('bridge relayer')))
}

/** Sends a little gas to holders of tokens without coins; the receivers then move all their tokens, each to its own destination. */
function* gasStation(world: World, self: string): Story {
  const { rng, chain } = world
  const usdt = coin('USDT')
  withdraw(world, self, NATIVE, ether(10))
  for (let served = rng.heavy(40, 400); served > 0; served--) {
    yield chain.time() + rng.wait(5 * HOUR)
    const one = someone(world, self)
    gasMoney(world, self, 0.5)
    withdraw(world, one, usdt.address, worth(usdt, rng.amount(200)))
    pay(world, self, one, NATIVE, ether(rng.between(0.001, 0.004)))
    yield chain.time() + rng.between(24, 1_800)
    const fee = worth(usdt, rng.between(0.5, 3))
    // Some are charged afterwards, some pay with the tokens it was sent for.
    if (rng.happens(0.5)) pay(world, one, self, usdt.address, fee)
    pay(world, one, someone(world, one), usdt.address, chain.balance(usdt.address, one))
  }
}

/** Submits what owners of contract wallets signed, for a fee in tokens: no payer signs the transaction. */
function* paymaster(world: World, self: string, wallets: readonly string[]): Story {
  const { rng, chain } = world
  const usdc = coin('USDC')
  const entry = world.contract('entry point')
  const till = world.contract('paymaster')
  withdraw(world, self, NATIVE, ether(10))
  yield chain.time() + HOUR
  deploy(world, self, entry, 'entry point')
  deploy(world, self, till, 'paymaster')
  const factory = world.contract('account factory')
  const born = new Set<string>()
  for (let operations = wallets.length * 4; operations > 0; operations--) {
    yield chain.time() + rng.wait(6 * HOUR)
    const one = rng.pick(wallets)
    const first = !born.has(one)
    born.add(one)
    ensure(world, one, usdc.address, worth(usdc, rng.amount(150)))
    gasMoney(world, self, 1)
    const held = chain.balance(usdc.address, one)
    const fee = worth(usdc, rng.between(0.1, 1.5))
    const amount = rng.happens(0.35) ? held - fee : share(held, rng.between(0.05, 0.7))
    const payee = someone(world, self)
    chain.send({ from: self, to: entry, selector: '0x1fad948c', inputSize: 1_500, gas: 260_000 }, (tx) => {
      if (first) {
        tx.create(one, { hash: `0x${'ab'.repeat(32)}`, size: 170 }, factory)
        tx.approve('fungible', usdc.address, one, till, 2n ** 256n - 1n)
      }
      tx.token(usdc.address, one, till, fee)
      tx.token(usdc.address, one, payee, amount)
    })
  }
}

export const gasStations = (world: World, count: number): void => {
  const { rng } = world
  for (let left = count; left > 0; ) {
    if (rng.happens(0.5) || left < 10) {
      world.start(world.moment(0, 0.4), gasStation(world, world.wallet('gas station')))
      left--
      continue
    }
    const wallets = Array.from({ length: Math.min(left - 1, rng.heavy(10, 80)) }, () => world.wallet('contract wallet'))
    world.start(world.moment(0, 0.3), paymaster(world, world.wallet('bundler'), wallets))
    left -= wallets.length + 1
  }
}

/** Gives coins for tokens of thin liquidity and back all day, from two wallets that pass the stock between them. */
function* desk(world: World, self: string, other: string): Story {
  const { rng, chain } = world
  const pool = rng.pick(world.pools)
  const asset = pool.asset.address
  withdraw(world, self, NATIVE, ether(40))
  approve(world, self, asset, ROUTER)
  gasMoney(world, other)
  approve(world, other, asset, ROUTER)
  for (let trades = rng.whole(60, 200); trades > 0; trades--) {
    yield chain.time() + rng.wait(8 * HOUR)
    gasMoney(world, self)
    gasMoney(world, other)
    if (rng.happens(0.4)) buy(world, self, pool, share(chain.balance(NATIVE, self), 0.05))
    else if (rng.happens(0.5)) sell(world, other, pool, share(chain.balance(asset, other), 0.5))
    else pay(world, self, other, asset, share(chain.balance(asset, self), 0.8))
    if (rng.happens(0.1)) pay(world, other, self, NATIVE, share(chain.balance(NATIVE, other), 0.8))
  }
}

export const desks = (world: World, count: number): void => {
  for (let left = count; left > 1; left -= 2)
    world.start(world.moment(0, 0.3), desk(world, world.wallet('trading desk'), world.wallet('trading desk')))
}
