/** The world of a population: chain, clock, roster, known assets and pools, and the exchanges from which money comes. */
import { createHash } from 'node:crypto'
import { registryOf } from '../../../schema/registry/index.ts'
import type { Finding } from '../../../scorer/ledger/labels/write.ts'
import { type Chain, createChain, GENESIS_TIME, NATIVE, NETWORK } from './chain.ts'
import { createNftOwners, type NftOwners } from './nft-owners.ts'
import { createRng, type Rng } from './rng.ts'
import { createRoster, type Roster, type Truth } from './roster.ts'
import { createSchedule, type Schedule, type Story } from './schedule.ts'

export const HOUR = 3_600
export const DAY = 86_400
/** Length of the simulated history. */
export const SPAN = 90 * DAY
export const END = GENESIS_TIME + SPAN

export type Token = { address: string; symbol: string; decimals: number; usd: number }
export type Pool = { address: string; token0: string; token1: string; asset: Token }
export type Payment = { from: string; to: string; asset: string; amount: bigint; time: number }
export type Exchange = { hot: string[]; gas: string; cold: string }

export type World = {
  rng: Rng
  chain: Chain
  roster: Roster
  schedule: Schedule
  exchanges: Exchange[]
  /** Pools of an asset against the wrapped native coin; launches of tokens add more. */
  pools: Pool[]
  /** NFT collections and the next free id of each. */
  collections: { address: string; next: number }[]
  nfts: NftOwners
  /** The last payments in stable coins; the oldest is overwritten. */
  payments: Payment[]
  /** Accounts whose code forwards every received coin to a thief: at once, or in a transaction of the thief's soon after. */
  swept: Map<string, { sink: string; atOnce: boolean }>
  remember: (payment: Payment) => void
  /** Labels of addresses from lists. */
  labels: Finding[]
  /** Adds a label of a list, with confidence 1 by default. */
  label: (address: string, label: string, how?: Partial<Pick<Finding, 'class' | 'confidence' | 'revoked'>>) => void
  /** Listed markets, and the opening time of each. */
  darkMarkets: { address: string; begin: number }[]
  /** Account that sends mixer withdrawals for others. */
  relay: string
  start: (at: number, story: Story) => void
  /** A new wallet with a random address. */
  wallet: (role: string, truth?: Truth) => string
  /** A new wallet that others may pay, rob and deceive. */
  person: (role: string, address?: string) => string
  contract: (role: string, truth?: Truth) => string
  /** Records one harmful act of each. */
  offend: (...addresses: string[]) => void
  /** Records what happened to an honest wallet. */
  harm: (address: string, what: string) => void
  /** A random time within a share of the history, by default in its first 85 %. */
  moment: (from?: number, to?: number) => number
  /** Start of an ordinary wallet: half of them early, as most are older than any history. */
  arrival: () => number
}

/** Dollars each; other canonical assets are not traded. */
const PRICES: Record<string, number> = {
  WETH: 3_000,
  USDT: 1,
  USDC: 1,
  DAI: 1,
  WBTC: 90_000,
  LINK: 15,
  UNI: 8,
  AAVE: 180,
  LDO: 1,
  PEPE: 1e-5,
  SHIB: 1.3e-5,
  stETH: 3_000,
}
export const ETHER_USD = 3_000
const EXCHANGES = 20
const REMEMBERED = 3_000
const PRECISION = 1e6

const registry = registryOf(NETWORK)

/** Base units of an amount of whole coins, to six places. */
export const units = (whole: number, decimals: number): bigint =>
  decimals >= 6
    ? BigInt(Math.round(whole * PRECISION)) * 10n ** BigInt(decimals - 6)
    : BigInt(Math.round(whole * 10 ** decimals))
export const ether = (whole: number): bigint => units(whole, 18)
/** Base units worth so many dollars. */
export const worth = (token: Token, usd: number): bigint => units(usd / token.usd, token.decimals)

const readTokens = (): Record<string, Token> => {
  const tokens: Record<string, Token> = {}
  for (const { address, symbol, decimals } of registry.assets.values()) {
    const usd = PRICES[symbol]
    if (usd !== undefined) tokens[symbol] = { address, symbol, decimals, usd }
  }
  return tokens
}
const TOKENS = readTokens()

/** A canonical asset. @throws RangeError if the registry no longer has it */
export const coin = (symbol: string): Token => {
  const token = TOKENS[symbol]
  if (!token) throw new RangeError(`the registry of ${NETWORK} has no ${symbol}`)
  return token
}
/** All traded assets. */
export const COINS = Object.values(TOKENS)
export const STABLES = ['USDT', 'USDC', 'DAI'].map(coin)
export const WETH = coin('WETH').address

const named = (entries: Iterable<{ address: string; name: string; kind: string }>, name: string, kind: string) => {
  for (const entry of entries) if (entry.name === name && entry.kind === kind) return entry.address
  throw new RangeError(`the registry of ${NETWORK} has no ${kind} of ${name}`)
}
const routers = () => registry.dexRouters.values()
export const FACTORY = named(registry.dexFactories.values(), 'uniswap', 'v2')
export const ROUTER = named(routers(), 'uniswap', 'v2')
export const AGGREGATOR = named(routers(), '1inch', 'aggregator')
export const UNIVERSAL_ROUTER = named(routers(), 'uniswap', 'universal')
export const MULTICALL = named(registry.services.values(), 'Multicall3', 'multicall')
export const SEAPORT = '0x0000000000000068f116a894984e2db1123eb395'
export const DISPERSE = named(registry.services.values(), 'Disperse.app', 'disperse')
export const DETERMINISTIC_DEPLOYER = named(registry.services.values(), 'Deterministic deployer', 'factory')
export const BRIDGES = [...registry.services.values()].filter((entry) => entry.kind === 'bridge').map((e) => e.address)

/** Identity of code, derived from its content. */
export const codeOf = (what: string, size = 4_000) => ({
  hash: `0x${createHash('sha256').update(what).digest('hex')}`,
  size,
})

export const createWorld = (seed: number): World => {
  const rng = createRng(seed)
  const chain = createChain(rng)
  // A few exchanges have most of the customers.
  const roster = createRoster(() => Math.floor(EXCHANGES * rng.next() ** 2))
  const schedule = createSchedule()
  const payments: Payment[] = []
  const labels: Finding[] = []
  let paid = 0
  const wallet = (role: string, truth?: Truth) => roster.add(role, rng.address(), truth).address
  const moment: World['moment'] = (from = 0, to = 0.85) => GENESIS_TIME + DAY + rng.between(from, to) * (SPAN - DAY)
  return {
    rng,
    chain,
    roster,
    schedule,
    exchanges: [],
    pools: [],
    collections: [],
    nfts: createNftOwners(),
    payments,
    swept: new Map(),
    labels,
    label: (address, label, how = {}) =>
      void labels.push({
        network: NETWORK,
        address,
        label,
        detector: 'list',
        class: 'asserted',
        confidence: 1,
        detector_version: '1',
        evidence: {},
        tx_hash: '',
        block_number: 0,
        foundAt: END * 1_000,
        ...how,
      }),
    darkMarkets: [],
    remember: (payment) => {
      payments[paid++ % REMEMBERED] = payment
    },
    relay: wallet('mixer relayer', { tolerated: ['mixer'] }),
    start: schedule.start,
    wallet,
    person: (role, address = rng.address()) => {
      roster.people.push(roster.add(role, address))
      return address
    },
    contract: (role, truth) => roster.addContract(role, rng.address(), truth).address,
    offend: (...addresses) => {
      for (const address of addresses) {
        const member = roster.find(address)
        if (member) member.offences++
      }
    },
    harm: (address, what) => void roster.find(address)?.harms.add(what),
    moment,
    arrival: () => (rng.happens(0.5) ? moment(0, 0.08) : moment()),
  }
}

const RICH = 5_000_000

/** Exchanges with deposits of their customers from before the history. Their wallets are part of the roster. */
export const openExchanges = (world: World): void => {
  for (let nth = 0; nth < EXCHANGES; nth++) {
    const hot = Array.from({ length: world.rng.whole(1, 6) }, () => world.wallet('exchange hot wallet'))
    const exchange = { hot, gas: world.wallet('exchange gas tank'), cold: world.wallet('exchange cold wallet') }
    for (const address of [...hot, exchange.gas, exchange.cold]) {
      world.chain.endow(NATIVE, address, ether(RICH))
      for (const token of COINS) world.chain.endow(token.address, address, worth(token, 1e12))
    }
    world.exchanges.push(exchange)
  }
}

/** Pools of known assets, opened by a liquidity provider on the first day, and the tokens' descriptions. */
export const openMarkets = (world: World): void => {
  const { chain, rng } = world
  const provider = world.wallet('liquidity provider')
  chain.endow(NATIVE, provider, ether(1_000))
  chain.endow(NATIVE, WETH, ether(RICH))
  chain.send({ from: provider, to: MULTICALL, selector: '0xac9650d8' }, (tx) => {
    for (const { address: token, symbol, decimals } of COINS) {
      tx.describe({ token, standard: 'erc20', symbol, name: registry.assets.get(token)?.name ?? symbol, decimals })
    }
  })
  for (const asset of COINS) {
    if (asset.address === WETH) continue
    const [token0, token1] = asset.address < WETH ? [asset.address, WETH] : [WETH, asset.address]
    const pool: Pool = { address: world.contract('known pool'), token0, token1, asset }
    const base = ether(rng.between(3_000, 20_000))
    const other = worth(asset, (Number(base) / 1e18) * ETHER_USD)
    chain.endow(WETH, provider, base)
    chain.endow(asset.address, provider, other)
    chain.advance(chain.time() + 60)
    chain.send({ from: provider, to: ROUTER, selector: '0xe8e33700', gas: 2_500_000 }, (tx) => {
      tx.create(pool.address, codeOf('pair'), FACTORY)
      tx.pool({ pool: pool.address, factory: FACTORY, kind: 'v2', token0, token1, fee: 3_000 })
      tx.token(WETH, provider, pool.address, base)
      tx.token(asset.address, provider, pool.address, other)
      tx.liquidity(
        pool.address,
        'add',
        ROUTER,
        ...(token0 === WETH ? ([base, other] as const) : ([other, base] as const)),
      )
    })
    world.pools.push(pool)
  }
}
