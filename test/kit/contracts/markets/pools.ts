/** A local chain for tests of pools and owners of their liquidity: exchanges of every kind, tokens to list on them. */
import { createRequire } from 'node:module'
import { type Abi, type Address, encodeFunctionData, isAddress, parseAbi } from 'viem'
import { expect } from 'vitest'
import { type ContractAnalysis, createContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import type { Requester } from '../../../../scorer/contracts/chain/call.ts'
import type { SourceRegistry } from '../../../../scorer/contracts/code/sources/registry.ts'
import { createStakeholders } from '../../../../scorer/contracts/stakeholders/node.ts'
import {
  type ContractRegistry,
  contractRegistry,
  type Exchange,
} from '../../../../scorer/contracts/subject/registry.ts'
import { SHARED_THREADS } from '../analysis-threads.ts'
import { compiledFile, creationOf } from '../solidity/files.ts'
import { artifactCode, type Lab, type Receipt, startLab } from './exchange-chain.ts'

export const E18 = 10n ** 18n
/** Outer tick of the whole range at a tick spacing of 60. */
export const FULL = 887_220
/** Liquidity of 20 base coins and 500,000 tokens over the whole range: sqrt(20e18 * 500000e18). */
export const LIQUIDITY = 3_162_277_660_168_379_331_998n
/** sqrt(20 base / 500,000 tokens) in Q64.96 and its inverse: 0.00004 base for a token. */
export const ROOT = {
  tokenFirst: 501_082_896_750_095_888_663_770_159n,
  tokenSecond: 12_527_072_418_752_397_216_594_253_982_208n,
}
export const DEAD = '0x000000000000000000000000000000000000dEaD'

/** Fields `is_honeypot` and status of `LISTED`, listed on every exchange. */
export const LISTED: [string, number, 'Fraud' | 'Not Fraud'][] = [
  ['Impersonal', 0, 'Not Fraud'],
  ['Honeypot', 1, 'Fraud'],
  ['ClosesByTime', 1, 'Fraud'],
]

/** Result of the analysis of one of `LISTED` with 20 base coins in its pool. */
export const listedAs = (name: string, honeypot: number, status: string, pool: string) => ({
  body: { pairAddress: pool },
  indicators: { is_honeypot: honeypot, is_in_dex: 1, cannot_buy: 0, liquidity: expect.closeTo(20, 2) },
  status,
  honeypot: { verdict: name === 'Honeypot' ? 'trap' : 'sells' },
})

const SPENDING = 2n ** 128n - 1n
const FACTORY = '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'
const TAXED = ['AutumnMarket', 'EntranceFee', 'PatientGarden']
const KNOWS_ITS_POOL = ['Honeypot', 'FixedFee', 'ClosesByTime', 'SellsCrumbs', ...TAXED]

export const pad = (address: string) => address.slice(2).padStart(64, '0')
export const word = (value: bigint) => value.toString(16).padStart(64, '0')
export const call = (abi: Abi, functionName: string, args: unknown[]) => encodeFunctionData({ abi, functionName, args })
/** Whether a file of an optional package is available. */
export const installed = (path: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(path)
    return true
  } catch {
    return false
  }
}

/** Functions of `Provider` (pools.sol) for its caller. */
export const gives = parseAbi([
  'function mint3(address,int24,int24,uint128)',
  'function burn3(address,int24,int24,uint128)',
  'function swap3(address,bool,int256)',
  'function modify4(address,(address,address,uint24,int24,address),(int24,int24,int256,bytes32)) payable',
  'function swap4(address,(address,address,uint24,int24,address),bool,int256) payable',
])
const v3 = parseAbi([
  'function createPool(address,address,uint24) returns (address)',
  'function getPool(address,address,uint24) view returns (address)',
  'function initialize(uint160)',
])

const known = (address: string | undefined): Address => {
  if (address && isAddress(address)) return address
  throw new Error(`${address} is no address`)
}

type AnalysisParts = {
  stakeholders?: ReturnType<typeof createStakeholders>
  rpc?: Requester
  /** Every token counts as accused: sales of a plain account are tried. */
  accused?: boolean
  /** Service that answers whether sources are published. */
  sources?: SourceRegistry
}

export type Pools = {
  lab: Lab
  registry: ContractRegistry
  /** Account that deploys and provides liquidity. */
  from: Address
  /** The `Provider` contract, allowed to spend the wrapped coin and every token of `tokenOf`. */
  provider: string
  weth: Address
  /** Of V3. */
  factory: Address
  deploy: (name: string) => Promise<string>
  /** A transaction of `from`. */
  send: (to: string, data: string, value?: bigint) => Promise<Receipt>
  approve: (token: string, spender: string) => Promise<unknown>
  read: (to: string, data: string) => Promise<string>
  addressFrom: (to: string, data: string) => Promise<string>
  /** A token of contract-tokens.sol. */
  tokenOf: (name: string) => Promise<string>
  /** Sets the pool of a token that has a setter for it. */
  setPool: (name: string, token: string, pool: string) => Promise<void>
  /** An initialised V3 pool of the token and the wrapped coin, without liquidity. */
  poolOf: (token: string, fee: number) => Promise<string>
  /** An analysis that knows one exchange. */
  analysisWith: (exchange: Exchange, more?: Partial<ContractRegistry>, parts?: AnalysisParts) => ContractAnalysis
  stop: () => Promise<void>
}

export const openPools = async (): Promise<Pools> => {
  const contracts = new Map(
    ['../tokens/contract-tokens.sol', './pools.sol'].flatMap((file) => [
      ...compiledFile(new URL(file, import.meta.url)),
    ]),
  )
  const registry = contractRegistry('ETH')
  if (!registry) throw new Error('ETH has no registry')
  const lab = await startLab()
  const from = known(lab.accounts[0])
  const weth = known(registry.wrappedNative)
  const deploy: Pools['deploy'] = (name) => lab.deploy(from, creationOf(contracts, name))
  const send: Pools['send'] = (to, data, value = 0n) => lab.send({ from, to, data, value })
  const approve: Pools['approve'] = (token, spender) => send(token, `0x095ea7b3${pad(spender)}${word(SPENDING)}`)
  const read: Pools['read'] = (to, data) => lab.ask<string>('eth_call', { to, data }, 'latest')
  const addressFrom: Pools['addressFrom'] = async (to, data) => `0x${(await read(to, data)).slice(26)}`
  try {
    await lab.installExchange('ETH')
    const provider = await deploy('Provider')
    await send(weth, '0xd0e30db0', 100_000n * E18)
    await approve(weth, provider)
    const factory = known(await lab.deploy(from, artifactCode(FACTORY)))
    return {
      lab,
      registry,
      from,
      provider,
      weth,
      factory,
      deploy,
      send,
      approve,
      read,
      addressFrom,
      tokenOf: async (name) => {
        const token = await deploy(name)
        await approve(token, provider)
        return token
      },
      setPool: async (name, token, pool) => {
        if (KNOWS_ITS_POOL.includes(name)) await send(token, `0x4437152a${pad(pool)}`)
      },
      poolOf: async (token, fee) => {
        await send(factory, call(v3, 'createPool', [token, weth, fee]))
        const pool = await addressFrom(factory, call(v3, 'getPool', [token, weth, fee]))
        const root = token < weth ? ROOT.tokenFirst : ROOT.tokenSecond
        await send(pool, call(v3, 'initialize', [root]))
        return pool
      },
      analysisWith: (
        exchange,
        more = {},
        { stakeholders = createStakeholders({ network: 'ETH' }), rpc = lab, accused = false, sources } = {},
      ) =>
        createContractAnalysis({
          context: { clock: { now: Date.now, sleep: async () => {} } },
          rpc,
          network: 'ETH',
          stakeholders,
          hasHoneypotLabel: async () => accused,
          options: {
            ...SHARED_THREADS,
            registry: { ...registry, exchanges: [exchange], ...more },
            ...(sources ? { sources } : {}),
          },
        }),
      stop: lab.stop,
    }
  } catch (error) {
    await lab.stop()
    throw error
  }
}
