/** Markets: traders, arbitrage bots, market makers, people who launch honest tokens. */
import {
  approve,
  buy,
  cashOut,
  deployToken,
  gasMoney,
  openAccount,
  openPool,
  pay,
  removeLiquidity,
  sell,
  share,
  someone,
  withdraw,
} from '../actions.ts'
import { NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { AGGREGATOR, codeOf, DAY, END, ether, HOUR, type Pool, ROUTER, WETH, type World } from '../world.ts'

function* trader(world: World, self: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(rng.amount(1.5, 1.3)))
  const trades = rng.heavy(3, 120)
  const via = rng.happens(0.6) ? ROUTER : AGGREGATOR
  const gap = (rng.between(5, 60) * DAY) / trades
  const approved = new Set<string>()
  const holds: Pool[] = []
  for (let done = 0; done < trades; done++) {
    yield chain.time() + rng.wait(gap)
    gasMoney(world, self)
    const held = rng.happens(0.5) && holds.length > 0 ? rng.pick(holds) : undefined
    if (held === undefined) {
      const pool = rng.pick(world.pools)
      if (buy(world, self, pool, share(chain.balance(NATIVE, self), rng.between(0.05, 0.4)), via)) holds.push(pool)
      else withdraw(world, self, NATIVE, ether(rng.amount(0.5)))
      continue
    }
    const asset = held.asset.address
    if (!approved.has(asset)) approve(world, self, asset, via)
    approved.add(asset)
    if (rng.happens(0.03)) chain.send({ from: self, to: via, selector: '0x18cbafe5', gas: 90_000, failed: true })
    else sell(world, self, held, share(chain.balance(asset, self), rng.happens(0.4) ? 1 : rng.between(0.2, 0.9)), via)
  }
  cashOut(world, self)
}

export const traders = (world: World, count: number): void => {
  for (let left = count; left > 0; left--) {
    const self = world.person('trader')
    if (left > 1 && world.rng.happens(0.2)) {
      openAccount(world, self)
      left--
    }
    world.start(world.arrival(), trader(world, self))
  }
}

/** Buys in one pool and sells in another through its own contract, within one transaction, hundreds of times. */
function* arbitrage(world: World, self: string): Story {
  const { rng, chain } = world
  const contract = world.contract('arbitrage contract')
  withdraw(world, self, NATIVE, ether(3))
  yield chain.time() + HOUR
  chain.send({ from: self, selector: '0x60806040', gas: 900_000 }, (tx) =>
    tx.create(contract, codeOf(`bot ${contract}`)),
  )
  chain.endow(WETH, contract, ether(50))
  const gap = rng.between(0.1, 1) * DAY
  while (chain.time() < END) {
    yield chain.time() + rng.wait(gap)
    gasMoney(world, self)
    const from = rng.pick(world.pools)
    const to = rng.pick(world.pools)
    if (from === to || rng.happens(0.3)) {
      chain.send({ from: self, to: contract, selector: '0x00000001', gas: 80_000, failed: true })
      continue
    }
    const base = ether(rng.between(0.1, 4))
    const out = share(chain.balance(from.asset.address, from.address), 0.0002)
    const back = base + share(base, rng.between(0.001, 0.01))
    const middle = share(chain.balance(to.asset.address, to.address), 0.0002)
    // Others may have bought a pool nearly empty.
    if (chain.balance(WETH, to.address) < back || chain.balance(WETH, contract) < base) continue
    chain.send({ from: self, to: contract, selector: '0x00000001', gas: 280_000 }, (tx) => {
      tx.token(WETH, contract, from.address, base)
      tx.token(from.asset.address, from.address, contract, out)
      tx.swap(
        from.address,
        contract,
        contract,
        ...(from.token0 === WETH ? ([base, -out] as const) : ([-out, base] as const)),
      )
      tx.token(from.asset.address, contract, from.address, out)
      tx.token(WETH, to.address, contract, back)
      tx.swap(
        to.address,
        contract,
        contract,
        ...(to.token0 === WETH ? ([-back, middle] as const) : ([middle, -back] as const)),
      )
    })
  }
}

export const arbitrageurs = (world: World, count: number): void => {
  for (let made = 0; made < count; made++)
    world.start(world.moment(0, 0.5), arbitrage(world, world.wallet('arbitrage bot')))
}

/** Trades both ways in one asset all day, for the spread: much volume, little change. */
function* maker(world: World, self: string): Story {
  const { rng, chain } = world
  const pool = rng.pick(world.pools.slice(0, 6))
  withdraw(world, self, NATIVE, ether(rng.between(20, 200)))
  withdraw(world, self, pool.asset.address, share(chain.balance(pool.asset.address, pool.address), 0.02))
  approve(world, self, pool.asset.address, ROUTER)
  for (let trades = 0; trades < 250; trades++) {
    yield chain.time() + rng.wait(rng.between(1, 8) * HOUR)
    gasMoney(world, self)
    if (rng.happens(0.5)) buy(world, self, pool, share(chain.balance(NATIVE, self), 0.05))
    else sell(world, self, pool, share(chain.balance(pool.asset.address, self), 0.1))
  }
}

export const makers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++) world.start(world.moment(0, 0.3), maker(world, world.person('market maker')))
}

const ENDINGS = [
  'keeps',
  'keeps',
  'keeps',
  'takes a little',
  'takes old liquidity',
  'moves to a new pool',
  'fades',
] as const

/** An honest launch: people trade freely, and the creator never drains the pool, though it may move its own money. */
function* launch(world: World, self: string, ending: (typeof ENDINGS)[number]): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(rng.between(4, 30)))
  yield chain.time() + rng.wait(DAY)
  const word = `${rng.pick(['Moon', 'Garden', 'Pixel', 'Harbor', 'Acorn', 'Quill', 'Ember', 'Otter'])}${rng.whole(2, 999)}`
  const address = world.contract('honest token')
  const token = deployToken(world, self, address, {
    name: word,
    symbol: word.slice(0, 5).toUpperCase(),
    supply: 1e8,
    code: `erc20 ${rng.below(5)}`,
  })
  for (let gifts = rng.below(12); gifts > 0; gifts--)
    pay(world, self, someone(world, self), address, share(chain.balance(address, self), 0.005))
  const base = share(chain.balance(NATIVE, self), rng.between(0.5, 0.8))
  const pool = openPool(world, self, token, base, share(chain.balance(address, self), 0.8))
  const fans = Array.from({ length: rng.heavy(3, 60) }, () => someone(world, self))
  for (const fan of fans) world.start(chain.time() + rng.wait(6 * DAY), follow(world, fan, pool))
  if (ending === 'keeps') return
  if (ending === 'takes old liquidity') yield chain.time() + rng.between(40, 70) * DAY
  else yield chain.time() + rng.between(5, 25) * DAY
  gasMoney(world, self)
  if (ending === 'takes a little') removeLiquidity(world, self, pool, rng.between(0.05, 0.3))
  else if (ending === 'takes old liquidity') removeLiquidity(world, self, pool, rng.between(0.5, 1))
  else if (ending === 'fades') {
    for (let sale = 0; sale < 6; sale++) {
      yield chain.time() + rng.wait(3 * DAY)
      sell(world, self, pool, share(chain.balance(address, self), 0.05))
    }
  } else {
    removeLiquidity(world, self, pool, 1)
    yield chain.time() + 300
    const back = share(chain.balance(NATIVE, self), 0.8)
    openPool(world, self, token, back, share(chain.balance(address, self), 0.9))
  }
}

/** Buys a new token, sells some or all of it some days later. */
export function* follow(world: World, fan: string, pool: Pool, canSell = true): Story {
  const { rng, chain } = world
  gasMoney(world, fan, 0.3)
  buy(world, fan, pool, share(chain.balance(NATIVE, fan), rng.between(0.05, 0.4)))
  if (!rng.happens(0.7)) return
  yield chain.time() + rng.wait(5 * DAY)
  gasMoney(world, fan)
  const asset = pool.asset.address
  approve(world, fan, asset, ROUTER)
  if (canSell) sell(world, fan, pool, share(chain.balance(asset, fan), rng.between(0.3, 1)))
  else
    for (let tries = rng.whole(1, 3); tries > 0; tries--)
      chain.send({ from: fan, to: ROUTER, selector: '0x18cbafe5', gas: 120_000, failed: true })
}

export const launchers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++) {
    const ending = world.rng.pick(ENDINGS)
    world.start(world.moment(0, 0.7), launch(world, world.wallet(`token creator (${ending})`), ending))
  }
}
