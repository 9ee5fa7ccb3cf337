/** Frauds around tokens and schemes: rugs, honeypots, counterfeits, Ponzi contracts, wash trading, contracts that turn into others. */
import {
  approve,
  buy,
  deploy,
  deployToken,
  gasMoney,
  openPool,
  pay,
  removeLiquidity,
  sell,
  share,
  someone,
  withdraw,
} from '../actions.ts'
import { NATIVE } from '../chain.ts'
import { follow } from '../honest/market.ts'
import type { Story } from '../schedule.ts'
import { codeOf, DAY, ether, HOUR, ROUTER, SEAPORT, type World } from '../world.ts'
import { dispose, fund, HARMFUL, thief } from './proceeds.ts'

const NAMES = ['Safe', 'Elon', 'Baby', 'Floki', 'Inu', 'Pepe', 'Gem', 'Rocket'] as const
const hype = (world: World): { name: string; symbol: string } => {
  const name = `${world.rng.pick(NAMES)}${world.rng.pick(NAMES)} ${world.rng.whole(1, 999)}`
  return { name, symbol: name.replaceAll(' ', '').slice(0, 8).toUpperCase() }
}

/** Launches a token, lets people buy, and drains the pool, or sells a hoard into it. */
export const rugPuller = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('rug puller', {
    expected: ['financial_crime', 'number_of_malicious_contracts_created'],
    tolerated: ['honeypot_related_address', 'money_laundering', 'cybercrime', 'blacklist_doubt'],
  })
  const dump = rng.happens(0.3)
  world.start(
    world.moment(0, 0.55),
    (function* (): Story {
      for (let launches = rng.heavy(1, 4); launches > 0; launches--) {
        fund(world, self, rng.between(3, 20))
        yield chain.time() + HOUR
        const address = world.contract('rugged token', HARMFUL)
        const token = deployToken(world, self, address, {
          ...hype(world),
          supply: 1e9,
          code: `erc20 ${rng.below(8)}`,
        })
        const base = share(chain.balance(NATIVE, self), 0.8)
        const pool = openPool(
          world,
          self,
          token,
          base,
          share(chain.balance(address, self), dump ? rng.between(0.1, 0.45) : rng.between(0.8, 1)),
        )
        const buyers = Array.from({ length: rng.heavy(3, 80) }, () => someone(world, self))
        const patience = rng.happens(0.85) ? rng.wait(3 * DAY) : rng.between(25, 40) * DAY
        for (const buyer of buyers) {
          world.harm(buyer, 'rugged')
          world.start(chain.time() + rng.next() * patience, follow(world, buyer, pool))
        }
        yield chain.time() + patience
        gasMoney(world, self)
        world.offend(self)
        if (!dump) removeLiquidity(world, self, pool, rng.happens(0.8) ? 1 : rng.between(0.6, 0.95))
        else
          for (let sales = rng.whole(1, 5); sales > 0; sales--) {
            sell(world, self, pool, share(chain.balance(address, self), sales === 1 ? 1 : 0.5))
            yield chain.time() + rng.between(12, HOUR)
          }
        yield chain.time() + rng.wait(5 * DAY)
      }
      yield* dispose(world, self, [])
    })(),
  )
}

/** Everyone can buy, only the creator can sell. */
export const honeypotCreator = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('honeypot creator', {
    expected: ['honeypot_related_address', 'number_of_malicious_contracts_created'],
    tolerated: ['financial_crime', 'money_laundering', 'fake_standard_interface', 'cybercrime', 'blacklist_doubt'],
  })
  world.start(
    world.moment(0, 0.7),
    (function* (): Story {
      for (let traps = rng.heavy(1, 4); traps > 0; traps--) {
        fund(world, self, rng.between(2, 8))
        yield chain.time() + HOUR
        const address = world.contract('honeypot token', HARMFUL)
        const token = deployToken(world, self, address, {
          ...hype(world),
          supply: 1e9,
          code: `honeypot ${rng.below(6)}`,
        })
        const pool = openPool(
          world,
          self,
          token,
          share(chain.balance(NATIVE, self), 0.8),
          share(chain.balance(address, self), 0.9),
        )
        for (let buyers = rng.heavy(4, 90); buyers > 0; buyers--) {
          const buyer = someone(world, self)
          world.harm(buyer, 'honeypot')
          world.offend(self)
          world.start(chain.time() + rng.wait(2 * DAY), follow(world, buyer, pool, false))
        }
        yield chain.time() + rng.between(2, 9) * DAY
        gasMoney(world, self)
        if (rng.happens(0.5)) removeLiquidity(world, self, pool, rng.between(0.9, 1))
        else sell(world, self, pool, chain.balance(address, self))
      }
      yield* dispose(world, self, [])
    })(),
  )
}

const FAKES = [
  { name: 'Tether USD', symbol: 'USDT' },
  { name: 'USD Coin', symbol: 'USDC' },
  { name: 'Tether\u200b USD', symbol: 'U\u200bSDT' },
  { name: 'Тether USD', symbol: 'USDТ' },
  { name: 'ＵＳＤ Coin', symbol: 'ＵＳＤＣ' },
  { name: 'Wrapped Ether', symbol: 'WETH' },
  { name: 'Wrapped BTC', symbol: 'WBTC' },
  { name: 'Uniswap', symbol: 'UNI' },
  { name: 'ChainLink Token', symbol: 'LINK' },
  { name: 'Visit usdt-bonus.example to claim', symbol: '$USDT claim' },
]

/** A token with the name of a famous one, distributed to many wallets or put into a pool. */
export const counterfeiter = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('counterfeiter', {
    expected: ['fake_token', 'number_of_malicious_contracts_created'],
    tolerated: ['phishing_activities', 'honeypot_related_address', 'cybercrime', 'financial_crime'],
  })
  world.start(
    world.moment(0, 0.8),
    (function* (): Story {
      fund(world, self, 2)
      yield chain.time() + HOUR
      const address = world.contract('counterfeit token', HARMFUL)
      const token = deployToken(world, self, address, {
        ...rng.pick(FAKES),
        supply: 1e9,
        code: `fake ${rng.below(5)}`,
        decimals: 6,
      })
      if (rng.happens(0.4)) {
        const pool = openPool(
          world,
          self,
          token,
          share(chain.balance(NATIVE, self), 0.7),
          share(chain.balance(address, self), 0.5),
        )
        for (let buyers = rng.heavy(1, 20); buyers > 0; buyers--)
          world.start(chain.time() + rng.wait(3 * DAY), follow(world, someone(world, self), pool))
      }
      for (let waves = rng.whole(1, 5); waves > 0; waves--) {
        world.offend(self)
        gasMoney(world, self, 0.3)
        const reached = Array.from({ length: rng.heavy(12, 250) }, () => someone(world, self))
        chain.send({ from: self, to: address, selector: '0x729ad39e', gas: 40_000 * reached.length }, (tx) => {
          for (const one of reached) tx.token(address, self, one, share(chain.balance(address, self), 0.0002))
        })
        yield chain.time() + rng.wait(DAY)
      }
    })(),
  )
}

/** Pays early depositors out of later deposits until it stops; the owner takes the most. */
export const ponziOperator = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('Ponzi operator', {
    expected: ['financial_crime'],
    tolerated: [
      'number_of_malicious_contracts_created',
      'phishing_activities',
      'cybercrime',
      'money_laundering',
      'blacklist_doubt',
    ],
  })
  const contract = world.contract('Ponzi contract', HARMFUL)
  world.start(
    world.moment(0, 0.4),
    (function* (): Story {
      fund(world, self)
      yield chain.time() + HOUR
      deploy(world, self, contract, `ponzi ${rng.below(4)}`)
      const queue: { who: string; owed: bigint }[] = []
      for (let left = rng.heavy(8, 120); left > 0; left--) {
        yield chain.time() + rng.wait(DAY / 3)
        const who = someone(world, self)
        const paid = ether(rng.pick([0.1, 0.1, 0.2, 0.5]))
        withdraw(world, who, NATIVE, paid + ether(0.02))
        world.harm(who, 'Ponzi')
        world.offend(self)
        chain.send({ from: who, to: contract, value: paid, selector: '0xd0e30db0', gas: 110_000 }, (tx) => {
          tx.internal(contract, self, share(paid, rng.between(0.08, 0.35)))
          while (queue[0] && queue[0].owed <= chain.balance(NATIVE, contract)) {
            const first = queue.shift()
            if (first) tx.internal(contract, first.who, first.owed)
          }
        })
        queue.push({ who, owed: share(paid, rng.between(1.2, 2)) })
      }
      const pot = chain.balance(NATIVE, contract)
      gasMoney(world, self)
      if (pot > 0n)
        chain.send({ from: self, to: contract, selector: '0x3ccfd60b', gas: 40_000 }, (tx) =>
          tx.internal(contract, self, pot),
        )
      yield* dispose(world, self, [])
    })(),
  )
}

/** A few wallets of one owner trade among themselves to feign demand: their own token in its pool, or one NFT in a ring. */
export const washRing = (world: World, room: number): void => {
  const { rng, chain } = world
  const truth = {
    expected: ['financial_crime'] as const,
    tolerated: ['number_of_malicious_contracts_created'] as const,
  }
  const nft = rng.happens(0.5)
  const size = nft && rng.happens(0.4) ? rng.whole(6, 10) : rng.whole(2, 5)
  const ring = Array.from({ length: Math.max(2, Math.min(room, size)) }, () => world.wallet('wash trader', truth))
  const [leader = ''] = ring
  world.start(
    world.moment(0, 0.6),
    (function* (): Story {
      withdraw(world, leader, NATIVE, ether(rng.between(10, 40)))
      for (const one of ring) {
        yield chain.time() + rng.wait(HOUR)
        if (one !== leader) pay(world, leader, one, NATIVE, share(chain.balance(NATIVE, leader), 0.2))
      }
      if (nft) {
        const collection = rng.pick(world.collections)
        const id = collection.next++
        chain.send({ from: leader, to: collection.address, selector: '0xa0712d68', gas: 110_000 }, (tx) =>
          tx.nft(collection.address, '0x0000000000000000000000000000000000000000', leader, id),
        )
        let owner = leader
        for (let sales = rng.whole(6, 40) + 2 * ring.length; sales > 0; sales--) {
          yield chain.time() + rng.wait(8 * HOUR)
          const buyer = ring[(ring.indexOf(owner) + 1) % ring.length] ?? leader
          const seller = owner
          const price = share(chain.balance(NATIVE, buyer), rng.between(0.4, 0.8))
          if (price === 0n) continue
          chain.send({ from: buyer, to: SEAPORT, value: price, selector: '0xfb0f3ee1', gas: 150_000 }, (tx) => {
            tx.nft(collection.address, seller, buyer, id)
            tx.internal(SEAPORT, seller, price)
          })
          world.nfts.give(collection.address, id, buyer)
          world.offend(seller, buyer)
          owner = buyer
        }
        return
      }
      const address = world.contract('washed token', HARMFUL)
      const token = deployToken(world, leader, address, { ...hype(world), supply: 1e8, code: 'erc20 1' })
      const pool = openPool(
        world,
        leader,
        token,
        share(chain.balance(NATIVE, leader), 0.6),
        share(chain.balance(address, leader), 0.5),
      )
      for (const one of ring) {
        gasMoney(world, one, 0.2)
        if (one !== leader) approve(world, one, address, ROUTER)
      }
      for (let trades = rng.whole(30, 160); trades > 0; trades--) {
        yield chain.time() + rng.wait(4 * HOUR)
        const one = rng.pick(ring)
        world.offend(one)
        if (chain.balance(address, one) > 0n && rng.happens(0.5)) sell(world, one, pool, chain.balance(address, one))
        else buy(world, one, pool, share(chain.balance(NATIVE, one), rng.between(0.3, 0.6)))
      }
      if (rng.happens(0.5))
        for (let fans = rng.whole(1, 6); fans > 0; fans--)
          world.start(chain.time(), follow(world, someone(world), pool))
    })(),
  )
}

/**
 * Different code at one address, form after form. Since EIP-6780 a contract can only be destroyed in the transaction that
 * created it, so each form but the last lives for one transaction.
 */
export const shapeShifter = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('contract re-initialiser', thief('reinit'))
  const factory = world.contract('metamorphic factory', HARMFUL)
  const mutant = world.contract('metamorphic contract', HARMFUL)
  const forms = rng.whole(2, 4)
  world.start(
    world.moment(0, 0.75),
    (function* (): Story {
      fund(world, self)
      yield chain.time() + HOUR
      deploy(world, self, factory, 'metamorphic factory')
      for (let form = 1; form <= forms; form++) {
        gasMoney(world, self, 0.2)
        if (form > 1) world.offend(self)
        chain.send({ from: self, to: factory, selector: '0xcdcb760a', inputSize: 2_000, gas: 800_000 }, (tx) => {
          tx.create(mutant, codeOf(`form ${form} of ${mutant}`), factory)
          if (form < forms) tx.destroy(mutant, self)
        })
        yield chain.time() + rng.between(24, 6 * DAY)
      }
      for (let uses = rng.whole(0, 12); uses > 0; uses--) {
        yield chain.time() + rng.wait(DAY / 2)
        const user = someone(world, self)
        gasMoney(world, user)
        chain.send({ from: user, to: mutant, selector: '0xd0e30db0', value: ether(0.01), gas: 60_000 })
      }
      yield* dispose(world, self, [])
    })(),
  )
}
