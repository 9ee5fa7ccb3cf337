/** Transactions of authorities, a mixer and ordinary wallets, with the logs of their contracts. */
import { type Hex, keccak256, stringToHex, toHex } from 'viem'
import { ADDRESSES } from '../../../../deploy/demo/contracts/contracts.ts'
import { EVENTS } from '../../../../schema/registry/index.ts'
import { addressOf, type PlannedTx } from './transactions.ts'

export const CONTRACTS = {
  oracle: ADDRESSES.sanctionsOracle.toLowerCase(),
  usdc: ADDRESSES.usdc.toLowerCase(),
  usdt: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  mixer: ADDRESSES.mixerPool.toLowerCase(),
} as const

const word = (value: string | number | bigint): string =>
  (typeof value === 'string' ? value.replace('0x', '') : value.toString(16)).padStart(64, '0')
const words = (...values: (string | number | bigint)[]): string => `0x${values.map(word).join('')}`

const listing = (topic: string, names: readonly string[]): PlannedTx => ({
  from: 'keeper of the oracle',
  to: CONTRACTS.oracle,
  logs: [{ address: CONTRACTS.oracle, topics: [topic], data: words(32, names.length, ...names.map(addressOf)) }],
})
export const sanction = (...names: string[]): PlannedTx => listing(EVENTS.sanctionsAdded.topic, names)
export const delist = (...names: string[]): PlannedTx => listing(EVENTS.sanctionsRemoved.topic, names)

/** Tether puts the account into the log's data, Circle into a topic. */
export const freeze = (name: string, by: 'usdt' | 'usdc' = 'usdt'): PlannedTx => ({
  from: 'issuer',
  to: CONTRACTS[by],
  logs: [
    by === 'usdt'
      ? { address: CONTRACTS.usdt, topics: [EVENTS.addedBlackList.topic], data: words(addressOf(name)) }
      : { address: CONTRACTS.usdc, topics: [EVENTS.blacklisted.topic, words(addressOf(name))], data: '0x' },
  ],
})

/** Deposits one ether into the mixer, with its own note. */
export const mix = (from: string, number = 1): PlannedTx => {
  const note = keccak256(toHex(`note ${number} of ${from}`))
  const topics = [EVENTS.mixerDeposit.topic, note]
  return {
    from,
    to: CONTRACTS.mixer,
    value: 10n ** 18n,
    data: `0xb214faa5${note.slice(2)}`,
    logs: [{ address: CONTRACTS.mixer, topics, data: words(number, 1_600_000_000) }],
  }
}

export const pay = (from: string, to: string, value: bigint): PlannedTx => ({ from, to: addressOf(to), value })

/** A transfer of dollars. */
export const transfer = (from: string, to: string, amount: bigint): PlannedTx => ({
  from,
  to: CONTRACTS.usdc,
  data: `0xa9059cbb${word(addressOf(to))}${word(amount)}` as Hex,
  logs: [
    {
      address: CONTRACTS.usdc,
      topics: [EVENTS.transfer.topic, words(addressOf(from)), words(addressOf(to))],
      data: words(amount),
    },
  ],
})

/** A contract forwards coins that it received, within the transaction. */
export const payThrough = (from: string, contract: string, to: string, value: bigint): PlannedTx => ({
  from,
  to: addressOf(contract),
  value,
  data: '0xd0e30db0',
  inner: [{ from: addressOf(contract), to: addressOf(to), value }],
})

const THREAT =
  'I have your photos and I will leak your photos to your family. Send 2 ETH to this address within 48 hours.'
export const threaten = (from: string, victim: string): PlannedTx => ({
  from,
  to: addressOf(victim),
  data: stringToHex(THREAT),
})

/** Creates a contract that does nothing. */
export const create = (from: string): PlannedTx => ({ from, to: '', data: '0x6460006000fd6000526005601bf3' })

/** An exchange, or an impostor, announces a pool of two coins. */
export const announce = {
  pair: (factory: string, token0: string, token1: string, pool: string): PlannedTx => ({
    from: 'issuer',
    to: factory,
    logs: [
      {
        address: factory.toLowerCase(),
        topics: [EVENTS.pairCreated.topic, words(token0), words(token1)],
        data: words(pool, 1),
      },
    ],
  }),
  v4: (manager: string, token0: string, token1: string, id: string): PlannedTx => ({
    from: 'issuer',
    to: manager,
    logs: [
      {
        address: manager.toLowerCase(),
        topics: [EVENTS.v4Initialize.topic, id, words(token0), words(token1)],
        data: words(3_000, 60, 0, 2n ** 96n, 0),
      },
    ],
  }),
  balancer: (vault: string, token0: string, token1: string, id: string): PlannedTx => ({
    from: 'issuer',
    to: vault,
    logs: [
      {
        address: vault.toLowerCase(),
        topics: [EVENTS.balancerTokensRegistered.topic, id],
        data: words(64, 160, 2, token0, token1, 2, 0, 0),
      },
    ],
  }),
  /** Three coins; the texts between are left empty. */
  tricrypto: (factory: string, coins: readonly [string, string, string], pool: string): PlannedTx => ({
    from: 'issuer',
    to: factory,
    logs: [
      {
        address: factory.toLowerCase(),
        topics: [EVENTS.curveTricryptoPoolDeployed.topic],
        data: words(pool, 480, 512, 0, ...coins, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      },
    ],
  }),
  /** Only a trace of the transaction shows the pool. */
  plain: (factory: string, coins: readonly [string, string]): PlannedTx => ({
    from: 'issuer',
    to: factory,
    logs: [
      {
        address: factory.toLowerCase(),
        topics: [EVENTS.curvePlainPoolDeployed.topic],
        data: words(...coins, 0, 0, 200, 4_000_000, 0),
      },
    ],
  }),
} as const

/** A transaction that fails. */
export const fail = (from: string): PlannedTx => ({ from, to: CONTRACTS.usdc, data: '0xa9059cbb', failed: true })
