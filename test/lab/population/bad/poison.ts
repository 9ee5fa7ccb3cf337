/**
 * Address poisoning: right after a payment to a counterparty, an imitation of a payment to or from a look-alike of that
 * counterparty appears in the payer's history: of nothing, of dust, or of a counterfeit coin.
 */
import { deploy, gasMoney, pay, share, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { codeOf, coin, DAY, ether, HOUR, type Payment, STABLES, type World, worth } from '../world.ts'
import { dispose, fund, HARMFUL, thief } from './proceeds.ts'

/** An address alike at both ends: 7 to 11 digits in all, which attackers can grind. */
const lookalike = (world: World, original: string): string => {
  const { rng } = world
  const head = rng.whole(3, 5)
  const tail = rng.whole(4, 6)
  return `${original.slice(0, 2 + head)}${rng.hex(40 - head - tail)}${original.slice(-tail)}`
}

const recentPayment = (world: World, mainly?: string): Payment | undefined => {
  const { rng, payments, chain } = world
  for (let tries = 0; tries < 60; tries++) {
    const one = payments[rng.below(payments.length)]
    if (one && chain.time() - one.time < 3 * DAY && (mainly === undefined || one.asset === mainly)) return one
  }
  return undefined
}

/** Sometimes it works: the victim copies the wrong address. */
function* mistake(world: World, payment: Payment, imitation: string, collector: string): Story {
  const { rng, chain } = world
  yield chain.time() + rng.wait(3 * DAY)
  const { from, asset } = payment
  withdraw(world, from, asset, payment.amount)
  gasMoney(world, from)
  pay(world, from, imitation, asset, share(chain.balance(asset, from), 0.7))
  yield chain.time() + rng.wait(HOUR)
  gasMoney(world, imitation)
  pay(world, imitation, collector, asset, chain.balance(asset, imitation))
}

export const poisoner = (world: World, room: number): void => {
  const { rng, chain } = world
  const kind = rng.pick(['dust', 'nothing', 'counterfeit'] as const)
  const truth =
    kind === 'counterfeit'
      ? thief('phishing_activities', 'fake_token', 'fake_standard_interface', 'number_of_malicious_contracts_created')
      : thief('phishing_activities')
  const self = world.wallet(`poisoner (${kind})`, truth)
  const targets = Math.max(1, Math.min(room - 1, rng.heavy(2, 14)))
  const genuine = kind === 'counterfeit' ? rng.pick(STABLES) : undefined
  world.start(
    world.moment(0.15, 0.8),
    (function* (): Story {
      fund(world, self)
      const contract = world.contract('poisoning contract', HARMFUL)
      yield chain.time() + HOUR
      if (genuine !== undefined) {
        gasMoney(world, self, 0.2)
        const name =
          genuine.symbol === 'USDT' ? 'Tether USD' : genuine.symbol === 'USDC' ? 'USD Coin' : 'Dai Stablecoin'
        chain.send({ from: self, selector: '0x60806040', inputSize: 2_500, gas: 900_000 }, (tx) => {
          tx.create(contract, codeOf('forging token'))
          tx.describe({ token: contract, standard: 'erc20', name, symbol: genuine.symbol, decimals: genuine.decimals })
        })
      } else if (kind === 'nothing') deploy(world, self, contract, 'poisoning batch')
      for (let left = targets; left > 0; left--) {
        yield chain.time() + rng.wait(DAY)
        const payment = recentPayment(world, genuine?.address)
        if (payment === undefined) continue
        const imitation = lookalike(world, payment.to)
        if (world.roster.find(imitation)) continue
        world.roster.add(`look-alike (${kind})`, imitation, thief('phishing_activities'))
        world.harm(payment.from, 'poisoned')
        world.offend(self, imitation)
        for (let again = rng.whole(1, 3); again > 0; again--) {
          gasMoney(world, self, 0.1)
          if (kind === 'nothing')
            chain.send({ from: self, to: contract, selector: '0xeea4ccc4', gas: 70_000 }, (tx) =>
              tx.token(payment.asset, payment.from, imitation, 0n),
            )
          else if (kind === 'counterfeit')
            chain.send({ from: self, to: contract, selector: '0xeea4ccc4', gas: 60_000 }, (tx) =>
              tx.forged(contract, payment.from, imitation, payment.amount),
            )
          else {
            const token = STABLES.find((one) => one.address === payment.asset) ?? coin('USDT')
            const dust = worth(token, rng.pick([0.000_1, 0.001, 0.01, 0.1]) * rng.between(1, 9))
            pay(world, self, imitation, NATIVE, ether(0.003))
            withdraw(world, self, token.address, dust)
            pay(world, self, imitation, token.address, dust)
            yield chain.time() + 24
            pay(world, imitation, payment.from, token.address, dust)
          }
          yield chain.time() + rng.wait(DAY)
        }
        if (rng.happens(0.15)) world.start(chain.time(), mistake(world, payment, imitation, self))
      }
      yield* dispose(world, self, STABLES)
    })(),
  )
}
