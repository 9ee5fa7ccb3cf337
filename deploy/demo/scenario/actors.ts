/**
 * The actors of the scenario. Their keys are derived from a published seed phrase, one per actor in this order: never send
 * anything of value to them on a real network.
 */
import type { Address } from 'viem'
import { z } from 'zod'
import type { Rpc } from '../node/rpc.ts'

/** The published seed phrase. */
export const SEED_PHRASE = 'hair flat seek over cruise goddess donate ring baby brick absorb easily'

const numbered = <Name extends string, Number extends number>(name: Name, numbers: readonly Number[]) =>
  numbers.map((number): `${Name}-${Number}` => `${name}-${number}`)

/** Ordinary wallets that trade often, and buy the tokens of the frauds. */
export const TRADERS = numbered('trader', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
/** Ordinary wallets with a long history. */
export const VETERANS = numbered('veteran', [1, 2])
/** Ordinary wallets with little activity. */
export const SHOPPERS = numbered('shopper', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
/** Ordinary wallets that approve the drainer's contract. */
export const VICTIMS = numbered('victim', [1, 2, 3, 4, 5])

const SINGLES = [
  'exchange',
  'payroll',
  'issuer',
  'oracle-keeper',
  'relayer',
  'token-team',
  'fee-token-team',
  'arbitrage-bot',
  'newcomer',
  'sanctioned',
  'delisted',
  'frozen',
  'released',
  'mixer-user',
  'mixer-once',
  'mixer-dusted',
  'rug-puller',
  'honeypot-deployer',
  'drainer',
  'drainer-affiliate',
] as const

/** Name of an actor. */
export type ActorName =
  | (typeof SINGLES)[number]
  | (typeof TRADERS)[number]
  | (typeof VETERANS)[number]
  | (typeof SHOPPERS)[number]
  | (typeof VICTIMS)[number]

/** All actors, in the order of their keys. */
export const ACTORS: readonly ActorName[] = [...SINGLES, ...TRADERS, ...VETERANS, ...SHOPPERS, ...VICTIMS]

/** Addresses by name. */
export type Actors = Readonly<Record<ActorName, Address>>

const isAddress = (text: string): text is Address => /^0x[0-9a-f]{40}$/.test(text)
const accounts = z.array(z.string().toLowerCase().refine(isAddress)).length(ACTORS.length)

/** Addresses by name, as the node derived them from the seed phrase. */
export const loadActors = async (rpc: Rpc): Promise<Actors> => {
  const addresses = accounts.parse(await rpc.call('eth_accounts'))
  return Object.fromEntries(ACTORS.map((name, index) => [name, addresses[index]])) as Actors
}
