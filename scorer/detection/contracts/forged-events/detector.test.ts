import { expect, test } from 'vitest'
import { act, crowd, flagsKit, flagsOf, move } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, store, verdicts } = flagsKit()

const ZERO = `0x${'0'.repeat(40)}`

const transfer = (from: string, to: string, asset: string, amount = 1000n): Action => move(from, to, amount, asset)

test('a token whose events move what nobody had is a forgery; pre-mints, spenders and taxed tokens are not', async () => {
  const owners = crowd('o', 6)
  const premint = (maker: string, asset: string): Tx[] => [
    act(
      maker,
      '',
      1,
      { do: 'create', contract: asset },
      { do: 'token-name', token: asset, symbol: 'ODD', name: 'Odd Token' },
    ),
  ]
  await insertRows(
    store(),
    rowsOf([
      ...premint('liar', named('lie')),
      act('liar', named('lie'), 3, ...owners.map((owner) => transfer(named(owner), named('sink'), named('lie')))),
      // The maker received the supply without an event, and sells it.
      ...premint('quiet', named('silent')),
      ...owners.map((owner, n) =>
        act('quiet', named('silent'), 3 + n, transfer(named('quiet'), named(owner), named('silent'))),
      ),
      // Allocations without events, moved by a contract that their owners approved.
      ...premint('grant', named('alloc')),
      ...owners.flatMap((owner, n) => [
        act(owner, named('alloc'), 3 + n, {
          do: 'approve',
          owner: named(owner),
          spender: named('puller'),
          asset: named('alloc'),
          amount: 1n,
        }),
        act('bot', named('puller'), 10 + n, transfer(named(owner), named('vault'), named('alloc'))),
      ]),
      // Balances that grow without events: more is sent than was received.
      ...premint('rebase', named('grow')),
      ...owners.flatMap((owner, n) => [
        act('rebase', named('grow'), 3 + n, transfer(ZERO, named(owner), named('grow'), 10n)),
        act('bot', named('grow'), 10 + n, transfer(named(owner), named('vault'), named('grow'), 11n)),
      ]),
      // Zero-value transfers, which anybody can cause.
      ...premint('plain', named('zero')),
      act(
        'troll',
        named('zero'),
        12,
        ...owners.map((owner) => transfer(named(owner), named('sink'), named('zero'), 0n)),
      ),
    ]),
  )
  const [liar, lie] = await verdicts(named('liar'), named('lie'))
  expect(flagsOf(liar)).toEqual({
    fake_standard_interface: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'forged-events',
  })
  expect(flagsOf(lie)).toEqual({ fake_standard_interface: '1', data_source: 'forged-events' })
  expect(lie!.reasons[0]).toMatchObject({ evidence: { owners: 6, transactions: ['0x3-0'] } })
  await clean(...['quiet', 'grant', 'rebase', 'plain', 'troll', ...owners].map(named))
})

test('forgery is not claimed while blocks are missing', async () => {
  const owners = crowd('o', 6)
  const rows = rowsOf([
    act(
      'liar',
      '',
      1,
      { do: 'create', contract: named('lie') },
      { do: 'token-name', token: named('lie'), symbol: 'ODD', name: 'Odd' },
    ),
    act('liar', named('lie'), 3, ...owners.map((owner) => transfer(named(owner), named('sink'), named('lie')))),
  ])
  rows.blocks = rows.blocks.filter((block) => block.block_number !== 2)
  await insertRows(store(), rows)
  await clean(named('liar'), named('lie'))
})
