import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Abi, encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifactCode, type Lab, startLab } from '../../deploy/eval/lab.ts'
import { compileSource } from '../../deploy/eval/solidity.ts'
import type { LiquidityRow } from '../../schema/block.ts'
import type { Locker } from '../../schema/registry/index.ts'
import { type ContractAnalysis, createContractAnalysis } from '../../scorer/contract/analysis.ts'
import type { Requester } from '../../scorer/contract/chain.ts'
import { createPeople } from '../../scorer/contract/people/node.ts'
import { v4PoolId } from '../../scorer/contract/pools/v4.ts'
import { type ContractRegistry, contractRegistry, type Exchange } from '../../scorer/contract/registry.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'

type Hex = `0x${string}`
const FACTORY = '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'
const POSITION_MANAGER =
  '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json'
const POOL_MANAGER = '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json'
const installed = (path: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(path)
    return true
  } catch {
    return false
  }
}
const E18 = 10n ** 18n
const FULL = 887_220
/** sqrt(20 base / 500,000 tokens) in Q64.96 and its inverse: 0.00004 base for a token. */
const ROOT = {
  tokenFirst: 501_082_896_750_095_888_663_770_159n,
  tokenSecond: 12_527_072_418_752_397_216_594_253_982_208n,
}
const SPENDING = '0xffffffffffffffffffffffffffffffff'
const hex = (text: string) => text as Hex
const pad = (address: string) => address.slice(2).padStart(64, '0')
const word = (value: bigint) => value.toString(16).padStart(64, '0')

let lab: Lab
let creation: Map<string, string>
let provider: string
let weth: string
let from: string
/** Of V3. */
let factory: string
const base = contractRegistry('ETH')

beforeAll(async () => {
  const sources = ['../contract/contract-tokens.sol', './contract-pools.sol'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  creation = new Map(sources.flatMap((source) => compileSource(source).contracts.map((c) => [c.name, c.creation])))
  lab = await startLab()
  from = lab.accounts[0] ?? ''
  await lab.installExchange('ETH')
  weth = base?.wrappedNative ?? ''
  provider = await deploy('Provider')
  await lab.send({ from, to: weth, data: '0xd0e30db0', value: 100_000n * E18 })
  await approve(weth, provider)
  factory = await lab.deploy(from, artifactCode(FACTORY))
})
afterAll(() => lab?.stop())

const deploy = (name: string) => lab.deploy(from, creation.get(name) ?? '')
const approve = (token: string, spender: string) =>
  lab.send({ from, to: token, data: `0x095ea7b3${pad(spender)}${SPENDING.slice(2).padStart(64, '0')}` })
const call = (abi: Abi, functionName: string, args: unknown[]) => encodeFunctionData({ abi, functionName, args })
const read = async (to: string, data: string) => lab.ask<string>('eth_call', { to, data }, 'latest')
const addressFrom = async (to: string, data: string) => `0x${(await read(to, data)).slice(26)}`

const analysisWith = (
  exchange: Exchange,
  more: Partial<ContractRegistry> = {},
  { people = createPeople({ network: 'ETH' }), rpc = lab as Requester } = {},
): ContractAnalysis => {
  if (!base) throw new Error('ETH has no registry')
  return createContractAnalysis({
    context: { clock: { now: Date.now, sleep: async () => {} } },
    rpc,
    network: 'ETH',
    people,
    options: { registry: { ...base, exchanges: [exchange], ...more } },
  })
}

/** A token of the test's family that knows its pool, if it wants to. */
const tokenOf = async (name: string) => {
  const token = await deploy(name)
  await approve(token, provider)
  return token
}
const tell = async (name: string, token: string, pool: string) => {
  if (['Honeypot', 'FixedFee', 'ClosesByTime', 'SellsCrumbs'].includes(name))
    await lab.send({ from, to: token, data: `0x4437152a${pad(pool)}` })
}
const plan: [string, number, 'Fraud' | 'Not Fraud'][] = [
  ['Impersonal', 0, 'Not Fraud'],
  ['Honeypot', 1, 'Fraud'],
  ['ClosesByTime', 1, 'Fraud'],
]

const v3 = parseAbi([
  'function createPool(address,address,uint24) returns (address)',
  'function getPool(address,address,uint24) view returns (address)',
  'function initialize(uint160)',
])
const gives = parseAbi([
  'function mint3(address,int24,int24,uint128)',
  'function burn3(address,int24,int24,uint128)',
  'function swap3(address,bool,int256)',
  'function modify4(address,(address,address,uint24,int24,address),(int24,int24,int256,bytes32)) payable',
  'function swap4(address,(address,address,uint24,int24,address),bool,int256) payable',
])
/** Liquidity of 20 base and 500,000 tokens over the whole range: sqrt(20e18 * 500000e18). */
const LIQUIDITY = 3_162_277_660_168_379_331_998n

const poolOf = async (token: string, fee: number) => {
  await lab.send({ from, to: factory, data: call(v3, 'createPool', [token, weth, fee]) })
  const pool = await addressFrom(factory, call(v3, 'getPool', [token, weth, fee]))
  const root = token < weth ? ROOT.tokenFirst : ROOT.tokenSecond
  await lab.send({ from, to: pool, data: call(v3, 'initialize', [root]) })
  return pool
}

describe('V3: the factory and pools of @uniswap/v3-core', () => {
  let analyse: ContractAnalysis
  beforeAll(() => {
    analyse = analysisWith({ kind: 'v3', factory, by: 'fee', keys: [500, 3_000] })
  })
  const list = async (name: string) => {
    const token = await tokenOf(name)
    const pool = await poolOf(token, 3_000)
    await lab.send({ from, to: provider, data: call(gives, 'mint3', [pool, -FULL, FULL, LIQUIDITY]) })
    await tell(name, token, pool)
    return { token, pool }
  }

  test.each(plan)('%s: is_honeypot %i, %s', async (name, honeypot, status) => {
    const { token, pool } = await list(name)
    const report = await analyse(token)
    expect(report?.body.pairAddress).toBe(pool)
    expect(report?.indicators).toMatchObject({ is_honeypot: honeypot, is_in_dex: 1, cannot_buy: 0 })
    expect(report?.indicators.liquidity).toBeCloseTo(20, 2)
    expect(report?.status).toBe(status)
  })

  test('the deeper of two pools counts, and a pool address stands for its token', async () => {
    const { token, pool } = await list('Impersonal')
    const deep = await poolOf(token, 500)
    await lab.send({ from, to: provider, data: call(gives, 'mint3', [deep, -887_270, 887_270, LIQUIDITY / 2n]) })
    expect((await analyse(token))?.body.pairAddress).toBe(pool)
    await lab.send({ from, to: provider, data: call(gives, 'burn3', [pool, -FULL, FULL, (LIQUIDITY * 6n) / 10n]) })
    const [byToken, byPool] = [await analyse(token), await analyse(pool)]
    expect(byToken?.body.pairAddress).toBe(deep)
    expect(byPool).toMatchObject({ token, body: { pairAddress: pool } })
  })

  test('the price is what the pool trades at, not what lies in it', async () => {
    const { token, pool } = await list('Impersonal')
    // Base coins waiting far below the price are liquidity, but no demand at it.
    const range = token < weth ? [-FULL, -600_000] : [600_000, FULL]
    await lab.send({ from, to: provider, data: call(gives, 'mint3', [pool, ...range, 10n ** 30n]) })
    const report = await analyse(token)
    expect(report?.examination.market?.price).toBeCloseTo(0.00004, 8)
  })

  test('the market cap follows the deepest dollar pool of the wrapped coin', async () => {
    const { token } = await list('Impersonal')
    const dollar = await tokenOf('Plain')
    const [wrapped] = base?.bases ?? []
    if (!wrapped) throw new Error('ETH has no wrapped coin')
    const bases = [wrapped, { address: dollar, symbol: 'usd', decimals: 18, stable: true }]
    const pool = await poolOf(dollar, 500)
    await lab.send({ from, to: provider, data: call(gives, 'mint3', [pool, -887_270, 887_270, LIQUIDITY]) })
    const priced = analysisWith({ kind: 'v3', factory, by: 'fee', keys: [500, 3_000] }, { bases })
    // 0.00004 coins for a token, 25,000 dollars for a coin, a million tokens.
    expect((await priced(token))?.indicators.market_cap).toBeCloseTo(1_000_000, -3)
  })

  test('adding, swapping and removing: events newest first, and the removal convicts', async () => {
    const { token, pool } = await list('Impersonal')
    await lab.send({ from, to: provider, data: call(gives, 'swap3', [pool, weth < token, E18]) })
    await lab.send({ from, to: provider, data: call(gives, 'burn3', [pool, -FULL, FULL, (LIQUIDITY * 95n) / 100n]) })
    const report = await analyse(token)
    expect(report?.body.liquidityEvent).toMatchObject([
      { eventType: 'remove', token: 'weth', from_address: from.toLowerCase() },
      { eventType: 'add', token: 'weth' },
    ])
    expect(report?.reasons.fraud.map(({ code }) => code)).toContain('liquidity_removed')
    expect(report?.status).toBe('Fraud')
  })

  test('pools named by tick spacing, as Slipstream names them', async () => {
    const { token, pool } = await list('Honeypot')
    const spacings = await deploy('SpacingFactoryStandIn')
    const set = parseAbi(['function set(address,address,int24,address)'])
    await lab.send({ from, to: spacings, data: call(set, 'set', [token, weth, 200, pool]) })
    const report = await analysisWith({ kind: 'v3', factory: spacings, by: 'spacing', keys: [1, 200] })(token)
    expect(report).toMatchObject({ body: { pairAddress: pool }, indicators: { is_honeypot: 1 } })
  })
})

describe.skipIf(!installed(POSITION_MANAGER))('positions of @uniswap/v3-periphery (skipped when not installed)', () => {
  const manager = parseAbi([
    'function mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)) payable',
    'function tokenOfOwnerByIndex(address,uint256) view returns (uint256)',
    'function transferFrom(address,address,uint256)',
    'function setApprovalForAll(address,bool)',
  ])
  const lock = parseAbi(['function lock(address,address,uint256,uint256)'])
  const deposit = parseAbi(['function lock(address,uint256,uint256,bool)'])
  const later = () => BigInt(Math.floor(Date.now() / 1_000) + 400 * 86_400)
  let positions: string
  let uncx: string
  let team: string
  let locked: ContractAnalysis
  /** The same where the node gives no logs, and with tables behind it. */
  let forgetful: ContractAnalysis
  let indexed: ContractAnalysis
  let opened: TestStore
  afterAll(() => opened?.close())
  beforeAll(async () => {
    const one = { type: 'address' } as const
    const args = encodeAbiParameters([one, one, one], [hex(factory), hex(weth), hex(from)])
    positions = await lab.deploy(from, `${artifactCode(POSITION_MANAGER)}${args.slice(2)}`)
    uncx = await deploy('PositionLockerStandIn')
    team = await deploy('DepositsStandIn')
    const lockers: Locker[] = [
      { address: uncx, name: 'UNCX', kind: 'v3' },
      { address: team, name: 'Team Finance', kind: 'v2' },
    ]
    const exchange = { kind: 'v3', factory, by: 'fee', keys: [3_000] } as const
    const more = { positions: [positions], lockers }
    locked = analysisWith(exchange, more)
    opened = await openTestStore()
    const rpc: Requester = {
      request: (args) =>
        args.method === 'eth_getLogs' ? Promise.reject(new Error('range too wide')) : lab.request(args),
    }
    forgetful = analysisWith(exchange, more, { rpc })
    indexed = analysisWith(exchange, more, { people: createPeople({ network: 'ETH', store: opened.store }), rpc })
    await approve(weth, positions)
  })
  /** A position of the whole pool, held by its giver. */
  const position = async () => {
    const token = await tokenOf('Impersonal')
    const pool = await poolOf(token, 3_000)
    await approve(token, positions)
    const [token0, token1, a0, a1] =
      token < weth ? [token, weth, 500_000n * E18, 20n * E18] : [weth, token, 20n * E18, 500_000n * E18]
    const args = [token0, token1, 3_000, -FULL, FULL, a0, a1, 0n, 0n, from, later()]
    const minted = await lab.send({ from, to: positions, data: call(manager, 'mint', [args]) })
    const held = BigInt(await read(positions, `0x70a08231${pad(from)}`))
    const id = BigInt(await read(positions, call(manager, 'tokenOfOwnerByIndex', [from, held - 1n])))
    return { token, pool, id, minted: minted.transactionHash }
  }
  const isLocked = async (token: string) => (await locked(token))?.indicators.lp_holders_locked

  test('held by a person is not locked; burned is', async () => {
    const { token, id } = await position()
    expect(await isLocked(token)).toBe(false)
    const dead = '0x000000000000000000000000000000000000dEaD'
    await lab.send({ from, to: positions, data: call(manager, 'transferFrom', [from, dead, id]) })
    expect(await isLocked(token)).toBe(true)
  })
  const lockBy = async (locker: string, until: bigint) => {
    const { token, pool, id } = await position()
    await lab.send({ from, to: positions, data: call(manager, 'setApprovalForAll', [locker, true]) })
    const data =
      locker === team
        ? call(deposit, 'lock', [positions, id, until, true])
        : call(lock, 'lock', [positions, pool, id, until])
    await lab.send({ from, to: locker, data })
    return token
  }
  test('held by a registered locker for a year is locked, for ten days it is not', async () => {
    expect(await isLocked(await lockBy(uncx, later()))).toBe(true)
    expect(await isLocked(await lockBy(uncx, later() - 390n * 86_400n))).toBe(false)
    expect(await isLocked(await lockBy(team, later()))).toBe(true)
  })
  test('held by a contract that only looks like a locker is not locked', async () => {
    expect(await isLocked(await lockBy(await deploy('PositionLockerStandIn'), later()))).toBe(false)
  })
  test('a locked crumb of the liquidity does not lock the rest', async () => {
    const token = await lockBy(uncx, later())
    const pool = await addressFrom(factory, call(v3, 'getPool', [token, weth, 3_000]))
    await lab.send({ from, to: provider, data: call(gives, 'mint3', [pool, -FULL, FULL, LIQUIDITY / 2n]) })
    expect(await isLocked(token)).toBe(false)
  })
  test('positions of long ago are known where there are tables, and never taken for locked where there are none', async () => {
    const { token, pool, id, minted } = await position()
    const dead = '0x000000000000000000000000000000000000dEaD'
    await lab.send({ from, to: positions, data: call(manager, 'transferFrom', [from, dead, id]) })
    const row: LiquidityRow = {
      network: 'ETH',
      block_number: 1,
      block_time: Math.floor(Date.now() / 1_000) - 90 * 86_400,
      position: '1',
      tx_hash: minted,
      pool,
      event: 'add',
      provider: from,
      owner: positions,
      amount0: '1',
      amount1: '1',
      liquidity: '1',
    }
    await opened.store.insert('liquidity', `${JSON.stringify(row)}\n`)
    expect((await forgetful(token))?.indicators.lp_holders_locked).toBe(false)
    expect((await indexed(token))?.indicators.lp_holders_locked).toBe(true)
  })
})

describe('Solidly: pools of the Aerodrome shape (stand-ins)', () => {
  const factoryAbi = parseAbi([
    'function createPool(address,address,bool)',
    'function getPool(address,address,bool) view returns (address)',
  ])
  let exchange: string
  let analyse: ContractAnalysis
  beforeAll(async () => {
    exchange = await deploy('SolidlyFactoryStandIn')
    analyse = analysisWith({ kind: 'solidly', factory: exchange })
  })
  const list = async (name: string, stable = false) => {
    const token = await tokenOf(name)
    await lab.send({ from, to: exchange, data: call(factoryAbi, 'createPool', [token, weth, stable]) })
    const pool = await addressFrom(exchange, call(factoryAbi, 'getPool', [token, weth, stable]))
    await lab.send({ from, to: token, data: `0xa9059cbb${pad(pool)}${word(500_000n * E18)}` })
    await lab.send({ from, to: weth, data: `0xa9059cbb${pad(pool)}${word(20n * E18)}` })
    await lab.send({ from, to: pool, data: `0x6a627842${pad(from)}` })
    await tell(name, token, pool)
    return { token, pool }
  }

  test.each(plan)('%s: is_honeypot %i, %s', async (name, honeypot, status) => {
    const { token, pool } = await list(name)
    const report = await analyse(token)
    expect(report?.body.pairAddress).toBe(pool)
    expect(report?.indicators).toMatchObject({ is_honeypot: honeypot, liquidity: 20, is_in_dex: 1, cannot_buy: 0 })
    expect(report?.status).toBe(status)
  })
  test('a stable pool is found, and priced by what it pays', async () => {
    const { token, pool } = await list('Impersonal', true)
    const report = await analyse(token)
    expect(report?.body.pairAddress).toBe(pool)
    expect(report?.examination.market?.price).toBeCloseTo(0.0000398, 6)
  })
  test('taxes are told from the fee of the pool', async () => {
    const { token } = await list('FixedFee')
    expect((await analyse(token))?.indicators).toMatchObject({ buy_tax: 3, sell_tax: 3 })
  })
  test('events and the removal of liquidity', async () => {
    const { token, pool } = await list('Impersonal')
    const held = BigInt(await read(pool, `0x70a08231${pad(from)}`))
    await lab.send({ from, to: pool, data: `0xa9059cbb${pad(pool)}${word((held * 95n) / 100n)}` })
    await lab.send({ from, to: pool, data: `0x89afcb44${pad(from)}` })
    const report = await analyse(token)
    expect(report?.body.liquidityEvent).toMatchObject([{ eventType: 'remove' }, { eventType: 'add', amount: 20 }])
    expect(report?.status).toBe('Fraud')
  })
})

describe.skipIf(!installed(POOL_MANAGER))('V4: the manager of @uniswap/v4-core (skipped when not installed)', () => {
  const managerAbi = parseAbi(['function initialize((address,address,uint24,int24,address),uint160)'])
  const NATIVE = `0x${'0'.repeat(40)}`
  let manager: string
  let analyse: ContractAnalysis
  beforeAll(async () => {
    const owner = encodeAbiParameters([{ type: 'address' }], [hex(from)])
    const artifact = JSON.parse(readFileSync(createRequire(import.meta.url).resolve(POOL_MANAGER), 'utf8'))
    manager = await lab.deploy(from, `${artifact.bytecode.object}${owner.slice(2)}`)
    analyse = analysisWith({ kind: 'v4', manager })
  })
  const list = async (name: string, against: string, fee = 3_000, tickSpacing = 60) => {
    const token = await tokenOf(name)
    const [token0, token1] = token < against ? [token, against] : [against, token]
    const key = [token0, token1, fee, tickSpacing, NATIVE]
    const root = token === token0 ? ROOT.tokenFirst : ROOT.tokenSecond
    await lab.send({ from, to: manager, data: call(managerAbi, 'initialize', [key, root]) })
    const edge = Math.floor(887_272 / tickSpacing) * tickSpacing
    const give = (delta: bigint) =>
      lab.send({
        from,
        to: provider,
        data: call(gives, 'modify4', [manager, key, [-edge, edge, delta, `0x${'0'.repeat(64)}`]]),
        value: delta > 0n && against === NATIVE ? 21n * E18 : 0n,
      })
    await give(LIQUIDITY)
    await tell(name, token, manager)
    const id = v4PoolId({ token0: token0 ?? '', token1: token1 ?? '', fee, tickSpacing, hooks: NATIVE })
    return { token, key, id, give }
  }

  test.each([
    ...plan.map((row) => [...row, 'the native coin'] as const),
    ...plan.map((row) => [...row, 'the wrapped coin'] as const),
  ])('%s: is_honeypot %i, %s, against %s', async (name, honeypot, status, against) => {
    const { token, id } = await list(name, against === 'the native coin' ? NATIVE : weth)
    const report = await analyse(token)
    expect(report?.body.pairAddress).toBe(id)
    expect(report?.indicators).toMatchObject({ is_honeypot: honeypot, is_in_dex: 1, cannot_buy: 0 })
    expect(report?.indicators.liquidity).toBeCloseTo(20, 2)
    expect(report?.status).toBe(status)
  })

  test('a pool of an unusual key is found by its event', async () => {
    const { token, id } = await list('Honeypot', NATIVE, 4_242, 77)
    expect(await analyse(token)).toMatchObject({ body: { pairAddress: id }, indicators: { is_honeypot: 1 } })
  })

  test('liquidity within a narrow range counts for what it is', async () => {
    const { token, key } = await list('Impersonal', NATIVE)
    const narrow = [...key.slice(0, 2), 100, 1, NATIVE]
    const root = key[0] === token ? ROOT.tokenFirst : ROOT.tokenSecond
    await lab.send({ from, to: manager, data: call(managerAbi, 'initialize', [narrow, root]) })
    const tick = Math.floor(Math.log(0.00004 ** (key[0] === token ? 1 : -1)) / Math.log(1.0001))
    // A thousand times the liquidity over a hundredth of a percent: virtual reserves of 20,000 coins, real ones of 1.
    const change = [tick - 1, tick + 2, LIQUIDITY * 1_000n, `0x${'0'.repeat(64)}`]
    await lab.send({ from, to: provider, data: call(gives, 'modify4', [manager, narrow, change]), value: 100n * E18 })
    const markets = (await analyse(token))?.examination.markets ?? []
    const depths = markets.map(({ fee, baseReserve }) => [fee & 0xffffff, Number(baseReserve) / 1e18] as const)
    expect(new Map(depths).get(3_000)).toBeCloseTo(20, 2)
    expect(new Map(depths).get(100)).toBeLessThan(4)
  })

  test('events are listed, the removal convicts, and locks are unknown', async () => {
    const { token, give } = await list('Impersonal', NATIVE)
    expect((await analyse(token))?.unknowns.lp_holders_locked).toBeDefined()
    await give((-LIQUIDITY * 95n) / 100n)
    const report = await analyse(token)
    expect(report?.body.liquidityEvent).toMatchObject([{ eventType: 'remove' }, { eventType: 'add' }])
    expect(report?.status).toBe('Fraud')
  })
})

describe('token locks of a V2 pair', () => {
  const deposit = parseAbi(['function lock(address,uint256,uint256,bool)'])
  const DAY = 86_400n
  let team: string
  let analyse: ContractAnalysis
  beforeAll(async () => {
    team = await deploy('DepositsStandIn')
    const v2 = base?.exchanges.find(({ kind }) => kind === 'v2')
    if (!v2) throw new Error('ETH has no V2 exchange')
    analyse = analysisWith(v2, { lockers: [{ address: team, name: 'Team Finance', kind: 'v2' }] })
  })
  const lockAt = async (locker: string, days: bigint) => {
    const token = await tokenOf('Impersonal')
    const pair = await lab.addLiquidity('ETH', from, token, 500_000n * E18, 20n * E18)
    await approve(pair, locker)
    const held = BigInt(await read(pair, `0x70a08231${pad(from)}`))
    const until = BigInt(Math.floor(Date.now() / 1_000)) + days * DAY
    await lab.send({ from, to: locker, data: call(deposit, 'lock', [pair, held, until, false]) })
    return analyse(token)
  }
  test('Team Finance tells the date to those who know the depositor', async () => {
    const report = await lockAt(team, 400n)
    expect(report?.indicators.lp_holders_locked).toBe(true)
    expect((await lockAt(team, 10n))?.indicators.lp_holders_locked).toBe(false)
  })
  test('the same code at an address nobody registered locks nothing', async () => {
    expect((await lockAt(await deploy('DepositsStandIn'), 400n))?.indicators.lp_holders_locked).toBe(false)
  })
})

test('published source is told by code; what nobody knows stays unknown', async () => {
  const analyse = analysisWith({ kind: 'v3', factory, by: 'fee', keys: [3_000] })
  expect((await analyse(weth))?.indicators.is_open_source).toBe(1)
  const router = base?.exchanges.find((exchange) => exchange.kind === 'v2')?.router ?? ''
  expect((await analyse(router))?.indicators.is_open_source).toBe(1)
  const report = await analyse(await tokenOf('Impersonal'))
  expect(report?.indicators.is_open_source).toBe(0)
  expect(report?.unknowns.is_open_source).toMatch(/no registry/)
})
