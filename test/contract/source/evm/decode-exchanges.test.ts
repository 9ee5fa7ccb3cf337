/** Exchanges whose pools hold more than two coins, or keep them in one vault: PancakeSwap Infinity, Curve, Balancer. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/evm/decode/index.ts'
import { type RawBlock, rawHeader, rawReceipt } from '../../../../indexer/source/evm/raw.ts'
import { fromCallTracer } from '../../../../indexer/source/evm/traces.ts'
import type { Network } from '../../../../schema/networks.ts'
import { poolOfPair } from '../../../../schema/pairs.ts'
import { type DexFactory, EVENTS, registryOf } from '../../../../schema/registry/index.ts'
import {
  A,
  all,
  B,
  BIG,
  blockOf,
  C,
  decodeCounted,
  encodeLog,
  FIXTURES,
  haveFixtures,
  ID,
  type LogSpec,
  none,
  one,
  SENDER,
  TOKEN,
  ZERO,
} from './decode.helpers.ts'

const registered = (network: Network, kind: DexFactory['kind']): string =>
  [...registryOf(network).dexFactories.values()].find((factory) => factory.kind === kind)?.address ?? ''
const CL = registered('BNB', 'infinity-cl')
const BIN = registered('BNB', 'infinity-bin')
const FACTORY = registered('ETH', 'curve')
const V2 = registered('ETH', 'balancer-v2')
const V3 = registered('ETH', 'balancer-v3')
const NATIVE = `0x${'e'.repeat(40)}`
const swapped = { initiator: SENDER, amount0: '5', amount1: '-4', factory: '', token0: '', token1: '' }

describe('PancakeSwap Infinity', () => {
  const initialize = 'event Initialize(bytes32 indexed, address indexed, address indexed, address, uint24, bytes32'
  const pool = { pool: ID, token0: '', token1: B, fee: 67 }

  test('pools of both managers are IDs with hooks, and the native coin is the empty asset', () => {
    const cl = encodeLog(CL, `${initialize}, uint160, int24)`, [ID, ZERO, B, C, 67, ID, 1n, -5])
    expect(one('pools', cl, 'BNB')).toEqual({ ...pool, factory: CL, kind: 'infinity-cl', hooks: C })
    const bin = encodeLog(BIN, `${initialize}, uint24)`, [ID, ZERO, B, ZERO, 67, ID, 8_388_608])
    expect(one('pools', bin, 'BASE')).toEqual({ ...pool, factory: BIN, kind: 'infinity-bin', hooks: '' })
  })

  test('swaps are turned to the pool view', () => {
    const row = { ...swapped, pool: ID, sender: A, recipient: A }
    const cl = 'event Swap(bytes32 indexed, address indexed, int128, int128, uint160, uint128, int24, uint24, uint16)'
    expect(one('swaps', encodeLog(CL, cl, [ID, A, -5n, 4n, 1n, 1n, -1, 67, 9]), 'BNB')).toEqual(row)
    const bin = 'event Swap(bytes32 indexed, address indexed, int128, int128, uint24, uint24, uint16)'
    expect(one('swaps', encodeLog(BIN, bin, [ID, A, -5n, 4n, 8_388_608, 67, 9]), 'BASE')).toEqual(row)
  })

  test('liquidity of bins is the sum of both halves, that of ranges has no amounts', () => {
    const packed = (low: bigint, high: bigint) => `0x${((high << 128n) | low).toString(16).padStart(64, '0')}`
    const amounts = [packed(1n, 2n), packed(10n, 2n ** 128n - 1n)]
    const mint = 'event Mint(bytes32 indexed, address indexed, uint256[], bytes32, bytes32[], bytes32, bytes32)'
    const burn = 'event Burn(bytes32 indexed, address indexed, uint256[], bytes32, bytes32[])'
    const row = { pool: ID, provider: SENDER, owner: A, amount0: '11', amount1: `${2n ** 128n + 1n}`, liquidity: '0' }
    expect(one('liquidity', encodeLog(BIN, mint, [ID, A, [7n, 8n], ID, amounts, ID, ID]), 'BNB')).toEqual({
      ...row,
      event: 'add',
    })
    expect(one('liquidity', encodeLog(BIN, burn, [ID, A, [7n, 8n], ID, amounts]), 'BNB')).toEqual({
      ...row,
      event: 'remove',
    })
    const modify = 'event ModifyLiquidity(bytes32 indexed, address indexed, int24, int24, int256, bytes32)'
    expect(one('liquidity', encodeLog(CL, modify, [ID, A, -1, 1, 7n, ID]), 'BNB')).toEqual({
      ...{ pool: ID, event: 'add', provider: SENDER, owner: A, amount0: '0', amount1: '0', liquidity: '7' },
    })
  })

  test('ignores logs of other contracts, of the other manager and of other networks', () => {
    const swap = 'event Swap(bytes32 indexed, address indexed, int128, int128, uint24, uint24, uint16)'
    const log = encodeLog(BIN, swap, [ID, A, -5n, 4n, 1, 67, 9])
    for (const address of [TOKEN, CL]) expect(none({ ...log, address }, 'BNB')).toBe(0)
    expect(none(log, 'ETH')).toBe(0)
    const cl = encodeLog(TOKEN, `${initialize}, uint160, int24)`, [ID, A, B, C, 67, ID, 1n, -5])
    expect(none(cl, 'BNB')).toBe(0)
    const burn = encodeLog(BIN, 'event Burn(bytes32 indexed, address indexed, uint256[], bytes32, bytes32[])', [
      ...[ID, A, [7n], ID, [ID]],
    ])
    // The list announces more than there is.
    expect(none({ ...burn, data: burn.data.slice(0, -64) }, 'BNB')).toBe(1)
  })
})

describe('Curve', () => {
  const stable = 'event TokenExchange(address indexed, int128, uint256, int128, uint256)'
  const crypto = 'event TokenExchange(address indexed, uint256, uint256, uint256, uint256'

  test.each([
    [stable, [A, 0n, 5n, 1n, 4n]],
    [stable.replace('Exchange', 'ExchangeUnderlying'), [A, 0n, 5n, 1n, 4n]],
    [`${crypto})`, [A, 0n, 5n, 1n, 4n]],
    [`${crypto}, uint256, uint256)`, [A, 0n, 5n, 1n, 4n, 9n, 9n]],
  ])('%s', (signature, args) => {
    const row = { ...swapped, pool: TOKEN, sender: A, recipient: A }
    expect(one('swaps', encodeLog(TOKEN, signature, args))).toEqual(row)
    const [buyer, , paid, , got, ...more] = args
    const back = encodeLog(TOKEN, signature, [buyer, 1n, paid, 0n, got, ...more])
    expect(one('swaps', back)).toEqual({ ...row, amount0: '-4', amount1: '5' })
  })

  test.each([
    ['a coin is bought with itself', [A, 1n, 5n, 1n, 4n]],
    ['no pool has so many coins', [A, 0n, 5n, 9n, 4n]],
    ['the number of a coin is below nothing', [A, -1n, 5n, 1n, 4n]],
    ['no column holds the amount', [A, 0n, BIG, 1n, 4n]],
  ])('%s: malformed', (_, args) => {
    expect(none(encodeLog(TOKEN, stable, args))).toBe(1)
  })

  const both = { provider: SENDER, owner: A, pool: TOKEN, amount0: '5', amount1: '4', liquidity: '0' }
  test.each([
    ['add', 'AddLiquidity(address indexed, uint256[2], uint256[2], uint256, uint256)', [[5n, 4n], [1n, 1n], 9n, 9n]],
    ['add', 'AddLiquidity(address indexed, uint256[], uint256[], uint256, uint256)', [[5n, 4n], [1n, 1n], 9n, 9n]],
    ['add', 'AddLiquidity(address indexed, uint256[2], uint256, uint256)', [[5n, 4n], 9n, 9n]],
    ['add', 'AddLiquidity(address indexed, uint256[2], uint256, uint256, uint256)', [[5n, 4n], 9n, 9n, 9n]],
    ['remove', 'RemoveLiquidity(address indexed, uint256[2], uint256[2], uint256)', [[5n, 4n], [1n, 1n], 9n]],
    ['remove', 'RemoveLiquidity(address indexed, uint256[], uint256[], uint256)', [[5n, 4n], [], 9n]],
    ['remove', 'RemoveLiquidity(address indexed, uint256[2], uint256)', [[5n, 4n], 9n]],
    [
      'remove',
      'RemoveLiquidityImbalance(address indexed, uint256[2], uint256[2], uint256, uint256)',
      [[5n, 4n], [1n, 1n], 9n, 9n],
    ],
    [
      'remove',
      'RemoveLiquidityImbalance(address indexed, uint256[], uint256[], uint256, uint256)',
      [[5n, 4n], [1n, 1n], 9n, 9n],
    ],
  ])('%s: %s', (event, signature, args) => {
    expect(one('liquidity', encodeLog(TOKEN, `event ${signature}`, [A, ...args]))).toEqual({ ...both, event })
  })

  test.each([
    ['of an old stable pool, which does not name the coin', 'uint256, uint256, uint256)', [9n, 400n, 77n], '0', '0'],
    ['of a stable pool', 'int128, uint256, uint256, uint256)', [0n, 9n, 4n, 77n], '4', '0'],
    ['of a crypto pool', 'uint256, uint256, uint256, uint256, uint256)', [9n, 0n, 4n, 1n, 1n], '4', '0'],
  ])('removal of one coin %s', (_, types, args, amount0, amount1) => {
    const log = encodeLog(TOKEN, `event RemoveLiquidityOne(address indexed, ${types}`, [A, ...args])
    const [pair] = all('liquidity', log)
    expect(pair).toEqual({ ...both, event: 'remove', amount0, amount1 })
  })

  const one3 = 'event RemoveLiquidityOne(address indexed, uint256, uint256, uint256)'
  const paid = (from: string, amount: bigint) =>
    encodeLog(B, 'event Transfer(address indexed, address indexed, uint256)', [from, A, amount])
  test.each([
    ['the second of a crypto pool', [9n, 1n, 4n], [paid(TOKEN, 7n), paid(TOKEN, 4n), paid(C, 7n)], '4'],
    [
      'a few base units of a stable pool, which states its supply',
      [9n, 1n, 4n],
      [paid(TOKEN, 4n), paid(TOKEN, 1n)],
      '0',
    ],
    ['what nobody saw leave the pool', [9n, 1n, 4n], [paid(C, 4n)], '0'],
  ])('removal of one coin whose index may be the amount: %s', (_, args, before, amount1) => {
    const logs = [...before, encodeLog(TOKEN, one3, [A, ...args])]
    const [row] = decodeBlock('ETH', blockOf(logs)).rows.liquidity
    expect(row).toMatchObject({ ...both, event: 'remove', amount0: '0', amount1 })
  })

  test('the payment of one coin may be native, and comes directly before the event', () => {
    const event = encodeLog(TOKEN, one3, [A, 9n, 0n, 4n])
    const many = Array.from({ length: 40 }, () => paid(C, 1n))
    const amounts = (raw: RawBlock) => decodeBlock('ETH', raw).rows.liquidity.map(({ amount0 }) => amount0)
    expect(amounts(blockOf([paid(TOKEN, 4n), event]))).toEqual(['4', '4', '4'])
    expect(amounts(blockOf([paid(TOKEN, 4n), ...many, event]))).toEqual(['0'])
    const raw = blockOf([event])
    const call = { type: 'CALL', from: TOKEN, to: A, value: '0x4', input: '0x', output: '0x' }
    const root = { type: 'CALL', from: SENDER, to: TOKEN, value: '0x0', input: '0x', output: '0x', calls: [call] }
    const hash = raw.block.transactions[0]?.hash ?? ''
    expect(amounts({ ...raw, traces: fromCallTracer([{ result: root }], [hash]) })).toEqual(['4', '4', '4'])
  })

  test('the removal of one coin changes every pair it may belong to', () => {
    const one = 'event RemoveLiquidityOne(address indexed, int128, uint256, uint256, uint256)'
    const row = { ...both, event: 'remove', amount0: '0', amount1: '4' }
    expect(all('liquidity', encodeLog(TOKEN, one, [A, 2n, 9n, 4n, 77n]))).toEqual([
      { ...row, pool: `${TOKEN}:0:2` },
      { ...row, pool: `${TOKEN}:1:2` },
      { ...row, pool: `${TOKEN}:2:3`, amount0: '4', amount1: '0' },
    ])
  })

  test.each([
    ['add', 'AddLiquidity(address indexed, uint256[3], uint256[3], uint256, uint256)', [[1n, 1n, 1n], 9n, 9n]],
    ['add', 'AddLiquidity(address indexed, uint256[], uint256[], uint256, uint256)', [[1n, 1n, 1n], 9n, 9n]],
    ['add', 'AddLiquidity(address indexed, uint256[3], uint256, uint256)', [9n, 9n]],
    ['add', 'AddLiquidity(address indexed, uint256[3], uint256, uint256, uint256)', [9n, 9n, 9n]],
    ['remove', 'RemoveLiquidity(address indexed, uint256[3], uint256[3], uint256)', [[1n, 1n, 1n], 9n]],
    ['remove', 'RemoveLiquidity(address indexed, uint256[3], uint256)', [9n]],
    [
      'remove',
      'RemoveLiquidityImbalance(address indexed, uint256[3], uint256[3], uint256, uint256)',
      [[1n, 1n, 1n], 9n, 9n],
    ],
  ])('three coins change three pairs: %s, %s', (event, signature, more) => {
    const log = encodeLog(TOKEN, `event ${signature}`, [A, [5n, 4n, 3n], ...more])
    expect(all('liquidity', log)).toEqual([
      { ...both, event },
      { ...both, event, pool: `${TOKEN}:0:2`, amount1: '3' },
      { ...both, event, pool: `${TOKEN}:1:2`, amount0: '4', amount1: '3' },
    ])
  })

  test.each([
    ['add', 'AddLiquidity(address indexed, uint256[4], uint256[4], uint256, uint256)', [9n, 9n]],
    ['remove', 'RemoveLiquidity(address indexed, uint256[4], uint256[4], uint256)', [9n]],
    ['remove', 'RemoveLiquidityImbalance(address indexed, uint256[4], uint256[4], uint256, uint256)', [9n, 9n]],
  ])('four coins change six pairs: %s, %s', (event, signature, more) => {
    const four = [5n, 4n, 3n, 2n]
    const rows = all('liquidity', encodeLog(TOKEN, `event ${signature}`, [A, four, four, ...more]))
    expect(rows).toHaveLength(6)
    expect(rows.at(-1)).toEqual({ ...both, event, pool: `${TOKEN}:2:3`, amount0: '3', amount1: '2' })
  })

  test('a swap in a pool of more coins belongs to its pair', () => {
    const row = { ...swapped, sender: A, recipient: A }
    expect(one('swaps', encodeLog(TOKEN, stable, [A, 0n, 5n, 2n, 4n]))).toEqual({ ...row, pool: `${TOKEN}:0:2` })
    expect(one('swaps', encodeLog(TOKEN, stable, [A, 2n, 4n, 1n, 5n]))).toEqual({
      ...{ ...row, pool: `${TOKEN}:1:2`, amount0: '-5', amount1: '4' },
    })
  })

  test('more coins than are followed leave no row', () => {
    const list = 'event AddLiquidity(address indexed, uint256[], uint256[], uint256, uint256)'
    const five = [5n, 4n, 3n, 2n, 1n]
    expect(none(encodeLog(TOKEN, list, [A, five, five, 9n, 9n]))).toBe(0)
  })

  const plain = 'event PlainPoolDeployed(address[4], uint256, uint256, address)'
  const plainNg = 'event PlainPoolDeployed(address[], uint256, uint256, address)'
  const cryptoPool = `event CryptoPoolDeployed(address, address[2], ${'uint256, '.repeat(10)}address)`
  const twocrypto =
    'event TwocryptoPoolDeployed(address, string, string, address[2], address, bytes32, uint256[2], uint256, uint256, uint256, uint256, address)'

  /** Pools of a transaction in which the factory created a share token and a pool, with traces. */
  const poolsOf = (log: LogSpec, creator = FACTORY) => {
    const frame = (path: string, to: string) => ({
      ...{ txIndex: 0, path, depth: 1, type: 'create', from: creator, to, value: '0x0', error: false, input: '0x' },
    })
    const raw = blockOf([log])
    const traces = [frame('0', B), frame('1', C)] as unknown as NonNullable<RawBlock['traces']>
    const { block, malformed } = decodeCounted('ETH', { ...raw, traces })
    expect(malformed).toBe(0)
    return block.rows.pools.map(({ pool, kind, factory, token0, token1, fee }) => {
      return { pool, kind, factory, token0, token1, fee }
    })
  }

  test('the pool is the contract the factory created in the transaction if the event does not name it', () => {
    const pool = { pool: C, kind: 'curve', factory: FACTORY, token0: A, token1: TOKEN, fee: 0 }
    expect(poolsOf(encodeLog(FACTORY, plain, [[A, TOKEN, ZERO, ZERO], 100n, 4_000_000n, A]))).toEqual([
      { ...pool, fee: 400 },
    ])
    expect(poolsOf(encodeLog(FACTORY, plainNg, [[NATIVE, TOKEN], 100n, 4_000_000n, A]))).toEqual([
      { ...pool, token0: '', fee: 400 },
    ])
    // The newest creation is its share token here.
    const numbers = Array.from({ length: 10 }, () => 1n)
    expect(poolsOf(encodeLog(FACTORY, cryptoPool, [C, [A, TOKEN], ...numbers, A]))).toEqual([{ ...pool, pool: B }])
  })

  test('a pool that is named needs no traces', () => {
    const args = [C, 'Name', 'SYM', [A, TOKEN], A, ID, [1n, 1n], 1n, 1n, 1n, 1n, A]
    expect(one('pools', encodeLog(FACTORY, twocrypto, args))).toEqual({
      ...{ pool: C, kind: 'curve', factory: FACTORY, token0: A, token1: TOKEN, fee: 0, hooks: '' },
    })
    expect(none(encodeLog(TOKEN, twocrypto, args))).toBe(0)
  })

  test('a pool of three coins gives three pairs', () => {
    const pool = { pool: C, kind: 'curve', factory: FACTORY, token0: A, token1: TOKEN, fee: 400 }
    const three = [
      pool,
      { ...pool, pool: `${C}:0:2`, token1: B },
      { ...pool, pool: `${C}:1:2`, token0: TOKEN, token1: B },
    ]
    expect(poolsOf(encodeLog(FACTORY, plain, [[A, TOKEN, B, ZERO], 100n, 4_000_000n, A]))).toEqual(three)
    expect(poolsOf(encodeLog(FACTORY, plainNg, [[A, TOKEN, B], 100n, 4_000_000n, A]))).toEqual(three)
    const tricrypto = `event TricryptoPoolDeployed(address, string, string, address, address[3], address, bytes32, ${'uint256, '.repeat(5)}address)`
    const args = [C, 'Name', 'SYM', A, [A, TOKEN, B], A, ID, 1n, 1n, 1n, 1n, 1n, A]
    expect(poolsOf(encodeLog(FACTORY, tricrypto, args))).toEqual(three.map((pair) => ({ ...pair, fee: 0 })))
    expect(none(encodeLog(TOKEN, tricrypto, args))).toBe(0)
  })

  test('ignores pools of five coins, of other contracts, and without a visible contract', () => {
    expect(poolsOf(encodeLog(FACTORY, plainNg, [[A, TOKEN, B, C, SENDER], 100n, 4_000_000n, A]))).toEqual([])
    expect(poolsOf(encodeLog(TOKEN, plainNg, [[A, TOKEN], 100n, 4_000_000n, A]))).toEqual([])
    expect(poolsOf(encodeLog(FACTORY, plainNg, [[A, TOKEN], 100n, 4_000_000n, A]), TOKEN)).toEqual([])
    expect(none(encodeLog(FACTORY, plainNg, [[A, TOKEN], 100n, 4_000_000n, A]))).toBe(0)
    expect(none(encodeLog(FACTORY, plainNg, [[A], 100n, 4_000_000n, A]))).toBe(1)
  })
})

describe('Balancer', () => {
  const swap = 'event Swap(bytes32 indexed, address indexed, address indexed, uint256, uint256)'
  const swapV3 = 'event Swap(address indexed, address indexed, address indexed, uint256, uint256, uint256, uint256)'

  test('a swap has its tokens and the vault, with amounts in the order of the tokens', () => {
    const row = { ...swapped, pool: ID, sender: '', recipient: '', factory: V2, token0: A, token1: B }
    expect(one('swaps', encodeLog(V2, swap, [ID, A, B, 5n, 4n]))).toEqual(row)
    expect(one('swaps', encodeLog(V2, swap, [ID, B, A, 4n, 5n]))).toEqual({ ...row, amount0: '-5', amount1: '4' })
    expect(one('swaps', encodeLog(V2, swap, [ID, TOKEN, B, 5n, 4n]))).toMatchObject(
      TOKEN < B ? { token0: TOKEN, amount0: '5' } : { token1: TOKEN, amount1: '5' },
    )
    expect(one('swaps', encodeLog(V3, swapV3, [C, A, B, 5n, 4n, 1n, 1n]))).toEqual({ ...row, pool: C, factory: V3 })
    expect(one('swaps', encodeLog(V3, swapV3, [C, B, A, 5n, 0n, 1n, 1n]))).toEqual({
      ...{ ...row, pool: C, factory: V3, amount0: '0', amount1: '5' },
    })
  })

  test('ignores logs of other contracts, of the other vault and of other networks', () => {
    const log = encodeLog(V2, swap, [ID, A, B, 5n, 4n])
    for (const address of [TOKEN, V3]) expect(none({ ...log, address })).toBe(0)
    expect(none(encodeLog(V3, swapV3, [C, A, B, 5n, 4n, 1n, 1n]), 'POLYGON')).toBe(0)
    expect(none(encodeLog(V2, swap, [ID, A, B, BIG, 4n]))).toBe(1)
    expect(none(encodeLog(V2, swap, [ID, A, A, 5n, 4n]))).toBe(1)
  })

  test('reads pools of two tokens, with fee and hook if the vault reports them', () => {
    const tokens = 'event TokensRegistered(bytes32 indexed, address[], address[])'
    const pool = { token0: A, token1: B, factory: V2, kind: 'balancer-v2', pool: ID, fee: 0, hooks: '' }
    expect(one('pools', encodeLog(V2, tokens, [ID, [A, B], [ZERO, ZERO]]))).toEqual(pool)
    const three = [
      { ...pool, pool: `${ID}:0:1` },
      { ...pool, pool: `${ID}:0:2`, token1: C },
      { ...pool, pool: `${ID}:1:2`, token0: B, token1: C },
    ]
    expect(all('pools', encodeLog(V2, tokens, [ID, [A, B, C], [ZERO, ZERO, ZERO]]))).toEqual(three)
    // A pool's own token is not traded against.
    const own = `${B}${ID.slice(42)}`
    expect(all('pools', encodeLog(V2, tokens, [own, [A, B, C], [ZERO, ZERO, ZERO]]))).toEqual([
      { ...pool, pool: `${own}:0:2`, token1: C },
    ])
    expect(none(encodeLog(TOKEN, tokens, [ID, [A, B], [ZERO, ZERO]]))).toBe(0)

    const flags = (count: number) => `(${Array(count).fill('bool').join(', ')}`
    const registration = `event PoolRegistered(address indexed, address indexed, (address, uint8, address, bool)[], uint256, uint32, (address, address, address), ${flags(10)}, address), ${flags(4)}))`
    const described = (token: string) => [token, 1, ZERO, true]
    const args = (list: string[], hook: string) => [
      ...[C, A, list.map(described), 3_000_000_000_000_000n, 9, [A, A, A]],
      ...[
        [...Array(10).fill(true), hook],
        [true, true, true, true],
      ],
    ]
    expect(one('pools', encodeLog(V3, registration, args([A, B], TOKEN)))).toEqual({
      ...{ ...pool, factory: V3, kind: 'balancer-v3', pool: C, fee: 3_000, hooks: TOKEN },
    })
    expect(one('pools', encodeLog(V3, registration, args([A, B], ZERO)))).toMatchObject({ hooks: '' })
    expect(all('pools', encodeLog(V3, registration, args([A, B, TOKEN], ZERO)))).toMatchObject([
      { pool: `${C}:0:1`, token0: A, token1: B },
      { pool: `${C}:0:2`, token0: A, token1: TOKEN },
      { pool: `${C}:1:2`, token0: B, token1: TOKEN },
    ])
  })

  test('liquidity of two-token pools has both amounts', () => {
    const changed = 'event PoolBalanceChanged(bytes32 indexed, address indexed, address[], int256[], uint256[])'
    const row = { pool: ID, provider: SENDER, owner: A, amount0: '5', amount1: '4', liquidity: '0' }
    const fees = [0n, 0n]
    expect(one('liquidity', encodeLog(V2, changed, [ID, A, [A, B], [5n, 4n], fees]))).toEqual({ ...row, event: 'add' })
    expect(one('liquidity', encodeLog(V2, changed, [ID, A, [A, B], [-5n, 0n], fees]))).toEqual({
      ...{ ...row, event: 'remove', amount1: '0' },
    })
    expect(none(encodeLog(V2, changed, [ID, A, [A, B], [0n, 0n], fees]))).toBe(0)
    expect(all('liquidity', encodeLog(V2, changed, [ID, A, [A, B, C], [0n, 0n, -3n], [0n, 0n, 0n]]))).toEqual([
      { ...row, event: 'remove', pool: `${ID}:0:2`, amount0: '0', amount1: '3' },
      { ...row, event: 'remove', pool: `${ID}:1:2`, amount0: '0', amount1: '3' },
    ])
    for (const [event, name] of [
      ['add', 'LiquidityAdded'],
      ['remove', 'LiquidityRemoved'],
    ]) {
      const v3 = `event ${name}(address indexed, address indexed, uint8 indexed, uint256, uint256[], uint256[])`
      expect(one('liquidity', encodeLog(V3, v3, [C, A, 1, 9n, [5n, 4n], fees]))).toEqual({ ...row, pool: C, event })
      expect(all('liquidity', encodeLog(V3, v3, [C, A, 1, 9n, [5n, 4n, 3n], [0n, 0n, 0n]]))).toEqual([
        { ...row, pool: `${C}:0:1`, event },
        { ...row, pool: `${C}:0:2`, event, amount1: '3' },
        { ...row, pool: `${C}:1:2`, event, amount0: '4', amount1: '3' },
      ])
    }
  })
})

/** Recorded transactions with such swaps: network, receipt, how many, pool and amounts as the pool sees them. */
const RECORDED: [Network, string, string, number][] = [
  ['ETH', 'ethereum', '0xd62b7eaabc11e85eed8b12d3b92f7524cf1921d4736de256dc00332590743595', 1],
  ['ETH', 'ethereum', '0x47307e4efcb6b8b0a71e3e9b937b4e81235949fde189dd09939767720e356071', 1],
  ['ETH', 'ethereum', '0x5c36bcfa67d3306a3fe21203b7279e589d26c9925d055b3174ac259b262345f3', 1],
  ['BNB', 'bnb', '0x79bda33cfae80c8d7b26def223f409e54cfddc33ec7e009523fb5bc708e85042', 1],
  ['POLYGON', 'polygon', '0xfd32220a3dfad3a74b0e172b88f0052670cd60b72f4b0cf19ded4a4145ba4a2b', 1],
  ['BASE', 'base', '0x552ccefc137388007e6e6299f2c93f94852ca7bf838b2385b4f6f21cf1009bd3', 2],
  ['BASE', 'base', '0x6fee2438337aefe297a69d4361ff4d743865ef7fce6637e9e3e544af0c19184f', 2],
  ['BASE', 'base', '0x72e4c09bd07884df800dea65063b5a2cff22ec697f5644bb17dea14db5cb99e1', 1],
  ['BASE', 'base', '0xbffb6bd2994f90676be45db667203317f0f70afb4eaa3832271e02e8dffb8101', 4],
  ['BASE', 'base', '0xe8551212a0bb6f59a38883161ec11393f03ba6e8f2f71e8d3c41df0bfe0a71c6', 1],
]
/** What was sold here came as value of the call, which no receipt holds. */
const PAID_IN_COIN = ['0x6e53131f68a034873b6bfa15502af094ef0c5854']
/** Pools that logged an exchange of Curve. */
const exchanges = (logs: readonly { address: string; topics: readonly string[] }[]): string[] =>
  logs
    .filter(({ topics }) =>
      [EVENTS.curveExchange, EVENTS.curveCryptoExchange, EVENTS.curveCryptoExchangeNg].some(
        ({ topic }) => topic === topics[0],
      ),
    )
    .map(({ address }) => address.toLowerCase())
const path = (folder: string, hash: string) => join(FIXTURES, folder, `eth_getTransactionReceipt_${hash}.json`)

test.each(haveFixtures ? RECORDED.filter(([, folder, hash]) => existsSync(path(folder, hash))) : [])(
  '%s, recorded in %s %s: swaps match the transfers of the tokens',
  (network, folder, hash, count) => {
    const answer = JSON.parse(readFileSync(path(folder, hash), 'utf8'))
    const receipt = rawReceipt.parse(answer.result ?? answer)
    const number = (answer.result ?? answer).blockNumber
    const block = rawHeader.parse({ number, hash, parentHash: hash, timestamp: '0x0', transactions: [] })
    const { rows } = decodeBlock(network, { ...blockOf([]), block, receipts: [receipt] })
    const vaults = [...registryOf(network).dexFactories.values()]
      .filter(({ kind }) => kind.startsWith('balancer'))
      .map(({ address }) => address)
    // Curve's events name their buyer alone, Balancer's nobody.
    const swaps = rows.swaps.map((row) => ({ ...row, pool: poolOfPair(row.pool).pool }))
    const others = swaps.filter(({ pool, sender }) => sender === '' || exchanges(receipt.logs).includes(pool))
    expect(others.length).toBe(count)
    const moved = rows.ledger.filter(({ direction }) => direction === 1)
    for (const { pool, sender, amount0, amount1 } of others) {
      const [paid = '', got = ''] = amount0.startsWith('-') ? [amount1, amount0.slice(1)] : [amount0, amount1.slice(1)]
      expect(amount0.startsWith('-')).not.toBe(amount1.startsWith('-'))
      if (sender === '') continue
      // A pool of Curve holds its coins itself.
      const inReceipt = moved.some(({ address, amount }) => address === pool && amount === paid)
      expect(inReceipt).toBe(!PAID_IN_COIN.includes(pool))
      expect(moved.some(({ counterparty, amount }) => counterparty === pool && amount === got)).toBe(true)
    }
    // A vault pays out what several swaps leave over: what came in first and went out last is among its movements.
    const ofVault = others.filter(({ sender }) => sender === '')
    const between = moved.filter(({ address, counterparty }) =>
      [address, counterparty].some((at) => vaults.includes(at)),
    )
    const amounts = ofVault.flatMap(({ amount0, amount1 }) => [amount0, amount1].map((one) => one.replace('-', '')))
    if (ofVault.length > 0) expect(between.some(({ amount }) => amounts.includes(amount))).toBe(true)
  },
)
