import { describe, expect, test } from 'vitest'
import { EVENTS, PERMIT2, registryOf, wrappedNative } from '../../../schema/registry/index.ts'
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

  test('the registered oracle lists and delists batches; echoes of queries and other contracts say nothing', () => {
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

  test('mixer deposits are the sender’s, withdrawals the beneficiary’s', () => {
    const deposit = encodeLog(POOL, 'event Deposit(bytes32 indexed, uint32, uint256)', [ID, 1, 2n])
    const withdrawal = encodeLog(POOL, 'event Withdrawal(address, bytes32, address indexed, uint256)', [A, ID, B, 1n])
    const denomination = '100000000000000000'
    expect(one('authority', deposit)).toEqual(said('mixer_deposit', SENDER, POOL, { amount: denomination }))
    expect(one('authority', withdrawal)).toEqual(said('mixer_withdraw', A, POOL, { amount: denomination, detail: B }))
    expect(none({ ...deposit, address: TOKEN })).toBe(0)
    expect(none(withdrawal, 'BASE')).toBe(0)
  })
})

test('logs with a known topic and any other shape never throw and never leave a broken row', () => {
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
