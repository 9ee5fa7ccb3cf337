/** What instructions of the system and token programs become, on signed transactions whose balances are stated beside them. */
import { PublicKey, SystemProgram } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/solana/decode/index.ts'
import { LOADER, TOKEN, TOKEN_CALL } from '../../../../indexer/source/solana/decode/programs.ts'
import { rawTransaction } from '../../../../indexer/source/solana/raw.ts'
import type { LedgerRow } from '../../../../schema/block.ts'
import { selectorOfName } from '../../../../schema/registry/signatures/instructions.ts'
import { WRAPPED } from '../../../e2e/recorded/solana.facts.ts'
import {
  address,
  type Holding,
  instruct,
  type Plan,
  pay,
  token,
  transact,
  wallet,
} from '../../../kit/chain/solana/solana-transactions.ts'

const rowsOf = (plan: Plan) => {
  const transactions = [rawTransaction.parse(transact(plan))]
  return decodeBlock('SOLANA', { slot: 9, number: 8, time: 7, hash: 'h', parentHash: 'p', transactions }).rows
}
/** Movements as they left: who, to whom, how, what, how much, by whom. */
const moved = (ledger: readonly LedgerRow[]) =>
  ledger
    .filter(({ direction }) => direction === -1)
    .map(({ address: from, counterparty, kind, asset, amount, initiator }) => [
      from,
      counterparty,
      kind,
      asset,
      amount,
      initiator,
    ])

const [alice, bob, mallory, mint] = ['alice', 'bob', 'mallory', 'mint'].map(address) as [string, string, string, string]
const accountOf = (owner: string) => address(`${owner} account`)
const holding = (owner: string, before: bigint, after: bigint, rest: Partial<Holding> = {}): Holding => ({
  account: accountOf(owner),
  owner: address(owner),
  mint,
  decimals: 6,
  before,
  after,
  ...rest,
})
const [aliceAccount, bobAccount, malloryAccount] = ['alice', 'bob', 'mallory'].map(accountOf) as [
  string,
  string,
  string,
]

/** What an account has to hold to exist, lamports. */
const DEPOSIT = 2_039_280n
const handOver = (account: string, from: string, to: string) =>
  token(TOKEN_CALL.setAuthority, [account, address(from)], {
    rest: [2, 1, ...wallet(to).publicKey.toBytes()],
    signers: [address(from)],
  })

test('a payment of SOL has payer, payee, amount and fee', () => {
  const { transactions, ledger } = decodeBlock('SOLANA', {
    slot: 9,
    number: 8,
    time: 7,
    hash: 'h',
    parentHash: 'p',
    transactions: [rawTransaction.parse(pay('alice', 'bob', 1_500n))],
  }).rows
  expect(transactions).toMatchObject([
    { sender: alice, receiver: bob, value: '1500', fee: '5000', selector: '', status: 1, gas_used: '150', type: 0 },
  ])
  expect(moved(ledger)).toEqual([[alice, bob, 'native', '', '1500', alice]])
  expect(ledger).toHaveLength(2)
})

test('a failed transaction costs its fee and moves nothing', () => {
  const transfer = SystemProgram.transfer({
    fromPubkey: wallet('alice').publicKey,
    toPubkey: wallet('bob').publicKey,
    lamports: 5,
  })
  const rows = rowsOf({ signers: ['alice'], instructions: [transfer], failed: true })
  expect(rows.transactions).toMatchObject([{ status: 0, fee: '5000' }])
  expect([rows.ledger, rows.approvals, rows.authority]).toEqual([[], [], []])
})

test('a token transfer is between owners and by its signer, not by the fee payer', () => {
  const { ledger, transactions } = rowsOf({
    signers: ['relayer', 'alice'],
    instructions: [
      token(TOKEN_CALL.transferChecked, [aliceAccount, mint, bobAccount, alice], {
        amount: 40n,
        rest: [6],
        signers: [alice],
      }),
    ],
    tokens: [holding('alice', 100n, 60n), holding('bob', 0n, 40n)],
    version: 0,
  })
  expect(transactions).toMatchObject([{ sender: address('relayer'), type: 0x80 }])
  expect(moved(ledger)).toEqual([[alice, bob, 'fungible', mint, '40', alice]])
})

test('a delegate is the sender of transfers it makes', () => {
  const { ledger } = rowsOf({
    signers: ['mallory'],
    instructions: [
      token(TOKEN_CALL.transfer, [aliceAccount, malloryAccount, mallory], { amount: 100n, signers: [mallory] }),
    ],
    tokens: [holding('alice', 100n, 0n), holding('mallory', 0n, 100n)],
  })
  expect(moved(ledger)).toEqual([[alice, mallory, 'fungible', mint, '100', mallory]])
})

test('transfer fees, stated by the instruction or not, go from the receiver to the mint', () => {
  const tokens = [holding('alice', 1_000n, 0n), holding('bob', 0n, 990n)]
  const expected = [
    [alice, bob, 'fungible', mint, '1000', alice],
    [bob, mint, 'fungible', mint, '10', alice],
  ]
  const stated = token(TOKEN_CALL.transferFee, [aliceAccount, mint, bobAccount, alice], {
    rest: [1, ...[232, 3, 0, 0, 0, 0, 0, 0], 6, ...[10, 0, 0, 0, 0, 0, 0, 0]],
    signers: [alice],
    newer: true,
  })
  const unstated = token(TOKEN_CALL.transferChecked, [aliceAccount, mint, bobAccount, alice], {
    amount: 1_000n,
    rest: [6],
    signers: [alice],
    newer: true,
  })
  for (const instruction of [stated, unstated]) {
    expect(moved(rowsOf({ signers: ['alice'], instructions: [instruction], tokens }).ledger)).toEqual(expected)
  }
})

test('minted tokens come from their mint, and burned ones go back to it', () => {
  const { ledger } = rowsOf({
    signers: ['alice'],
    instructions: [
      token(TOKEN_CALL.mintTo, [mint, aliceAccount, alice], { amount: 70n, signers: [alice] }),
      token(TOKEN_CALL.burnChecked, [bobAccount, mint, bob], { amount: 30n, rest: [6] }),
    ],
    tokens: [holding('alice', 0n, 70n), holding('bob', 30n, 0n)],
  })
  expect(moved(ledger)).toEqual([
    [mint, alice, 'fungible', mint, '70', alice],
    [bob, mint, 'fungible', mint, '30', alice],
  ])
})

test('a single token without decimals is an NFT', () => {
  const { ledger } = rowsOf({
    signers: ['alice'],
    instructions: [token(TOKEN_CALL.transfer, [aliceAccount, bobAccount, alice], { amount: 1n, signers: [alice] })],
    tokens: [holding('alice', 1n, 0n, { decimals: 0 }), holding('bob', 0n, 1n, { decimals: 0 })],
  })
  expect(moved(ledger)).toEqual([[alice, bob, 'nft', mint, '1', alice]])
})

test('wrapping within a transaction sends SOL to the mint, and closing the account returns it', () => {
  const temporary = address('temporary')
  const transfer = SystemProgram.transfer({
    fromPubkey: wallet('alice').publicKey,
    toPubkey: new PublicKey(temporary),
    lamports: 900,
  })
  const { ledger } = rowsOf({
    signers: ['alice'],
    instructions: [
      transfer,
      token(TOKEN_CALL.initializeAccount3, [temporary, WRAPPED], { rest: [...wallet('alice').publicKey.toBytes()] }),
      token(TOKEN_CALL.transfer, [temporary, bobAccount, alice], { amount: 600n, signers: [alice] }),
    ],
    lamports: { [alice]: -900n, [temporary]: 300n, [bobAccount]: 600n },
    tokens: [
      holding('alice', 0n, 300n, { account: temporary, mint: WRAPPED, decimals: 9 }),
      holding('bob', 0n, 600n, { mint: WRAPPED, decimals: 9 }),
    ],
  })
  expect(moved(ledger)).toEqual([
    [alice, WRAPPED, 'native', '', '900', alice],
    [alice, bob, 'fungible', WRAPPED, '600', alice],
    [WRAPPED, alice, 'wrap', WRAPPED, '900', alice],
  ])
})

test('reads transfers inside programs from balances, with an open side where it is ambiguous', () => {
  const [curve, fees, other] = ['curve', 'fees', 'other'].map(address) as [string, string, string]
  const sell = instruct(address('program'), [curve, alice, fees], Buffer.from('0102030405', 'hex'), [alice])
  const one = rowsOf({
    signers: ['alice'],
    instructions: [sell],
    lamports: { [curve]: -100n, [alice]: 98n, [fees]: 2n },
  })
  expect(moved(one.ledger)).toEqual([
    [curve, alice, 'internal', '', '98', alice],
    [curve, fees, 'internal', '', '2', alice],
  ])
  expect(one.transactions).toMatchObject([{ receiver: address('program'), selector: '0x01020304', input_size: 5 }])
  const many = rowsOf({
    signers: ['alice'],
    instructions: [sell],
    lamports: { [curve]: -60n, [other]: -40n, [alice]: 98n, [fees]: 2n },
  })
  expect(
    many.ledger.map(({ address: party, counterparty, direction, amount }) => [party, counterparty, direction, amount]),
  ).toEqual(
    expect.arrayContaining([
      [curve, '', -1, '60'],
      [other, '', -1, '40'],
      [alice, '', 1, '98'],
      [fees, '', 1, '2'],
    ]),
  )
  expect(many.ledger).toHaveLength(4)
})

test('a token account that changes its owner transfers its tokens and its deposit', () => {
  const rows = rowsOf({
    signers: ['alice'],
    instructions: [handOver(aliceAccount, 'alice', 'mallory')],
    had: { [aliceAccount]: DEPOSIT },
    tokens: [holding('alice', 500n, 500n, { ownerAfter: mallory })],
  })
  expect(moved(rows.ledger)).toEqual([
    [alice, mallory, 'internal', '', String(DEPOSIT), alice],
    [alice, mallory, 'fungible', mint, '500', alice],
  ])
  expect(rows.authority).toMatchObject([
    { authority: aliceAccount, event: 'owner_change', subject: mallory, actor: alice, detail: alice },
  ])
})

describe('an owner is no party to transfers of an account before or after owning it', () => {
  const sent = (from: string, to: string, by: string, amount: bigint) =>
    token(TOKEN_CALL.transfer, [from, to, by], { amount, signers: [by] })
  const close = (account: string, by: string) => token(TOKEN_CALL.closeAccount, [account, by, by], { signers: [by] })
  const open = (account: string, owner: string) => [
    SystemProgram.assign({ accountPubkey: new PublicKey(account), programId: new PublicKey(TOKEN) }),
    token(TOKEN_CALL.initializeAccount3, [account, mint], { rest: [...wallet(owner).publicKey.toBytes()] }),
  ]
  const coins = (from: string, to: string, lamports: bigint) =>
    SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports })
  const namesOf = (ledger: readonly LedgerRow[], who: string) =>
    moved(ledger)
      .filter((row) => row.includes(who))
      .map(([from, to, , , amount]) => [from, to, amount])

  test('a new owner of an emptied account neither received nor sent its earlier content', () => {
    const { ledger, approvals } = rowsOf({
      signers: ['mallory'],
      instructions: [
        token(TOKEN_CALL.approve, [malloryAccount, bob, mallory], { amount: 7n, signers: [mallory] }),
        sent(malloryAccount, bobAccount, mallory, 900n),
        handOver(malloryAccount, 'mallory', 'alice'),
      ],
      had: { [malloryAccount]: DEPOSIT },
      tokens: [holding('mallory', 900n, 0n, { ownerAfter: alice }), holding('bob', 0n, 900n)],
    })
    expect(moved(ledger)).toContainEqual([mallory, bob, 'fungible', mint, '900', mallory])
    expect(namesOf(ledger, alice)).toEqual([[mallory, alice, String(DEPOSIT)]])
    expect(approvals).toMatchObject([{ owner: mallory, spender: bob }])
  })

  test('a new owner that withdraws from an account pays itself', () => {
    const { ledger } = rowsOf({
      signers: ['mallory', 'alice'],
      instructions: [handOver(malloryAccount, 'mallory', 'alice'), sent(malloryAccount, bobAccount, alice, 900n)],
      had: { [malloryAccount]: 0n },
      tokens: [holding('mallory', 900n, 0n, { ownerAfter: alice }), holding('bob', 0n, 900n)],
    })
    expect(moved(ledger)).toEqual([
      [alice, bob, 'fungible', mint, '900', alice],
      [mallory, alice, 'fungible', mint, '900', mallory],
    ])
  })

  test('payments to a closed account do not go to its former owner', () => {
    // Mallory kept the right to close the account, and the key of its address.
    const there = address('there')
    const { ledger } = rowsOf({
      signers: ['mallory', 'there'],
      instructions: [close(there, mallory), coins(mallory, there, 5_000_000n), coins(there, bob, 4_000_000n)],
      had: { [there]: DEPOSIT },
      lamports: { [mallory]: DEPOSIT - 5_000_000n, [there]: 1_000_000n - DEPOSIT, [bob]: 4_000_000n },
      tokens: [holding('alice', 0n, 0n, { account: there, ownerAfter: '' })],
    })
    expect(namesOf(ledger, alice)).toEqual([[alice, mallory, String(DEPOSIT)]])
    expect(moved(ledger)).toContainEqual([mallory, there, 'native', '', '5000000', mallory])
    expect(moved(ledger)).toContainEqual([there, bob, 'native', '', '4000000', there])
  })

  test('the owner of a new account receives its deposit, and nothing that passed through the address before', () => {
    const there = address('there')
    const { ledger } = rowsOf({
      signers: ['mallory', 'there'],
      instructions: [
        coins(mallory, there, 5_000_000n),
        coins(there, bob, 5_000_000n),
        coins(mallory, there, DEPOSIT),
        ...open(there, 'alice'),
      ],
      had: { [there]: 0n },
      lamports: { [mallory]: -5_000_000n - DEPOSIT, [there]: DEPOSIT, [bob]: 5_000_000n },
      tokens: [holding('alice', 0n, 0n, { account: there, opened: true })],
    })
    expect(namesOf(ledger, alice)).toEqual([[mallory, alice, String(DEPOSIT)]])
    expect(moved(ledger)).toContainEqual([mallory, there, 'native', '', '5000000', mallory])
  })

  test('SOL at an address before an account is opened there goes to the owner of the account', () => {
    const there = address('there')
    const { ledger } = rowsOf({
      signers: ['mallory', 'there'],
      instructions: open(there, 'alice'),
      had: { [there]: 9_000_000n },
      tokens: [holding('alice', 0n, 0n, { account: there, opened: true })],
    })
    expect(moved(ledger)).toEqual([[there, alice, 'internal', '', '9000000', there]])
  })

  test('the owner of a closed account is no party to its reopening for another owner', () => {
    const there = address('there')
    const { ledger } = rowsOf({
      signers: ['mallory', 'there'],
      instructions: [close(there, mallory), coins(mallory, there, 8_000_000n), ...open(there, 'bob')],
      had: { [there]: DEPOSIT },
      lamports: { [mallory]: DEPOSIT - 8_000_000n, [there]: 8_000_000n - DEPOSIT },
      tokens: [holding('alice', 0n, 0n, { account: there, ownerAfter: bob })],
    })
    expect(namesOf(ledger, alice)).toEqual([[alice, mallory, String(DEPOSIT)]])
    expect(namesOf(ledger, bob)).toEqual([[mallory, bob, '8000000']])
  })
})

test('delegates are approvals, and a revocation is an allowance of zero', () => {
  const { approvals } = rowsOf({
    signers: ['alice'],
    instructions: [
      token(TOKEN_CALL.approve, [aliceAccount, mallory, alice], { amount: 2n ** 64n - 1n, signers: [alice] }),
      token(TOKEN_CALL.approveChecked, [aliceAccount, mint, bob, alice], { amount: 7n, rest: [6], signers: [alice] }),
      token(TOKEN_CALL.revoke, [aliceAccount, alice], { signers: [alice] }),
    ],
    tokens: [holding('alice', 5n, 5n)],
  })
  const shared = { owner: alice, asset: mint, kind: 'fungible', initiator: alice }
  expect(approvals).toMatchObject([
    { ...shared, spender: mallory, amount: '18446744073709551615' },
    { ...shared, spender: bob, amount: '7' },
    { ...shared, spender: '', amount: '0' },
  ])
  expect(new Set(approvals.map(({ position }) => position)).size).toBe(3)
})

test('freezes, mint authorities, permanent delegates and upgrades are authority events', () => {
  const key = [...wallet('mallory').publicKey.toBytes()]
  const { authority, creations } = rowsOf({
    signers: ['bob'],
    instructions: [
      token(TOKEN_CALL.initializeMint2, [mint], { rest: [6, ...wallet('bob').publicKey.toBytes(), 0] }),
      token(TOKEN_CALL.initializePermanentDelegate, [mint], { rest: key, newer: true }),
      token(TOKEN_CALL.freeze, [aliceAccount, mint, bob], { signers: [bob] }),
      token(TOKEN_CALL.thaw, [aliceAccount, mint, bob], { signers: [bob] }),
      token(TOKEN_CALL.setAuthority, [mint, bob], { rest: [0, 0], signers: [bob] }),
      token(TOKEN_CALL.setAuthority, [mint, bob], { rest: [1, 1, ...key], signers: [bob] }),
      instruct(
        LOADER,
        [bobAccount, address('program'), address('buffer'), bob, bob, bob, bob],
        Buffer.from([3, 0, 0, 0]),
        [bob],
      ),
    ],
    tokens: [holding('alice', 5n, 5n)],
  })
  expect(creations).toMatchObject([{ contract: mint, event: 'create', creator: bob, root_creator: bob }])
  expect(authority.map((row) => [row.authority, row.event, row.subject, row.detail, row.actor])).toEqual([
    [mint, 'role_grant', mallory, 'permanent_delegate', bob],
    [mint, 'freeze', alice, aliceAccount, bob],
    [mint, 'unfreeze', alice, aliceAccount, bob],
    [mint, 'role_revoke', bob, 'mint_tokens', bob],
    [mint, 'role_grant', mallory, 'freeze_account', bob],
    [address('program'), 'upgrade', address('buffer'), '', bob],
  ])
})

test('accounts from lookup tables are parties like others', () => {
  const program = address('program')
  const { ledger } = rowsOf({
    signers: ['alice'],
    instructions: [instruct(program, [alice], Buffer.from([1]), [alice])],
    inner: { 0: [token(TOKEN_CALL.transfer, [bobAccount, aliceAccount, bob], { amount: 9n })] },
    tokens: [holding('alice', 0n, 9n), holding('bob', 9n, 0n)],
    version: 0,
  })
  expect(moved(ledger)).toEqual([[bob, alice, 'fungible', mint, '9', alice]])
})

test('a transaction without its loaded accounts is skipped, and the block is marked as incomplete', () => {
  const raw = transact({
    signers: ['alice'],
    instructions: [instruct(address('program'), [alice], Buffer.from([1]), [alice])],
    inner: { 0: [token(TOKEN_CALL.transfer, [aliceAccount, bobAccount, alice], { amount: 9n })] },
    tokens: [holding('alice', 9n, 0n), holding('bob', 0n, 9n)],
    version: 0,
  })
  delete raw.meta.loadedAddresses
  const { rows } = decodeBlock('SOLANA', {
    ...{ slot: 9, number: 8, time: 7, hash: 'h', parentHash: 'p' },
    transactions: [rawTransaction.parse(raw)],
  })
  expect([rows.transactions, rows.ledger]).toEqual([[], []])
  expect(rows.blocks).toMatchObject([{ transaction_count: 1, sees_traces: 0 }])
})

test('hooks and pauses of newer tokens are authority events, and truncated or unknown instructions are ignored', () => {
  const hook = [...wallet('mallory').publicKey.toBytes()]
  const nobody = Array.from({ length: 32 }, () => 0)
  const newer = (call: number, accounts: readonly string[], rest: readonly number[]) =>
    token(call, accounts, { rest, newer: true, signers: accounts.slice(1) })
  const { authority } = rowsOf({
    signers: ['alice', 'bob'],
    instructions: [
      newer(TOKEN_CALL.transferHook, [mint], [0, ...nobody, ...hook]),
      newer(TOKEN_CALL.transferHook, [mint, bob], [1, ...hook]),
      newer(TOKEN_CALL.transferHook, [mint, bob], [1, ...nobody]),
      newer(TOKEN_CALL.pausable, [mint], [0, ...hook]),
      newer(TOKEN_CALL.pausable, [mint, bob], [1]),
      newer(TOKEN_CALL.pausable, [mint, bob], [2]),
      newer(TOKEN_CALL.setAuthority, [mint, bob], [16, 1, ...hook]),
      newer(TOKEN_CALL.pausable, [mint, bob], [9]),
      newer(TOKEN_CALL.transferHook, [mint], [0, 1, 2]),
      newer(77, [mint, bob], [1]),
    ],
  })
  expect(authority.map((row) => [row.authority, row.event, row.subject, row.detail, row.actor])).toEqual([
    [mint, 'role_grant', mallory, 'transfer_hook', alice],
    [mint, 'role_grant', mallory, 'transfer_hook', bob],
    [mint, 'role_revoke', '', 'transfer_hook', bob],
    [mint, 'role_grant', mallory, 'pause', alice],
    [mint, 'pause', bob, '', bob],
    [mint, 'unpause', bob, '', bob],
    [mint, 'role_grant', mallory, 'pause', bob],
  ])
})

test('the purpose of a transaction is its main instruction, not its preparation or unknown programs', () => {
  const kamino = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
  const pump = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'
  const farms = 'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr'
  const bot = address('bot')
  const call = (program: string, selector: string) =>
    instruct(program, [alice], Buffer.from(`${selector.slice(2)}00000000`, 'hex'), [alice])
  const named = (program: string, name: string) => call(program, selectorOfName(name))
  const about = (instructions: Plan['instructions'], inner: Plan['inner'] = {}) => {
    const [row] = rowsOf({ signers: ['alice'], instructions, inner }).transactions
    return [row?.receiver, row?.selector]
  }
  const supply = 'deposit_reserve_liquidity_and_obligation_collateral_v2'
  expect(about([named(kamino, 'refresh_reserve'), named(kamino, supply)])).toEqual([kamino, selectorOfName(supply)])
  // Taking out is no staking in the farm that the lending program tells of it.
  const out = 'withdraw_obligation_collateral_and_redeem_reserve_collateral_v2'
  expect(about([named(kamino, out)], { 0: [named(farms, 'stake')] })).toEqual([kamino, selectorOfName(out)])
  expect(about([call(bot, '0x99887766')], { 0: [named(pump, 'extend_account'), named(pump, 'buy')] })).toEqual([
    pump,
    selectorOfName('buy'),
  ])
  expect(about([call(bot, '0x99887766')], { 0: [named(pump, 'extend_account')] })).toEqual([bot, '0x99887766'])
  // Data that is cut short, of a program whose instructions are numbered.
  expect(about([instruct('So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo', [alice], Buffer.alloc(0), [alice])])).toEqual([
    'So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo',
    '',
  ])
})
