/** Vaults in which ordinary wallets save, lending markets, and honest professions around them: white hats, liquidators, searchers. */
import { deploy, gasMoney, pay, share, someone, withdraw } from '../actions.ts'
import { NATIVE, ZERO } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { coin, DAY, END, ether, HOUR, type Pool, STABLES, WETH, type World, worth } from '../world.ts'

/** Wrapped native coin lent by a pool within one transaction, and its fee of 0.3 %. */
const loanOf = (world: World, part: number) => {
  const { chain, rng } = world
  const lender = rng.pick(world.pools).address
  const loan = share(chain.balance(WETH, lender), part)
  return { lender, loan, fee: loan / 300n }
}

export type Vault = { address: string; receipt: string; builder: string }

/** A vault of wrapped native coins with a receipt token, filled by people for some weeks. */
export function* openVault(world: World, builder: string, savers: number): Generator<number, Vault, void> {
  const { rng, chain } = world
  const address = world.contract('vault')
  const receipt = world.contract('vault receipt')
  withdraw(world, builder, NATIVE, ether(2))
  yield chain.time() + HOUR
  deploy(world, builder, address, `vault ${rng.below(50)}`)
  deploy(world, builder, receipt, `receipt ${rng.below(5)}`)
  for (let left = savers; left > 0; left--) {
    yield chain.time() + rng.wait((20 * DAY) / savers)
    const saver = someone(world, builder)
    const amount = ether(rng.amount(3, 1.2))
    withdraw(world, saver, NATIVE, amount + ether(0.05))
    chain.send({ from: saver, to: address, value: amount, selector: '0xd0e30db0', gas: 120_000 }, (tx) => {
      tx.internal(address, WETH, amount)
      tx.wrap(WETH, address, 'in', amount)
      tx.token(receipt, ZERO, saver, amount)
    })
    if (!rng.happens(0.15)) continue
    const out = share(chain.balance(receipt, saver), rng.between(0.2, 1))
    if (out > chain.balance(WETH, address)) continue
    gasMoney(world, saver)
    chain.send({ from: saver, to: address, selector: '0x2e1a7d4d', gas: 110_000 }, (tx) => {
      tx.token(receipt, saver, ZERO, out)
      tx.token(WETH, address, saver, out)
    })
  }
  return { address, receipt, builder }
}

/** Borrows, empties a part of a vault through a flaw, repays, and keeps the rest as native coins. */
export const emptyVault = (world: World, self: string, tool: string, vault: string, part: number): bigint => {
  const { chain } = world
  const { lender, loan, fee } = loanOf(world, 0.5)
  const proceeds = share(chain.balance(WETH, vault), part)
  if (proceeds <= fee) return 0n
  gasMoney(world, self, 0.2)
  chain.send({ from: self, to: tool, selector: '0x3ccfd60b', gas: 2_800_000 }, (tx) => {
    tx.token(WETH, lender, tool, loan)
    tx.token(WETH, tool, vault, loan)
    tx.token(WETH, vault, tool, loan + proceeds)
    tx.token(WETH, tool, lender, loan + fee)
    const left = chain.balance(WETH, tool)
    tx.wrap(WETH, tool, 'out', left)
    tx.internal(WETH, tool, left)
    tx.internal(tool, self, left)
  })
  return proceeds - fee
}

/** Takes the money of a vault before a thief does, and returns it to the vault or to its builder, at times less a bounty. */
function* whiteHat(world: World, self: string, builder: string): Story {
  const { rng, chain } = world
  const vault = yield* openVault(world, builder, rng.heavy(8, 60))
  withdraw(world, self, NATIVE, ether(1))
  yield chain.time() + HOUR
  const tool = world.contract('rescue contract')
  deploy(world, self, tool, `rescue ${tool}`)
  yield chain.time() + rng.between(300, 6 * HOUR)
  const saved = emptyVault(world, self, tool, vault.address, rng.between(0.6, 1))
  yield chain.time() + rng.wait(DAY)
  const back = share(saved, rng.pick([1, 1, 0.9]))
  const parts = rng.whole(1, 3)
  for (let part = 0; part < parts; part++) {
    pay(world, self, rng.happens(0.5) ? vault.address : builder, NATIVE, back / BigInt(parts))
    yield chain.time() + rng.wait(6 * HOUR)
  }
}

export const whiteHats = (world: World, count: number): void => {
  for (let left = count; left > 1; left -= 2)
    world.start(world.moment(0, 0.5), whiteHat(world, world.wallet('white hat'), world.wallet('vault builder')))
}

/** A lending market: people leave wrapped coins as collateral and borrow dollars. Others liquidate them with borrowed money. */
function* market(world: World, self: string, liquidators: readonly string[]): Story {
  const { rng, chain } = world
  const address = world.contract('lending market')
  const usdc = coin('USDC')
  withdraw(world, self, NATIVE, ether(2))
  withdraw(world, self, usdc.address, worth(usdc, 20_000_000))
  yield chain.time() + HOUR
  deploy(world, self, address, 'lending market')
  pay(world, self, address, usdc.address, chain.balance(usdc.address, self))
  const debts: { who: string; collateral: bigint; debt: bigint }[] = []
  for (const liquidator of liquidators) withdraw(world, liquidator, NATIVE, ether(2))
  const tools = new Map<string, string>()
  while (chain.time() < END) {
    yield chain.time() + rng.wait(DAY)
    const whole = rng.amount(20, 1.6)
    const who = someone(world, self)
    const [collateral, debt] = [ether(whole), worth(usdc, whole * 2_000)]
    if (chain.balance(usdc.address, address) < debt) continue
    withdraw(world, who, NATIVE, collateral + ether(0.05))
    chain.send({ from: who, to: address, value: collateral, selector: '0x474cf53d', gas: 300_000 }, (tx) => {
      tx.internal(address, WETH, collateral)
      tx.wrap(WETH, address, 'in', collateral)
      tx.token(usdc.address, address, who, debt)
    })
    debts.push({ who, collateral, debt })
    const due = debts.length > 2 && rng.happens(0.7) ? debts.shift() : undefined
    if (due === undefined) continue
    const liquidator = rng.pick(liquidators)
    yield chain.time() + rng.wait(6 * HOUR)
    let tool = tools.get(liquidator)
    gasMoney(world, liquidator, 0.3)
    // Some write a new contract for every large case.
    if (tool === undefined || rng.happens(0.3)) {
      tool = world.contract("liquidator's contract")
      deploy(world, liquidator, tool, `liquidator ${tool}`)
      tools.set(liquidator, tool)
      yield chain.time() + rng.between(60, HOUR)
    }
    liquidate(world, liquidator, tool, address, due)
  }
}

/** Repays a debt with dollars lent by a pool, takes the collateral, repays the pool from it and keeps the rest. */
const liquidate = (
  world: World,
  self: string,
  tool: string,
  address: string,
  { collateral, debt }: { collateral: bigint; debt: bigint },
): void => {
  const { chain } = world
  const usdc = coin('USDC')
  const pool = world.pools.find((one) => one.asset.address === usdc.address)
  if (!pool || chain.balance(usdc.address, pool.address) < debt || chain.balance(WETH, address) < collateral) return
  const price =
    (chain.balance(WETH, pool.address) * debt * 1_003n) / (chain.balance(usdc.address, pool.address) * 1_000n)
  const cost = price < collateral ? price : collateral
  chain.send({ from: self, to: tool, selector: '0x00a718a9', gas: 700_000 }, (tx) => {
    tx.token(usdc.address, pool.address, tool, debt)
    tx.token(usdc.address, tool, address, debt)
    tx.token(WETH, address, tool, collateral)
    tx.token(WETH, tool, pool.address, cost)
    tx.swap(pool.address, tool, tool, ...(pool.token0 === WETH ? ([cost, -debt] as const) : ([-debt, cost] as const)))
    const left = chain.balance(WETH, tool)
    if (left === 0n) return
    tx.wrap(WETH, tool, 'out', left)
    tx.internal(WETH, tool, left)
    tx.internal(tool, self, left)
  })
}

export const liquidators = (world: World, count: number): void => {
  for (let left = count; left > 1; ) {
    const some = Array.from({ length: Math.min(left - 1, world.rng.whole(2, 6)) }, () => world.wallet('liquidator'))
    world.start(world.moment(0, 0.3), market(world, world.wallet('lending market builder'), some))
    left -= some.length + 1
  }
}

/** After an excessive sale into one pool, a fresh contract buys there and sells elsewhere, all with borrowed money. */
function* searcher(world: World, self: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(3))
  while (chain.time() < END) {
    yield chain.time() + rng.wait(4 * DAY)
    const pool = rng.pick(world.pools.filter(({ asset }) => STABLES.includes(asset)))
    const crash = ether(rng.amount(60, 1))
    const whale = someone(world, self)
    withdraw(world, whale, NATIVE, crash + ether(0.1))
    gasMoney(world, self, 0.3)
    const tool = world.contract("searcher's contract")
    deploy(world, self, tool, `searcher ${tool}`)
    yield chain.time() + 24
    backrun(world, self, tool, pool, whale, crash)
  }
}

const backrun = (world: World, self: string, tool: string, pool: Pool, whale: string, crash: bigint): void => {
  const { chain, rng } = world
  const dollars = share(chain.balance(pool.asset.address, pool.address), 0.02)
  chain.send({ from: whale, to: pool.address, value: crash, selector: '0x022c0d9f', gas: 150_000 }, (tx) => {
    tx.internal(pool.address, WETH, crash)
    tx.wrap(WETH, pool.address, 'in', crash)
    tx.token(pool.asset.address, pool.address, whale, dollars)
    tx.swap(
      pool.address,
      whale,
      whale,
      ...(pool.token0 === WETH ? ([crash, -dollars] as const) : ([-dollars, crash] as const)),
    )
  })
  const { lender, loan, fee } = loanOf(world, 0.01)
  const [spent, got] = [share(dollars, 0.9), share(crash, rng.between(0.7, 0.95))]
  // Others may have bought the pool nearly empty.
  if (chain.balance(WETH, pool.address) < got) return
  withdraw(world, tool, pool.asset.address, spent)
  chain.send({ from: self, to: tool, selector: '0x78e111f6', gas: 500_000 }, (tx) => {
    tx.token(WETH, lender, tool, loan)
    tx.token(pool.asset.address, tool, pool.address, spent)
    tx.token(WETH, pool.address, tool, got)
    tx.swap(pool.address, tool, tool, ...(pool.token0 === WETH ? ([-got, spent] as const) : ([spent, -got] as const)))
    tx.token(WETH, tool, lender, loan + fee)
    const left = chain.balance(WETH, tool)
    tx.wrap(WETH, tool, 'out', left)
    tx.internal(WETH, tool, left)
    tx.internal(tool, self, left)
  })
}

export const searchers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++)
    world.start(world.moment(0, 0.4), searcher(world, world.wallet('MEV searcher')))
}
