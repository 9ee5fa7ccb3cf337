/** Common parts of thieves: source of their first gas and use of the proceeds. */
import { approve, cashOut, gasMoney, openAccount, pay, sell, share, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import { mix, unmix } from '../honest/privacy.ts'
import type { FlagName, Truth } from '../roster.ts'
import type { Story } from '../schedule.ts'
import { DAY, ether, HOUR, ROUTER, type Token, type World } from '../world.ts'

/** Flags that may be argued for anyone who robs people. */
const THIEF: readonly FlagName[] = [
  'stealing_attack',
  'cybercrime',
  'money_laundering',
  'phishing_activities',
  'blacklist_doubt',
]

export const thief = (...expected: FlagName[]): Truth => ({
  expected,
  tolerated: [...THIEF, 'number_of_malicious_contracts_created'],
})

/** Truth about a contract made to harm: any flag is deserved, none is required. */
export const HARMFUL: Truth = {
  tolerated: [
    ...THIEF,
    'financial_crime',
    'fake_token',
    'fake_standard_interface',
    'honeypot_related_address',
    'gas_abuse',
    'malicious_mining_activities',
    'reinit',
    'blackmail_activities',
    'number_of_malicious_contracts_created',
  ],
}

/** First gas: from an exchange, or from a mixer by a relayer. */
export const fund = (world: World, self: string, whole = 0.5): void => {
  if (world.rng.happens(0.6)) withdraw(world, self, NATIVE, ether(whole))
  else {
    gasMoney(world, world.relay)
    unmix(world, self, whole > 0.5 ? 1 : 0.1, world.relay)
    if (whole > 1) withdraw(world, self, NATIVE, ether(whole))
  }
}

/** Sells tokens for native coin. */
export const liquidate = (world: World, self: string, token: Token): void => {
  const pool = world.pools.find((one) => one.asset.address === token.address)
  const held = world.chain.balance(token.address, self)
  if (!pool || held === 0n) return
  gasMoney(world, self)
  approve(world, self, token.address, ROUTER)
  sell(world, self, pool, held)
}

/** Moves the proceeds to an exchange, a mixer or an accomplice, or keeps them. */
export function* dispose(world: World, self: string, tokens: readonly Token[], accomplice?: string): Story {
  const { rng, chain } = world
  yield chain.time() + rng.wait(rng.happens(0.5) ? HOUR : 3 * DAY)
  if (accomplice !== undefined) {
    world.offend(accomplice)
    for (const token of tokens) {
      gasMoney(world, self)
      pay(world, self, accomplice, token.address, chain.balance(token.address, self))
    }
    pay(world, self, accomplice, NATIVE, share(chain.balance(NATIVE, self), 0.9))
    return
  }
  const way = rng.next()
  if (way < 0.25) return
  for (const token of tokens) if (way > 0.4) liquidate(world, self, token)
  if (way < 0.65) {
    openAccount(world, self, "criminal's deposit address", { tolerated: ['blacklist_doubt'] })
    for (const token of tokens) cashOut(world, self, token.address, 1)
    cashOut(world, self)
    return
  }
  for (let deposits = rng.whole(1, 9); deposits > 0; deposits--) {
    yield chain.time() + rng.between(60, 3 * HOUR)
    if (!mix(world, self, 1)) mix(world, self, 0.1)
  }
}

/** A person whose income is the proceeds of others. A few thieves have one. */
export const accompliceOf = (world: World): string | undefined =>
  world.rng.happens(0.15) ? world.wallet('accomplice', { expected: ['blacklist_doubt'], tolerated: THIEF }) : undefined
