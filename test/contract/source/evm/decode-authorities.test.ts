import { describe, expect, test } from 'vitest'
import { EVENTS, PERMIT2, registryOf, wrappedNative } from '../../../../schema/registry/index.ts'
import {
  A,
  B,
  BIG,
  blockOf,
  decodeCounted,
  encodeLog,
  ID,
  issuer,
  type LogSpec,
  none,
  ORACLE,
  one,
  rowsOf,
  SENDER,
  TOKEN,
  V4,
} from './decode.helpers.ts'

const POOL =
  [...registryOf('ETH').mixerPools.values()].find(
    ({ symbol, denomination }) => symbol === 'ETH' && denomination === `${10n ** 17n}`,
  )?.address ?? ''

describe('authorities', () => {
  const said = (event: string, subject: string, authority: string, own = {}) => ({
    authority,
    event,
    subject,
    actor: SENDER,
    amount: '0',
    detail: '',
    ...own,
  })

  test.each([
    [
      'event OwnershipTransferred(address indexed, address indexed)',
      [A, B],
      said('owner_change', B, TOKEN, { detail: A }),
    ],
    ['event OwnershipTransferred(address, address)', [A, B], said('owner_change', B, TOKEN, { detail: A })],
    ['event AdminChanged(address, address)', [A, B], said('admin_change', B, TOKEN, { detail: A })],
    ['event Upgraded(address indexed)', [A], said('upgrade', A, TOKEN)],
    ['event BeaconUpgraded(address indexed)', [A], said('upgrade', A, TOKEN, { detail: 'beacon' })],
    [
      'event RoleGranted(bytes32 indexed, address indexed, address indexed)',
      [ID, A, B],
      said('role_grant', A, TOKEN, { detail: ID }),
    ],
    [
      'event RoleRevoked(bytes32 indexed, address indexed, address indexed)',
      [ID, A, B],
      said('role_revoke', A, TOKEN, { detail: ID }),
    ],
    ['event Paused(address)', [A], said('pause', A, TOKEN)],
    ['event Unpaused(address)', [A], said('unpause', A, TOKEN)],
    ['event Pause()', [], said('pause', SENDER, TOKEN)],
    ['event Unpause()', [], said('unpause', SENDER, TOKEN)],
  ])('%s', (signature, args, row) => {
    expect(one('authority', encodeLog(TOKEN, signature, args))).toEqual(row)
  })

  test('reads batches of listings and delistings of the registered oracle only, not query events or other contracts', () => {
    const added = 'event SanctionedAddressesAdded(address[])'
    const { rows } = rowsOf('authority', [
      encodeLog(ORACLE, added, [[A, B]]),
      encodeLog(ORACLE, 'event SanctionedAddressesRemoved(address[])', [[A]]),
    ])
    expect(rows).toEqual([
      said('sanction_add', A, ORACLE),
      said('sanction_add', B, ORACLE),
      said('sanction_remove', A, ORACLE),
    ])
    expect(none(encodeLog(TOKEN, added, [[A, B]]))).toBe(0)
    expect(none(encodeLog(ORACLE, added, [[A, B]]), 'BASE')).toBe(0)
    expect(none(encodeLog(ORACLE, 'event SanctionedAddress(address indexed)', [A]))).toBe(0)
    expect(none(encodeLog(ORACLE, 'event NonSanctionedAddress(address indexed)', [A]))).toBe(0)
  })

  test.each([
    ['USDT', 'freeze', 'event AddedBlackList(address)', [A]],
    ['USDT', 'freeze', 'event AddedBlackList(address indexed)', [A]],
    ['USDT', 'unfreeze', 'event RemovedBlackList(address)', [A]],
    ['USDT', 'seize', 'event DestroyedBlackFunds(address, uint256)', [A, 8n]],
    ['USDT', 'seize', 'event DestroyedBlackFunds(address indexed, uint256)', [A, 8n]],
    ['XAUT', 'freeze', 'event BlockPlaced(address indexed)', [A]],
    ['XAUT', 'unfreeze', 'event BlockReleased(address indexed)', [A]],
    ['XAUT', 'seize', 'event DestroyedBlockedFunds(address indexed, uint256)', [A, 8n]],
    ['USDC', 'freeze', 'event Blacklisted(address indexed)', [A]],
    ['USDC', 'unfreeze', 'event UnBlacklisted(address indexed)', [A]],
    ['BUSD', 'freeze', 'event AddressFrozen(address indexed)', [A]],
    ['BUSD', 'unfreeze', 'event AddressUnfrozen(address indexed)', [A]],
    ['PYUSD', 'freeze', 'event FreezeAddress(address indexed)', [A]],
    ['PYUSD', 'unfreeze', 'event UnfreezeAddress(address indexed)', [A]],
    ['PYUSD', 'seize', 'event FrozenAddressWiped(address indexed)', [A]],
  ])('%s %s by %s, from the issuer only', (symbol, event, signature, args) => {
    const amount = args.length > 1 ? '8' : '0'
    const log = encodeLog(issuer(symbol), signature, args)
    expect(one('authority', log)).toEqual(said(event, A, issuer(symbol), { amount, detail: symbol }))
    expect(none({ ...log, address: TOKEN })).toBe(0)
  })

  const FREEZE = 'event Freeze(address indexed caller, address indexed account)'
  const UNFREEZE = 'event Unfreeze(address indexed caller, address indexed account)'
  const DRAINED = 'event FrozenAccountDrained(address indexed caller, address indexed account, uint256 amount)'
  const REALLOCATED =
    'event FrozenFundsReallocated(address indexed caller, address indexed from, address indexed to, uint256 amount)'
  test.each([
    ['ETH', 'FDUSD', 'freeze', FREEZE, [B, A], '0'],
    ['ETH', 'FDUSD', 'unfreeze', UNFREEZE, [B, A], '0'],
    ['BNB', 'FDUSD', 'freeze', FREEZE, [B, A], '0'],
    ['BNB', 'USD1', 'freeze', FREEZE, [B, A], '0'],
    ['BNB', 'USD1', 'unfreeze', UNFREEZE, [B, A], '0'],
    ['BNB', 'USD1', 'seize', DRAINED, [B, A, 8n], '8'],
    ['BNB', 'USD1', 'seize', REALLOCATED, [B, A, PERMIT2, 8n], '8'],
    ['BNB', 'USD1', 'freeze', 'event Freeze(address caller, address account)', [B, A], '0'],
    ['ETH', 'TUSD', 'freeze', 'event Blacklisted(address indexed account, bool isBlacklisted)', [A, true], '0'],
    ['BNB', 'TUSD', 'unfreeze', 'event Blacklisted(address indexed account, bool isBlacklisted)', [A, false], '0'],
    ['BNB', 'TUSD', 'freeze', 'event Blacklisted(address account, bool isBlacklisted)', [A, true], '0'],
    ['POLYGON', 'USDC.e', 'freeze', 'event Blacklisted(address indexed account)', [A], '0'],
    ['BASE', 'cbBTC', 'unfreeze', 'event UnBlacklisted(address indexed account)', [A], '0'],
    ['ETH', 'cbETH', 'freeze', 'event Blacklisted(address indexed account)', [A], '0'],
  ] as const)(
    'on %s %s: a %s by %s names the account, never the caller',
    (network, symbol, event, text, args, amount) => {
      const log = encodeLog(issuer(symbol, network), text, args)
      expect(one('authority', log, network)).toEqual(
        said(event, A, issuer(symbol, network), { amount, detail: symbol }),
      )
      expect(none({ ...log, address: TOKEN }, network)).toBe(0)
      // What may freeze on one network may be anybody's contract on another.
      expect(none(log, 'HAQQ')).toBe(0)
    },
  )

  test('ignores events that only resemble a freeze, or whose value is neither true nor false', () => {
    const usd1 = issuer('USD1', 'BNB')
    expect(none(encodeLog(usd1, 'event Freeze(address indexed)', [A]), 'BNB')).toBe(0)
    // Which of the two was indexed cannot be told, and one of them is the issuer.
    expect(none(encodeLog(usd1, 'event Freeze(address indexed, address)', [B, A]), 'BNB')).toBe(1)
    expect(
      none(
        encodeLog(usd1, 'event FrozenFundsReallocated(address indexed, address, address, uint256)', [B, A, B, 8n]),
        'BNB',
      ),
    ).toBe(1)
    const tusd = encodeLog(issuer('TUSD'), 'event Blacklisted(address indexed, bool)', [A, true])
    for (const data of [`0x${'2'.padStart(64, '0')}`, '0x'] as const) {
      const { block, malformed } = decodeCounted('ETH', blockOf([{ ...tusd, data }]))
      expect([block.rows.authority, malformed]).toEqual([[], 1])
    }
  })

  test('mixer deposits belong to the sender, withdrawals to the recipient', () => {
    const deposit = encodeLog(POOL, 'event Deposit(bytes32 indexed, uint32, uint256)', [ID, 1, 2n])
    const withdrawal = encodeLog(POOL, 'event Withdrawal(address, bytes32, address indexed, uint256)', [A, ID, B, 1n])
    const denomination = '100000000000000000'
    expect(one('authority', deposit)).toEqual(said('mixer_deposit', SENDER, POOL, { amount: denomination }))
    expect(one('authority', withdrawal)).toEqual(said('mixer_withdraw', A, POOL, { amount: denomination, detail: B }))
    expect(none({ ...deposit, address: TOKEN })).toBe(0)
    expect(none(withdrawal, 'BASE')).toBe(0)
  })
})

test('logs with a known topic and any other shape never throw and give no invalid row', () => {
  const rnd = (seed: number) => () => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  const next = rnd(7)
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('')
  const emitters = [TOKEN, ORACLE, POOL, issuer('USDT'), V4, PERMIT2, wrappedNative('ETH')?.address]
  const logs = Object.values(EVENTS).flatMap(({ topic }) =>
    Array.from({ length: 150 }, (): LogSpec => {
      const words = Math.floor(next() * 9)
      const word = () =>
        next() < 0.7 ? `${'0'.repeat(24)}${hex(40)}` : next() < 0.5 ? hex(64) : hex(2).padStart(64, '0')
      return {
        address: emitters[Math.floor(next() * emitters.length)] ?? TOKEN,
        topics: [topic, ...Array.from({ length: Math.floor(next() * 4) }, () => `0x${word()}`)],
        data: `0x${Array.from({ length: words }, word).join('')}${next() < 0.1 ? hex(8) : ''}`,
      }
    }),
  )
  const { block, malformed } = decodeCounted('ETH', blockOf(logs))
  expect(malformed).toBeGreaterThan(1_000)
  const { ledger, swaps, liquidity, authority, approvals } = block.rows
  for (const { amount } of [...ledger, ...approvals, ...authority]) expect(BigInt(amount)).toBeLessThanOrEqual(BIG)
  for (const { amount0, amount1 } of [...swaps, ...liquidity])
    for (const amount of [amount0, amount1]) expect(BigInt.asIntN(256, BigInt(amount))).toBe(BigInt(amount))
  for (const row of [...ledger, ...approvals, ...swaps, ...liquidity, ...authority])
    for (const [column, value] of Object.entries(row))
      if (column !== 'tx_hash') expect(String(value)).toMatch(/^$|^[\w.-]+(:\d:\d)?$/)
})
