/** Actions with money: the transactions of all stories. Each returns whether it was possible. */
import { MAX, NATIVE, ZERO } from './chain.ts'
import type { Truth } from './roster.ts'
import type { Story } from './schedule.ts'
import {
  AGGREGATOR,
  codeOf,
  ether,
  FACTORY,
  HOUR,
  type Pool,
  ROUTER,
  STABLES,
  type Token,
  units,
  WETH,
  type World,
  worth,
} from './world.ts'

const TOKEN_GAS = 52_000

/** Payments between people in stable coins, which address poisoners watch. */
const remember = (world: World, from: string, to: string, asset: string, amount: bigint): void => {
  if (STABLES.every((stable) => stable.address !== asset)) return
  const payer = world.roster.find(from)
  if (payer?.expected.size === 0 && !payer.role.startsWith('exchange'))
    world.remember({ from, to, asset, amount, time: world.chain.time() })
}

/** A thief's bot empties a delegated account one or two blocks after a receipt. */
function* snatch(world: World, victim: string, sink: string): Story {
  const { chain } = world
  const held = chain.balance(NATIVE, victim)
  if (held === 0n) return
  gasMoney(world, sink)
  world.offend(sink)
  chain.send({ from: sink, to: victim, selector: '0x6ccae054', gas: 80_000 }, (tx) => {
    tx.internal(victim, sink, held)
    for (const { address } of STABLES) {
      const tokens = chain.balance(address, victim)
      if (tokens > 0n) tx.token(address, victim, sink, tokens)
    }
  })
  yield chain.time()
}

const giveCoin = (world: World, from: string, to: string, value: bigint): void => {
  const { chain, rng } = world
  const thief = world.swept.get(to)
  if (thief?.atOnce && from !== thief.sink) {
    world.offend(thief.sink)
    chain.send({ from, to, value, gas: 60_000 }, (tx) => tx.internal(to, thief.sink, chain.balance(NATIVE, to)))
    return
  }
  chain.send({ from, to, value })
  if (thief && from !== thief.sink) world.start(chain.time() + rng.pick([12, 12, 24]), snatch(world, to, thief.sink))
}

/** Sends a coin by a separate transfer. */
export const pay = (world: World, from: string, to: string, asset: string, amount: bigint): boolean => {
  if (amount <= 0n || from === to || world.chain.balance(asset, from) < amount) return false
  if (asset === NATIVE) giveCoin(world, from, to, amount)
  else {
    world.chain.send({ from, to: asset, selector: '0xa9059cbb', gas: TOKEN_GAS }, (tx) =>
      tx.token(asset, from, to, amount),
    )
    remember(world, from, to, asset, amount)
  }
  return true
}

/** Has an exchange pay out to an address. */
export const withdraw = (world: World, to: string, asset: string, amount: bigint, exchange?: number): void => {
  const which = world.exchanges[exchange ?? world.roster.find(to)?.exchange ?? 0] ?? world.exchanges[0]
  if (which) pay(world, world.rng.pick(which.hot), to, asset, amount)
}

/** Buys the missing amount of an asset, and a little more. */
export const ensure = (world: World, to: string, asset: string, amount: bigint): void => {
  if (world.chain.balance(asset, to) < amount) withdraw(world, to, asset, amount + amount / 10n)
}

export const gasMoney = (world: World, to: string, whole = 0.05): void => ensure(world, to, NATIVE, ether(whole))

export const approve = (world: World, owner: string, asset: string, spender: string, amount = MAX): void =>
  world.chain.send({ from: owner, to: asset, selector: '0x095ea7b3', gas: 46_000 }, (tx) =>
    tx.approve('fungible', asset, owner, spender, amount),
  )

const share = (amount: bigint, part: number): bigint => (amount * BigInt(Math.floor(part * 10_000))) / 10_000n

export { share }

/** Output of a constant-product pool for an amount, after 0.3 % fee. */
const quote = (world: World, pool: Pool, asset: string, amount: bigint): bigint => {
  const out = asset === WETH ? pool.asset.address : WETH
  const given = amount * 997n
  const reserve = world.chain.balance(asset, pool.address)
  return (given * world.chain.balance(out, pool.address)) / (reserve * 1_000n + given)
}

const sides = (pool: Pool, base: bigint, other: bigint): [bigint, bigint] =>
  pool.token0 === WETH ? [base, other] : [other, base]

/** Native coin for the pool's asset. `tax`: share kept by the token. */
export const buy = (world: World, trader: string, pool: Pool, amount: bigint, via = ROUTER): boolean => {
  const { chain } = world
  if (amount <= 0n || chain.balance(NATIVE, trader) < amount) return false
  const out = quote(world, pool, WETH, amount)
  if (out <= 0n) return false
  chain.send(
    { from: trader, to: via, value: amount, selector: via === AGGREGATOR ? '0x12aa3caf' : '0x7ff36ab5', gas: 160_000 },
    (tx) => {
      tx.internal(via, WETH, amount)
      tx.wrap(WETH, via, 'in', amount)
      tx.token(WETH, via, pool.address, amount)
      tx.token(pool.asset.address, pool.address, trader, out)
      tx.swap(pool.address, via, trader, ...sides(pool, amount, -out))
    },
  )
  return true
}

/** The pool's asset for the native coin; the trader has approved the router before. */
export const sell = (world: World, trader: string, pool: Pool, amount: bigint, via = ROUTER): boolean => {
  const { chain } = world
  const asset = pool.asset.address
  if (amount <= 0n || chain.balance(asset, trader) < amount) return false
  const out = quote(world, pool, asset, amount)
  if (out <= 0n) return false
  chain.send(
    { from: trader, to: via, selector: via === AGGREGATOR ? '0x12aa3caf' : '0x18cbafe5', inputSize: 260, gas: 170_000 },
    (tx) => {
      tx.token(asset, trader, pool.address, amount)
      tx.token(WETH, pool.address, via, out)
      tx.swap(pool.address, via, via, ...sides(pool, -out, amount))
      tx.wrap(WETH, via, 'out', out)
      tx.internal(WETH, via, out)
      tx.internal(via, trader, out)
    },
  )
  return true
}

export type Launch = { name: string; symbol: string; supply: number; code: string; decimals?: number }

/** Deploys a token; the creator gets the supply. */
export const deployToken = (world: World, creator: string, address: string, launch: Launch): Token => {
  const { name, symbol, supply, code, decimals = 18 } = launch
  world.chain.send({ from: creator, selector: '0x60806040', inputSize: 6_000, gas: 1_800_000 }, (tx) => {
    tx.create(address, codeOf(code))
    tx.describe({ token: address, standard: 'erc20', name, symbol, decimals })
    tx.token(address, ZERO, creator, units(supply, decimals))
  })
  return { address, symbol, decimals, usd: 0 }
}

/** Opens a pool of a new token against the native coin. */
export const openPool = (world: World, creator: string, asset: Token, base: bigint, tokens: bigint): Pool => {
  const [token0, token1] = asset.address < WETH ? [asset.address, WETH] : [WETH, asset.address]
  const pool: Pool = { address: world.contract('pool of a new token'), token0, token1, asset }
  approve(world, creator, asset.address, ROUTER)
  world.chain.send(
    { from: creator, to: ROUTER, value: base, selector: '0xf305d719', inputSize: 196, gas: 2_700_000 },
    (tx) => {
      tx.create(pool.address, codeOf('pair'), FACTORY)
      tx.pool({ pool: pool.address, factory: FACTORY, kind: 'v2', token0, token1, fee: 3_000 })
      tx.token(asset.address, creator, pool.address, tokens)
      tx.internal(ROUTER, WETH, base)
      tx.wrap(WETH, ROUTER, 'in', base)
      tx.token(WETH, ROUTER, pool.address, base)
      tx.liquidity(pool.address, 'add', ROUTER, ...sides(pool, base, tokens))
    },
  )
  return pool
}

/** Withdraws a share of a pool's content as the native coin. */
export const removeLiquidity = (world: World, provider: string, pool: Pool, part: number): void => {
  const base = share(world.chain.balance(WETH, pool.address), part)
  const tokens = share(world.chain.balance(pool.asset.address, pool.address), part)
  world.chain.send({ from: provider, to: ROUTER, selector: '0x02751cec', inputSize: 196, gas: 220_000 }, (tx) => {
    tx.token(WETH, pool.address, ROUTER, base)
    tx.token(pool.asset.address, pool.address, provider, tokens)
    tx.liquidity(pool.address, 'remove', ROUTER, ...sides(pool, base, tokens))
    tx.wrap(WETH, ROUTER, 'out', base)
    tx.internal(WETH, ROUTER, base)
    tx.internal(ROUTER, provider, base)
  })
}

/** Deploys a contract that is not a token. */
export const deploy = (world: World, creator: string, address: string, code: string): void =>
  world.chain.send({ from: creator, selector: '0x60806040', inputSize: 3_000, gas: 900_000 }, (tx) =>
    tx.create(address, codeOf(code)),
  )

const LOOKS = 12

/** An ordinary person other than `not`, already active if one is easily found. */
export const someone = (world: World, not = ''): string => {
  for (let looks = 0; ; looks++) {
    const { address } = world.rng.pick(world.roster.people)
    if (address !== not && (looks >= LOOKS || world.chain.sentBy(address) > 2)) return address
  }
}

/** An ordinary person who holds an asset worth some dollars; if there are few, one who buys it now. */
export const holderOf = (world: World, token: Token, usd: number): string => {
  for (let tries = 0; tries < 40; tries++) {
    const one = someone(world)
    if (world.chain.balance(token.address, one) >= worth(token, usd)) return one
  }
  const one = someone(world)
  withdraw(world, one, token.address, worth(token, usd * world.rng.between(1, 8)))
  return one
}

/** The exchange empties a deposit address into a hot wallet; its gas tank pays for moving tokens. */
function* sweep(world: World, deposit: string, asset: string): Story {
  const { chain, rng, roster } = world
  const exchange = world.exchanges[roster.find(deposit)?.exchange ?? 0]
  if (!exchange) return
  const hot = rng.pick(exchange.hot)
  if (asset !== NATIVE) {
    if (chain.balance(NATIVE, deposit) < ether(0.001)) pay(world, exchange.gas, deposit, NATIVE, ether(0.002))
    yield chain.time() + rng.between(60, 900)
    pay(world, deposit, hot, asset, chain.balance(asset, deposit))
    return
  }
  const held = chain.balance(NATIVE, deposit)
  if (held > ether(0.005)) pay(world, deposit, hot, NATIVE, held - ether(0.0005))
}

/** Deposits money to an account's exchange deposit address; does nothing without one. */
export const cashOut = (world: World, from: string, asset = NATIVE, part = 0.95): boolean => {
  const deposit = world.roster.find(from)?.deposit
  if (deposit === undefined) return false
  const paid = pay(world, from, deposit, asset, share(world.chain.balance(asset, from), part))
  if (paid) world.start(world.chain.time() + world.rng.wait(2 * HOUR), sweep(world, deposit, asset))
  return paid
}

/** Opens an account at the wallet's exchange: its own deposit address, which is a wallet of the population too. */
export const openAccount = (world: World, customer: string, role = 'exchange deposit address', truth?: Truth): void => {
  const member = world.roster.find(customer)
  if (!member) return
  const address = world.wallet(role, truth)
  const deposit = world.roster.find(address)
  if (deposit) deposit.exchange = member.exchange
  member.deposit = address
}
