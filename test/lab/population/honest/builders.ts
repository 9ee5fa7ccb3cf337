/** People who deploy: bridged assets, the same code again at the same address elsewhere or after an upgrade, contract wallets. */
import { deploy, deployToken, gasMoney, someone, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { codeOf, DAY, DETERMINISTIC_DEPLOYER, ether, HOUR, type World } from '../world.ts'
import { ordinary } from './people.ts'

const BRIDGED = [
  { name: 'Bridged USDC (Hop Station)', symbol: 'USDC.e' },
  { name: 'axlUSDC', symbol: 'axlUSDC' },
  { name: 'Wormhole Wrapped BTC', symbol: 'WBTC.wh' },
  { name: 'Wrapped SOL', symbol: 'SOL' },
  { name: 'Aave Ethereum USDT', symbol: 'aEthUSDT' },
  { name: 'Curve.fi USDC/USDT LP', symbol: 'crvUSDCUSDT' },
]

function* bridgeDeployer(world: World, self: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(3))
  yield chain.time() + HOUR
  const address = world.contract('bridged token')
  deployToken(world, self, address, { ...rng.pick(BRIDGED), supply: 1e6, code: 'bridged token', decimals: 6 })
  for (let users = rng.heavy(10, 120); users > 0; users--) {
    yield chain.time() + rng.wait(DAY / 2)
    gasMoney(world, self)
    const amount = chain.balance(address, self) / 500n
    const to = someone(world, self)
    chain.send({ from: self, to: address, selector: '0x40c10f19', gas: 60_000 }, (tx) =>
      tx.token(address, self, to, amount),
    )
  }
}

export const bridgeDeployers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++)
    world.start(world.moment(0, 0.7), bridgeDeployer(world, world.wallet('bridged-token deployer')))
}

/** Creates the same code at the same address for every job, and destroys it in the same transaction (EIP-6780). */
function* redeployer(world: World, self: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(2))
  yield chain.time() + HOUR
  const address = world.contract('contract created again')
  const code = codeOf(`tool ${rng.below(3)}`)
  for (let jobs = rng.heavy(2, 30); jobs > 0; jobs--) {
    yield chain.time() + rng.wait(3 * DAY)
    gasMoney(world, self, 0.2)
    const call = { from: self, to: DETERMINISTIC_DEPLOYER, inputSize: 3_000, selector: '0x00000000', gas: 900_000 }
    chain.send(call, (tx) => {
      tx.create(address, code, DETERMINISTIC_DEPLOYER)
      if (jobs > 1 || rng.happens(0.5)) tx.destroy(address, self)
    })
  }
}

export const redeployers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++)
    world.start(world.moment(0, 0.6), redeployer(world, world.wallet('CREATE2 redeployer')))
}

/** Deploys many small contracts for others: a factory's keeper. */
function* developer(world: World, self: string): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(2))
  for (let contracts = rng.heavy(1, 20); contracts > 0; contracts--) {
    yield chain.time() + rng.wait(5 * DAY)
    gasMoney(world, self, 0.2)
    deploy(world, self, world.contract("developer's contract"), `app ${rng.below(1_000)}`)
  }
  yield* ordinary(world, self, 5)
}

export const developers = (world: World, count: number): void => {
  for (let made = 0; made < count; made++) world.start(world.arrival(), developer(world, world.person('developer')))
}
