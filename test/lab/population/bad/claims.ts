/** Fake claims, fake mining, gas-token traps, extortion: victims are persuaded to send a transaction or a payment. */
import { approve, deploy, deployToken, ensure, gasMoney, holderOf, pay, share, someone, withdraw } from '../actions.ts'
import { MAX, NATIVE, ZERO } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { coin, DAY, ether, HOUR, type World } from '../world.ts'
import { dispose, fund, HARMFUL, thief } from './proceeds.ts'

const LURES = ['0x4e71d92d', '0x3158952e', '0x5fba79f5', '0x79372f9a', '0x372500ab', '0xa16f15c3', '0x9c9316c5']

/** A contract with a payable "claim" that forwards the victims' coin to one or two people and returns nothing. */
export const fakeClaim = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('fake-claim operator', thief('phishing_activities'))
  const partner = rng.happens(0.6) ? world.wallet('fake-claim partner', thief('phishing_activities')) : undefined
  const contract = world.contract('fake-claim contract', HARMFUL)
  const lure = rng.pick(LURES)
  world.start(
    world.moment(0, 0.8),
    (function* (): Story {
      fund(world, self)
      yield chain.time() + HOUR
      deploy(world, self, contract, `claim ${rng.below(4)}`)
      const direct = rng.happens(0.7)
      for (let victims = rng.heavy(2, 60); victims > 0; victims--) {
        yield chain.time() + rng.wait(DAY / 2)
        const victim = someone(world, self)
        ensure(world, victim, NATIVE, ether(0.2))
        const value = share(chain.balance(NATIVE, victim), rng.between(0.5, 0.97))
        world.harm(victim, 'fake claim')
        world.offend(self, ...(partner === undefined ? [] : [partner]))
        chain.send({ from: victim, to: contract, value, selector: lure, gas: 45_000 }, (tx) => {
          if (!direct) return
          const cut = partner === undefined ? 0n : share(value, 0.2)
          if (partner !== undefined) tx.internal(contract, partner, cut)
          tx.internal(contract, self, value - cut)
        })
      }
      if (!direct) {
        const pot = chain.balance(NATIVE, contract)
        gasMoney(world, self)
        chain.send({ from: self, to: contract, selector: '0x3ccfd60b', gas: 60_000 }, (tx) => {
          tx.internal(contract, partner ?? self, share(pot, 0.2))
          tx.internal(contract, self, pot - share(pot, 0.2))
        })
      }
      yield* dispose(world, self, [])
    })(),
  )
}

/** Fake liquidity mining: an allowance, small "rewards" that build trust, then everything is pulled. */
export const fakeMining = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('fake-mining operator', thief('malicious_mining_activities'))
  const payer = rng.happens(0.5) ? self : world.wallet('fake-mining payer', thief('malicious_mining_activities'))
  const usdt = coin('USDT')
  world.start(
    world.moment(0, 0.45),
    (function* (): Story {
      fund(world, self, 2)
      withdraw(world, payer, NATIVE, ether(1))
      yield chain.time() + HOUR
      const spender = rng.happens(0.5) ? self : world.contract('fake-mining contract', HARMFUL)
      if (spender !== self) deploy(world, self, spender, 'fake mining')
      for (let victims = rng.heavy(3, 60); victims > 0; victims--) {
        yield chain.time() + rng.wait(DAY)
        const victim = holderOf(world, usdt, rng.amount(1_500))
        gasMoney(world, victim)
        world.harm(victim, 'fake mining')
        approve(world, victim, usdt.address, spender, MAX)
        world.start(
          chain.time() + HOUR,
          (function* (): Story {
            for (let drips = rng.whole(1, 6); drips > 0; drips--) {
              yield chain.time() + rng.between(0.5, 3) * DAY
              gasMoney(world, payer)
              pay(world, payer, victim, NATIVE, ether(rng.between(0.002, 0.02)))
              if (rng.happens(0.3)) withdraw(world, victim, usdt.address, chain.balance(usdt.address, victim) / 2n)
            }
            yield chain.time() + rng.wait(4 * DAY)
            const proceeds = share(chain.balance(usdt.address, victim), rng.happens(0.85) ? 1 : 0.7)
            if (proceeds === 0n) return
            world.offend(...new Set([self, payer]))
            gasMoney(world, self)
            chain.send(
              { from: self, to: spender === self ? usdt.address : spender, selector: '0x23b872dd', gas: 80_000 },
              (tx) => tx.token(usdt.address, victim, self, proceeds),
            )
          })(),
        )
      }
      yield chain.time() + 15 * DAY
      yield* dispose(world, self, [usdt])
    })(),
  )
}

/** Storage-freeing gas tokens: the sender of the transaction pays for minting them. */
const GAS_TOKEN = '0x0000000000004946c0e9f43f4dee607b0ef1fa1c'

/** A worthless token whose approve or transfer makes the caller pay for minting gas tokens to the token's maker. */
export const gasAbuser = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('gas-token abuser', {
    expected: ['gas_abuse', 'number_of_malicious_contracts_created'],
    tolerated: [
      'malicious_mining_activities',
      'phishing_activities',
      'honeypot_related_address',
      'fake_standard_interface',
      'cybercrime',
    ],
  })
  const address = world.contract('gas-abusing token', HARMFUL)
  world.start(
    world.moment(0, 0.75),
    (function* (): Story {
      fund(world, self)
      yield chain.time() + HOUR
      deployToken(world, self, address, {
        name: `${rng.pick(['Bonus', 'Gift', 'Lucky'])}${rng.whole(1, 999)}`,
        symbol: 'BNS',
        supply: 1e9,
        code: `trap ${rng.below(3)}`,
      })
      const reached = Array.from({ length: rng.heavy(4, 80) }, () => someone(world, self))
      gasMoney(world, self, 0.3)
      chain.send({ from: self, to: address, selector: '0x729ad39e', gas: 40_000 * reached.length }, (tx) => {
        for (const one of reached) tx.token(address, self, one, share(chain.balance(address, self), 0.001))
      })
      for (const victim of rng.sample(reached, Math.ceil(reached.length * rng.between(0.2, 0.8)))) {
        yield chain.time() + rng.wait(DAY)
        gasMoney(world, victim, 0.2)
        world.harm(victim, 'gas abuse')
        world.offend(self)
        chain.send({ from: victim, to: address, selector: '0x095ea7b3', gas: rng.whole(400_000, 2_500_000) }, (tx) => {
          tx.token(GAS_TOKEN, ZERO, self, BigInt(rng.whole(5, 60)))
          tx.approve('fungible', address, victim, GAS_TOKEN, MAX)
        })
      }
      gasMoney(world, self)
      pay(world, self, someone(world, self), GAS_TOKEN, chain.balance(GAS_TOKEN, self))
    })(),
  )
}

const THREATS = [
  'I have access to your computer and all your photos. Pay 0.5 ETH within 48 hours or I leak everything to your contacts.',
  'Your private data was stolen. Send 1500 USDT ransom to this address or it will be exposed.',
  'We encrypted your files. To decrypt them pay 0.3 ETH. You have 3 days.',
  'I know what you did on that website. Pay up or your family and employer will get the video.',
  'Your exchange database is ours. Pay 10 ETH bounty or we publish the customer list on Friday.',
  'Zahle 0.5 ETH innerhalb von 48 Stunden oder wir veröffentlichen deine Daten.',
  'pay me or i report your wallet to the tax office and dox you, last warning',
]

export const extortionist = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('extortionist', {
    expected: ['blackmail_activities'],
    tolerated: ['cybercrime', 'blacklist_doubt'],
  })
  const threat = rng.pick(THREATS)
  const demand = rng.between(0.2, 0.6)
  world.start(
    world.moment(0, 0.8),
    (function* (): Story {
      fund(world, self)
      for (let letters = rng.heavy(2, 60); letters > 0; letters--) {
        yield chain.time() + rng.wait(DAY / 3)
        gasMoney(world, self)
        const target = someone(world, self)
        chain.send({ from: self, to: target, value: rng.happens(0.5) ? 0n : 1n, message: threat, gas: 25_000 })
        world.harm(target, 'threatened')
        world.offend(self)
        if (!rng.happens(0.2)) continue
        world.start(
          chain.time() + rng.wait(DAY),
          (function* (): Story {
            ensure(world, target, NATIVE, ether(demand * 1.2))
            pay(world, target, self, NATIVE, ether(demand))
            yield chain.time()
          })(),
        )
      }
      yield chain.time() + 5 * DAY
      yield* dispose(world, self, [])
    })(),
  )
}
