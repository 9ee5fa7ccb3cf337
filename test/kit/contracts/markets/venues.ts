/** Pools of exchanges that keep them in a vault or identify coins by number, announced as in the tables. */
import { encodeAbiParameters, keccak256, parseAbi } from 'viem'
import { pairId } from '../../../../schema/pairs.ts'
import { type ContractAnalysis, createContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import type { VenueKind } from '../../../../scorer/contracts/chain/simulator/script.ts'
import type { AnnouncedPool } from '../../../../scorer/contracts/market/pools/venues.ts'
import { createStakeholders } from '../../../../scorer/contracts/stakeholders/node.ts'
import type { Exchange } from '../../../../scorer/contracts/subject/registry.ts'
import { SHARED_THREADS } from '../analysis-threads.ts'
import { compiledFile } from '../solidity/files.ts'
import { call, E18, type Pools, word } from './pools.ts'

export const NATIVE = `0x${'0'.repeat(40)}`
/** A coin besides the traded ones. */
const THIRD = `0x${'3'.repeat(40)}`
const TOKENS = 500_000n * E18
const COINS = 20n * E18

const seeds = {
  curve: parseAbi(['function seed(uint256[]) payable']),
  balancer2: parseAbi(['function seed(bytes32,address,address,uint256,uint256,address)']),
  balancer3: parseAbi(['function seed(address,address,address,uint256,uint256,address)']),
  infinity: parseAbi([
    'function seed((address,address,address,address,uint24,bytes32),uint256,uint256,address) payable',
  ]),
}

/** Options of a pool's creator. */
export type Listing = {
  /** Contract of venues.sol that decides what swaps pay. @default a fair one */
  rule?: string
  hooks?: string
  /** Sender of the announcement. */
  by?: string
  coins?: bigint
}
export type Venue = {
  kind: VenueKind
  /** Contract that announces the pool. */
  exchange: string
  /** A pool of a token against `base`, with 20 coins and 500,000 tokens. */
  list: (token: string, base: string, listing?: Listing) => Promise<AnnouncedPool>
}
export type Venues = {
  open: (name: VenueName) => Promise<Venue>
  /** A sale of twelve hours; `takesBack` is whether it buys the token back. */
  sale: (token: string, takesBack: boolean) => Promise<string>
  /** A rule that buys a token for one wei, or refuses it. */
  oneWay: (token: string, refuses: boolean) => Promise<string>
  /** An analysis that knows the exchanges, and the pools of the tables. */
  analysisOf: (exchanges: readonly Exchange[], pools: readonly AnnouncedPool[], accused?: boolean) => ContractAnalysis
  /** Hash of a transaction of an account. */
  sentBy: (from: string) => Promise<string>
}
export const VENUES = {
  'a stable pool of Curve': 'CurveStableStandIn',
  'a crypto pool of Curve': 'CurveNewCryptoStandIn',
  'three coins of Curve': 'CurveOldCryptoStandIn',
  'three tokens of Balancer V2': 'Balancer2StandIn',
  'three tokens of Balancer V3': 'Balancer3StandIn',
  'ranges of Infinity': 'InfinityRangesStandIn',
  'bins of Infinity': 'InfinityBinsStandIn',
} as const
export type VenueName = keyof typeof VENUES

export const openVenues = async (p: Pools): Promise<Venues> => {
  const contracts = compiledFile(new URL('./venues.sol', import.meta.url))
  const { lab, from, send, approve } = p
  const deploy = (name: string, ...args: { type: string; value: unknown }[]) => {
    const creation = contracts.get(name)?.creation
    if (!creation) throw new Error(`venues.sol has no ${name}`)
    const encoded = encodeAbiParameters(
      args.map(({ type }) => ({ type })),
      args.map(({ value }) => value),
    )
    return lab.deploy(from, `${creation}${encoded.slice(2)}`)
  }
  const address = (value: string) => ({ type: 'address', value })
  const fair = await deploy('FairRule')
  const sentBy = async (who: string) => (await lab.send({ from: who, to: who, value: 0n })).transactionHash
  const inOrder = (token: string, base: string, coins: bigint) =>
    token < base
      ? { token0: token, token1: base, amounts: [TOKENS, coins] as const }
      : { token0: base, token1: token, amounts: [coins, TOKENS] as const }
  const shown = (base: string) => (base === NATIVE ? '' : base)
  const allow = async (spender: string, ...assets: string[]) => {
    for (const asset of assets) if (asset !== NATIVE) await approve(asset, spender)
  }

  /** Each Curve pool is a contract, announced by a factory. */
  const curve = async (contract: string, more: readonly string[] = []): Promise<Venue> => {
    const exchange = `0x${keccak256(`0x${word(BigInt(contract.length))}`).slice(26)}`
    return {
      kind: 'curve',
      exchange,
      // The token is the last coin, regardless of the addresses.
      list: async (token, base, { rule = fair, by = from, coins = COINS } = {}) => {
        const held = [...more, base, token]
        const pool = await deploy(contract, { type: 'address[]', value: held }, address(rule))
        await allow(pool, base, token)
        const amounts = [...more.map(() => 0n), coins, TOKENS]
        await send(pool, call(seeds.curve, 'seed', [amounts]), base === NATIVE ? coins : 0n)
        const announced = await sentBy(by)
        const id = more.length > 0 ? pairId(pool, more.length, more.length + 1) : pool
        return { pool: id, factory: exchange, token0: shown(base), token1: token, fee: 4, announced }
      },
    }
  }
  let pools = 0n
  const balancer2 = async (): Promise<Venue> => {
    const exchange = await deploy('Balancer2StandIn')
    return {
      kind: 'balancer-v2',
      exchange,
      list: async (token, base, { rule = fair, by = from, coins = COINS } = {}) => {
        const pool = `0x${word((0xba1a0000n + pools++) << 96n)}`
        await allow(exchange, base, token)
        const { token0, token1, amounts } = inOrder(token, base, coins)
        await send(exchange, call(seeds.balancer2, 'seed', [pool, token0, token1, ...amounts, rule]))
        return { pool: pairId(pool, 0, 2), factory: exchange, token0, token1, fee: 0, announced: await sentBy(by) }
      },
    }
  }
  const balancer3 = async (): Promise<Venue> => {
    const exchange = await deploy('Balancer3StandIn')
    return {
      kind: 'balancer-v3',
      exchange,
      list: async (token, base, { rule = fair, by = from, coins = COINS } = {}) => {
        const pool = `0x${word(0xba1b0000n + pools++).slice(24)}`
        await allow(exchange, base, token)
        const { token0, token1, amounts } = inOrder(token, base, coins)
        await send(exchange, call(seeds.balancer3, 'seed', [pool, token0, token1, ...amounts, rule]))
        return { pool: pairId(pool, 0, 2), factory: exchange, token0, token1, fee: 3_000, announced: await sentBy(by) }
      },
    }
  }
  const infinity = async (kind: 'infinity-cl' | 'infinity-bin', contract: string): Promise<Venue> => {
    const vault = await deploy('InfinityVaultStandIn')
    const exchange = await deploy(contract, address(vault))
    return {
      kind,
      exchange,
      list: async (token, base, { rule = fair, by = from, hooks = NATIVE, coins = COINS } = {}) => {
        await allow(exchange, base, token)
        const { token0, token1, amounts } = inOrder(token, base, coins)
        const parameters = `0x${word(60n << 16n)}`
        const key = [token0, token1, hooks, exchange, 3_000, parameters] as const
        await send(exchange, call(seeds.infinity, 'seed', [key, ...amounts, rule]), base === NATIVE ? coins : 0n)
        const fields = ['address', 'address', 'address', 'address', 'uint24', 'bytes32'].map((type) => ({ type }))
        const pool = keccak256(encodeAbiParameters(fields, key))
        return {
          ...{ pool, factory: exchange, token0: shown(token0), token1, fee: 3_000 },
          ...{ hooks: shown(hooks), announced: await sentBy(by) },
        }
      },
    }
  }
  const open: Venues['open'] = (name) => {
    const contract = VENUES[name]
    if (contract === 'Balancer2StandIn') return balancer2()
    if (contract === 'Balancer3StandIn') return balancer3()
    if (contract === 'InfinityRangesStandIn') return infinity('infinity-cl', contract)
    if (contract === 'InfinityBinsStandIn') return infinity('infinity-bin', contract)
    return curve(contract, contract === 'CurveOldCryptoStandIn' ? [THIRD] : [])
  }
  return {
    open,
    sentBy,
    sale: (token, takesBack) => deploy('SaleRule', address(token), { type: 'bool', value: takesBack }),
    oneWay: (token, refuses) => deploy('OneWayRule', address(token), { type: 'bool', value: refuses }),
    analysisOf: (exchanges, announced, accused = false) => {
      const stakeholders = createStakeholders({ network: 'ETH' })
      return createContractAnalysis({
        context: { clock: { now: Date.now, sleep: async () => {} } },
        rpc: lab,
        network: 'ETH',
        stakeholders: (...where) => {
          const source = stakeholders(...where)
          return {
            ...source,
            poolsOf: async (token) => ({ ...(await source.poolsOf(token)), contracts: [...announced] }),
          }
        },
        hasHoneypotLabel: async () => accused,
        options: { ...SHARED_THREADS, registry: { ...p.registry, exchanges } },
      })
    },
  }
}
