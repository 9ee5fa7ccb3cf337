import { describe, expect, test } from 'vitest'
import { PERMIT2, registryOf, wrappedNative } from '../../../../schema/registry/index.ts'
import { A, B, BIG, C, encodeLog, ID, none, one, rowsOf, SENDER, TOKEN, V4, ZERO } from './decode.helpers.ts'

describe('movements', () => {
  const side = { address: A, counterparty: B, direction: -1, asset: TOKEN, initiator: SENDER }

  test.each([
    [
      'ERC-20',
      'event Transfer(address indexed, address indexed, uint256)',
      [A, B, BIG],
      { kind: 'fungible', token_id: '0', amount: `${BIG}` },
    ],
    [
      'ERC-20, nothing indexed',
      'event Transfer(address, address, uint256)',
      [A, B, 0n],
      { kind: 'fungible', token_id: '0', amount: '0' },
    ],
    [
      'ERC-721',
      'event Transfer(address indexed, address indexed, uint256 indexed)',
      [A, B, 7n],
      { kind: 'nft', token_id: '7', amount: '1' },
    ],
    [
      'ERC-1155',
      'event TransferSingle(address indexed, address indexed, address indexed, uint256, uint256)',
      [C, A, B, BIG, 5n],
      { kind: 'multi', token_id: `${BIG}`, amount: '5' },
    ],
  ])('%s', (_, signature, args, own) => {
    const { rows, malformed } = rowsOf('ledger', [encodeLog(TOKEN, signature, args)])
    expect(malformed).toBe(0)
    const other = { ...side, address: B, counterparty: A, direction: 1 }
    expect(rows).toEqual([
      { ...side, ...own },
      { ...other, ...own },
    ])
  })

  test('ERC-1155 batches: an ID named twice is one transfer of the sum', () => {
    const log = encodeLog(
      TOKEN,
      'event TransferBatch(address indexed, address indexed, address indexed, uint256[], uint256[])',
      [C, A, B, [1n, 2n, 1n], [10n, 20n, 30n]],
    )
    const { rows } = rowsOf('ledger', [log])
    expect(rows.map(({ token_id, amount, direction }) => [token_id, amount, direction])).toEqual([
      ['1', '40', -1],
      ['1', '40', 1],
      ['2', '20', -1],
      ['2', '20', 1],
    ])
  })

  test('a movement to oneself gives two rows', () => {
    const log = encodeLog(TOKEN, 'event Transfer(address indexed, address indexed, uint256)', [A, A, 1n])
    const { rows } = rowsOf('ledger', [log])
    expect(rows.map(({ address, counterparty, direction }) => [address, counterparty, direction])).toEqual([
      [A, A, -1],
      [A, A, 1],
    ])
  })

  test.each(['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ'] as const)('%s: only the wrapped native coin wraps', (network) => {
    const weth = wrappedNative(network)?.address ?? ''
    const deposit = 'event Deposit(address indexed, uint256)'
    const withdrawal = 'event Withdrawal(address indexed, uint256)'
    const { rows } = rowsOf(
      'ledger',
      [encodeLog(weth, deposit, [A, 3n]), encodeLog(weth, withdrawal, [A, 2n])],
      network,
    )
    expect(rows.map(({ kind, address, direction, amount }) => [kind, address, direction, amount])).toEqual([
      ['wrap', weth, -1, '3'],
      ['wrap', A, 1, '3'],
      ['wrap', A, -1, '2'],
      ['wrap', weth, 1, '2'],
    ])
    expect(none(encodeLog(TOKEN, deposit, [A, 3n]), network)).toBe(0)
  })
})

test.each([
  ['fungible', 'event Approval(address indexed, address indexed, uint256)', [A, B, BIG], TOKEN, `${BIG}`],
  ['fungible', 'event Approval(address, address, uint256)', [A, B, 1n], TOKEN, '1'],
  ['nft', 'event Approval(address indexed, address indexed, uint256 indexed)', [A, B, 9n], TOKEN, '9'],
  ['all', 'event ApprovalForAll(address indexed, address indexed, bool)', [A, B, true], TOKEN, '1'],
  ['all', 'event ApprovalForAll(address indexed, address indexed, bool)', [A, B, false], TOKEN, '0'],
  [
    'permit2',
    'event Approval(address indexed, address indexed, address indexed, uint160, uint48)',
    [A, TOKEN, B, 4n, 0],
    PERMIT2,
    '4',
  ],
  [
    'permit2',
    'event Permit(address indexed, address indexed, address indexed, uint160, uint48, uint48)',
    [A, TOKEN, B, 5n, 0, 1],
    PERMIT2,
    '5',
  ],
  ['permit2', 'event Lockdown(address indexed, address, address)', [A, TOKEN, B], PERMIT2, '0'],
])('approval %s by %s', (kind, signature, args, emitter, amount) => {
  expect(one('approvals', encodeLog(emitter, signature, args))).toEqual({
    owner: A,
    spender: B,
    asset: TOKEN,
    kind,
    amount,
    initiator: SENDER,
  })
  if (emitter === PERMIT2) expect(none(encodeLog(TOKEN, signature, args))).toBe(0)
})

/** A pool of an EVM network was announced before; only swaps of Solana bring what is known of theirs. */
const OF_THE_POOL = { factory: '', token0: '', token1: '' }

describe('pools, liquidity and swaps', () => {
  const v4Pool = { pool: ID, factory: V4, kind: 'v4', token0: '', token1: B, fee: 3000, hooks: C }

  test.each([
    [
      'event PairCreated(address indexed, address indexed, address, uint256)',
      [A, B, C, 1n],
      { pool: C, kind: 'v2', fee: 0 },
    ],
    [
      'event PairCreated(address indexed, address indexed, bool, address, uint256)',
      [A, B, true, C, 1n],
      { pool: C, kind: 'solidly', fee: 0 },
    ],
    [
      'event PoolCreated(address indexed, address indexed, uint24 indexed, int24, address)',
      [A, B, 500, 10, C],
      { pool: C, kind: 'v3', fee: 500 },
    ],
    [
      'event PoolCreated(address indexed, address indexed, bool indexed, address, uint256)',
      [A, B, false, C, 1n],
      { pool: C, kind: 'solidly', fee: 0 },
    ],
    [
      'event PoolCreated(address indexed, address indexed, int24 indexed, address)',
      [A, B, -200, C],
      { pool: C, kind: 'v3', fee: 0 },
    ],
  ])('%s', (signature, args, own) => {
    expect(one('pools', encodeLog(TOKEN, signature, args))).toEqual({
      factory: TOKEN,
      token0: A,
      token1: B,
      hooks: '',
      ...own,
    })
  })

  test('reads pools of Algebra from registered factories only, with V3 swaps', () => {
    const [quickswap = ''] = [...registryOf('POLYGON').dexFactories.values()]
      .filter(({ kind, pairs }) => kind === 'v3' && pairs)
      .map(({ address }) => address)
    const signature = 'event Pool(address indexed, address indexed, address)'
    expect(one('pools', encodeLog(quickswap, signature, [A, B, C]), 'POLYGON')).toEqual({
      pool: C,
      factory: quickswap,
      kind: 'v3',
      token0: A,
      token1: B,
      fee: 0,
      hooks: '',
    })
    // Of a game, or of the same factory on another network.
    expect(none(encodeLog(TOKEN, signature, [A, B, C]), 'POLYGON')).toBe(0)
    expect(none(encodeLog(quickswap, signature, [A, B, C]), 'BASE')).toBe(0)
    expect(none(encodeLog(quickswap, 'event Pool(address, address indexed, address)', [A, B, C]), 'POLYGON')).toBe(1)
    const swap = 'event Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24)'
    expect(one('swaps', encodeLog(C, swap, [A, B, 5n, -7n, 1n, 1n, 0]), 'POLYGON')).toMatchObject({
      pool: C,
      amount0: '5',
      amount1: '-7',
    })
  })

  test('V4 pools are ids, native is the empty asset', () => {
    const log = encodeLog(
      V4,
      'event Initialize(bytes32 indexed, address indexed, address indexed, uint24, int24, address, uint160, int24)',
      [ID, ZERO, B, 3000, 60, C, 1n, -5],
    )
    expect(one('pools', log)).toEqual(v4Pool)
  })

  test.each([
    [
      'event Mint(address indexed, uint256, uint256)',
      [A, 1n, 2n],
      TOKEN,
      { pool: TOKEN, event: 'add', owner: A, amount0: '1', amount1: '2', liquidity: '0' },
    ],
    [
      'event Burn(address indexed, uint256, uint256, address indexed)',
      [A, 1n, 2n, B],
      TOKEN,
      { pool: TOKEN, event: 'remove', owner: B, amount0: '1', amount1: '2', liquidity: '0' },
    ],
    [
      'event Burn(address indexed, address indexed, uint256, uint256)',
      [A, B, 1n, 2n],
      TOKEN,
      { pool: TOKEN, event: 'remove', owner: B, amount0: '1', amount1: '2', liquidity: '0' },
    ],
    [
      'event Mint(address, address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)',
      [A, B, -1, 1, 9n, 1n, 2n],
      TOKEN,
      { pool: TOKEN, event: 'add', owner: B, amount0: '1', amount1: '2', liquidity: '9' },
    ],
    [
      'event Burn(address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)',
      [A, -1, 1, 9n, 1n, 2n],
      TOKEN,
      { pool: TOKEN, event: 'remove', owner: A, amount0: '1', amount1: '2', liquidity: '-9' },
    ],
    [
      'event ModifyLiquidity(bytes32 indexed, address indexed, int24, int24, int256, bytes32)',
      [ID, A, -1, 1, -7n, ID],
      V4,
      { pool: ID, event: 'remove', owner: A, amount0: '0', amount1: '0', liquidity: '-7' },
    ],
  ])('%s', (signature, args, emitter, own) => {
    expect(one('liquidity', encodeLog(emitter, signature, args))).toEqual({ provider: SENDER, ...own })
  })

  test('ignores events with the topic of a liquidity event that move nothing', () => {
    expect(none(encodeLog(TOKEN, 'event Mint(address, uint256, uint256)', [A, 1n, 2n]))).toBe(0)
    expect(
      none(
        encodeLog(TOKEN, 'event Burn(address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)', [
          A,
          -1,
          1,
          0n,
          0n,
          0n,
        ]),
      ),
    ).toBe(0)
    const modify = 'event ModifyLiquidity(bytes32 indexed, address indexed, int24, int24, int256, bytes32)'
    expect(none(encodeLog(V4, modify, [ID, A, -1, 1, 0n, ID]))).toBe(0)
    expect(none(encodeLog(TOKEN, modify, [ID, A, -1, 1, 1n, ID]))).toBe(0)
  })

  test.each([
    [
      'event Swap(address indexed, uint256, uint256, uint256, uint256, address indexed)',
      [A, 5n, 0n, 0n, 4n, B],
      { sender: A, recipient: B },
    ],
    [
      'event Swap(address indexed, address indexed, uint256, uint256, uint256, uint256)',
      [A, B, 6n, 1n, 1n, 5n],
      { sender: A, recipient: B },
    ],
    [
      'event Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24)',
      [A, B, 5n, -4n, 1n, 1n, -1],
      { sender: A, recipient: B },
    ],
    [
      'event Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24, uint128, uint128)',
      [A, B, 5n, -4n, 1n, 1n, -1, 0n, 0n],
      { sender: A, recipient: B },
    ],
  ])('%s', (signature, args, own) => {
    expect(one('swaps', encodeLog(TOKEN, signature, args))).toEqual({
      pool: TOKEN,
      initiator: SENDER,
      amount0: '5',
      amount1: '-4',
      ...OF_THE_POOL,
      ...own,
    })
  })

  test('V4 swaps are turned to the pool view', () => {
    const signature = 'event Swap(bytes32 indexed, address indexed, int128, int128, uint160, uint128, int24, uint24)'
    const log = encodeLog(V4, signature, [ID, A, -5n, 4n, 1n, 1n, -1, 3000])
    expect(one('swaps', log)).toEqual({
      pool: ID,
      initiator: SENDER,
      sender: A,
      recipient: A,
      amount0: '5',
      amount1: '-4',
      ...OF_THE_POOL,
    })
    expect(none({ ...log, address: TOKEN })).toBe(0)
  })

  test('drops amounts beyond the signed column as malformed instead of failing the insert', () => {
    expect(none(encodeLog(TOKEN, 'event Mint(address indexed, uint256, uint256)', [A, BIG, 2n]))).toBe(1)
    expect(
      none(
        encodeLog(TOKEN, 'event Swap(address indexed, uint256, uint256, uint256, uint256, address indexed)', [
          A,
          BIG,
          0n,
          0n,
          4n,
          B,
        ]),
      ),
    ).toBe(1)
  })
})
