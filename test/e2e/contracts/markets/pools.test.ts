import { parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import {
  call,
  E18,
  FULL,
  gives,
  LIQUIDITY,
  LISTED,
  listedAs,
  openPools,
  type Pools,
  pad,
  word,
} from '../../../kit/contracts/markets/pools.ts'

let p: Pools
beforeAll(async () => {
  p = await openPools()
})
afterAll(() => p?.stop())

describe('V3: the factory and pools of @uniswap/v3-core', () => {
  let analyse: ContractAnalysis
  beforeAll(() => {
    analyse = p.analysisWith({ kind: 'v3', factory: p.factory, by: 'fee', keys: [500, 3_000] }, {}, { accused: true })
  })
  const list = async (name: string) => {
    const token = await p.tokenOf(name)
    const pool = await p.poolOf(token, 3_000)
    await p.send(p.provider, call(gives, 'mint3', [pool, -FULL, FULL, LIQUIDITY]))
    await p.setPool(name, token, pool)
    return { token, pool }
  }

  test.each(LISTED)('%s: is_honeypot %i, %s', async (name, honeypot, status) => {
    const { token, pool } = await list(name)
    expect(await analyse(token)).toMatchObject(listedAs(name, honeypot, status, pool))
  })

  test('the deeper of two pools counts, and a pool address stands for its token', async () => {
    const { token, pool } = await list('Impersonal')
    const deep = await p.poolOf(token, 500)
    await p.send(p.provider, call(gives, 'mint3', [deep, -887_270, 887_270, LIQUIDITY / 2n]))
    expect((await analyse(token))?.body.pairAddress).toBe(pool)
    await p.send(p.provider, call(gives, 'burn3', [pool, -FULL, FULL, (LIQUIDITY * 6n) / 10n]))
    const [byToken, byPool] = [await analyse(token), await analyse(pool)]
    expect(byToken?.body.pairAddress).toBe(deep)
    expect(byPool).toMatchObject({ token, body: { pairAddress: pool } })
  })

  test('the price is what the pool trades at, not what lies in it', async () => {
    const { token, pool } = await list('Impersonal')
    // Base coins waiting far below the price are liquidity, but no demand at it.
    const range = token < p.weth ? [-FULL, -600_000] : [600_000, FULL]
    await p.send(p.provider, call(gives, 'mint3', [pool, ...range, 10n ** 30n]))
    const report = await analyse(token)
    expect(report?.examination.market?.price).toBeCloseTo(0.00004, 8)
  })

  test('the market cap follows the deepest dollar pool of the wrapped coin', async () => {
    const { token } = await list('Impersonal')
    const dollar = await p.tokenOf('Plain')
    const [wrapped] = p.registry.bases
    if (!wrapped) throw new Error('ETH has no wrapped coin')
    const bases = [wrapped, { address: dollar, symbol: 'usd', decimals: 18, stable: true }]
    const pool = await p.poolOf(dollar, 500)
    await p.send(p.provider, call(gives, 'mint3', [pool, -887_270, 887_270, LIQUIDITY]))
    const priced = p.analysisWith({ kind: 'v3', factory: p.factory, by: 'fee', keys: [500, 3_000] }, { bases })
    // 0.00004 coins for a token, 25,000 dollars for a coin, a million tokens.
    expect((await priced(token))?.indicators.market_cap).toBeCloseTo(1_000_000, -3)
  })

  test('adding, swapping and removing: events newest first, and the removal convicts', async () => {
    const { token, pool } = await list('Impersonal')
    await p.send(p.provider, call(gives, 'swap3', [pool, p.weth < token, E18]))
    await p.send(p.provider, call(gives, 'burn3', [pool, -FULL, FULL, (LIQUIDITY * 95n) / 100n]))
    const report = await analyse(token)
    expect(report?.body.liquidityEvent).toMatchObject([
      { eventType: 'remove', token: 'weth', from_address: p.from.toLowerCase() },
      { eventType: 'add', token: 'weth' },
    ])
    expect(report?.reasons.fraud.map(({ code }) => code)).toContain('liquidity_removed')
    expect(report?.status).toBe('Fraud')
  })

  test('pools named by tick spacing, as Slipstream names them', async () => {
    const { token, pool } = await list('Honeypot')
    const spacings = await p.deploy('SpacingFactoryStandIn')
    const set = parseAbi(['function set(address,address,int24,address)'])
    await p.send(spacings, call(set, 'set', [token, p.weth, 200, pool]))
    const report = await p.analysisWith({ kind: 'v3', factory: spacings, by: 'spacing', keys: [1, 200] })(token)
    expect(report).toMatchObject({ body: { pairAddress: pool }, indicators: { is_honeypot: 1 } })
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
    exchange = await p.deploy('SolidlyFactoryStandIn')
    analyse = p.analysisWith({ kind: 'solidly', factory: exchange }, {}, { accused: true })
  })
  const list = async (name: string, stable = false) => {
    const token = await p.tokenOf(name)
    await p.send(exchange, call(factoryAbi, 'createPool', [token, p.weth, stable]))
    const pool = await p.addressFrom(exchange, call(factoryAbi, 'getPool', [token, p.weth, stable]))
    await p.send(token, `0xa9059cbb${pad(pool)}${word(500_000n * E18)}`)
    await p.send(p.weth, `0xa9059cbb${pad(pool)}${word(20n * E18)}`)
    await p.send(pool, `0x6a627842${pad(p.from)}`)
    await p.setPool(name, token, pool)
    return { token, pool }
  }

  test.each(LISTED)('%s: is_honeypot %i, %s', async (name, honeypot, status) => {
    const { token, pool } = await list(name)
    const report = await analyse(token)
    expect(report?.body.pairAddress).toBe(pool)
    expect(report?.indicators).toMatchObject({ is_honeypot: honeypot, liquidity: 20, is_in_dex: 1, cannot_buy: 0 })
    expect(report?.status).toBe(status)
    expect(report?.honeypot.verdict).toBe(name === 'Honeypot' ? 'trap' : 'sells')
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
    const held = BigInt(await p.read(pool, `0x70a08231${pad(p.from)}`))
    await p.send(pool, `0xa9059cbb${pad(pool)}${word((held * 95n) / 100n)}`)
    await p.send(pool, `0x89afcb44${pad(p.from)}`)
    const report = await analyse(token)
    expect(report?.body.liquidityEvent).toMatchObject([{ eventType: 'remove' }, { eventType: 'add', amount: 20 }])
    expect(report?.status).toBe('Fraud')
  })
})

test('published source is told by code; what nobody knows stays unknown', async () => {
  const analyse = p.analysisWith({ kind: 'v3', factory: p.factory, by: 'fee', keys: [3_000] })
  expect((await analyse(p.weth))?.indicators.is_open_source).toBe(1)
  const router = p.registry.exchanges.find((exchange) => exchange.kind === 'v2')?.router ?? ''
  expect((await analyse(router))?.indicators.is_open_source).toBe(1)
  const report = await analyse(await p.tokenOf('Impersonal'))
  expect(report?.indicators.is_open_source).toBe(0)
  expect(report?.unknowns.is_open_source).toMatch(/no registry/)
})

test('a published source names contracts that state no name, and no token that states one', async () => {
  const exchange = { kind: 'v3', factory: p.factory, by: 'fee', keys: [3_000] } as const
  const published = { published: true, name: 'Vault', evidence: 'published' }
  const analyse = p.analysisWith(exchange, {}, { sources: { lookup: async () => published } })
  const nameless = await analyse(p.provider)
  expect(nameless?.body).toMatchObject({ forensic_details: { contract_name: 'Vault' } })
  const named = await analyse(await p.tokenOf('Impersonal'))
  expect(named?.body).toMatchObject({ forensic_details: { contract_name: expect.not.stringMatching(/^(Vault)?$/) } })
})
