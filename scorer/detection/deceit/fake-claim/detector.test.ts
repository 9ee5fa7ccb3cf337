import { expect, test } from 'vitest'
import { act, flagsKit, flagsOf } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { happened, score } = flagsKit()
const ETH = 10n ** 18n

const owners = (prefix: string, count = 3): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
const coin = (from: string, to: string, amount: bigint): Action => ({
  do: 'internal',
  from: named(from),
  to: named(to),
  amount,
})

const CLAIM = '0x4e71d92d'
const claim = (payer: string, contract: string, block: number, ...actions: Action[]): Tx => ({
  ...act(payer, contract, block, ...actions),
  value: ETH,
  selector: CLAIM,
})

test('a fake claim convicts its contract and its maker; payers stay clear', async () => {
  await happened(
    act('faker', '', 1, { do: 'create', contract: named('trap') }),
    owners('p', 6).map((p, n) =>
      claim(p, 'trap', 10 + n, coin('trap', 'boss', ETH / 5n), coin('trap', 'helper', (ETH * 4n) / 5n)),
    ),
  )
  const scored = await score(['faker', 'trap', ...owners('p', 6)])
  const phish = { phishing_activities: '1', data_source: 'fake-claim' }
  expect(flagsOf(scored.get('faker'))).toEqual(phish)
  expect(flagsOf(scored.get('trap'))).toEqual(phish)
  expect(scored.get('faker')!.reasons[0]!.evidence).toMatchObject({
    contract: named('trap'),
    payers: 6,
    paid: { amount: '6', unit: 'ETH', usd: '12000.00' },
    selectors: [CLAIM],
    takers: [named('helper'), named('boss')],
    transactions: expect.arrayContaining(['0xa-0']),
  })
  for (const payer of owners('p', 6)) expect(flagsOf(scored.get(payer)), payer).toEqual({})
})

test('daily claims of points for cents are no fake claims', async () => {
  const fans = owners('f', 8)
  await happened(
    act('dapp', '', 1, { do: 'create', contract: named('daily') }),
    fans.map((f, n) => ({ ...claim(f, 'daily', 10 + n, coin('daily', 'dapp', ETH / 10_000n)), value: ETH / 10_000n })),
  )
  const scored = await score(['dapp', 'daily'])
  for (const name of ['dapp', 'daily']) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('claims that give tokens, refund, keep the coins, have other names or are old are no fake claims', async () => {
  const contracts = ['airdrop', 'lottery', 'escrow', 'shop', 'elder', 'vesting']
  await happened(
    act('maker', '', 1, ...contracts.map((name): Action => ({ do: 'create', contract: named(name) }))),
    owners('p', 6).flatMap((p, n) => [
      claim(p, 'airdrop', 10 + n, coin('airdrop', 'maker', ETH), {
        do: 'token',
        from: named('airdrop'),
        to: named(p),
        asset: named('tok'),
        amount: 5n,
      }),
      claim(p, 'lottery', 20 + n, coin('lottery', p, ETH / 2n), coin('lottery', 'maker', ETH / 2n)),
      claim(p, 'escrow', 30 + n),
      { ...act(p, 'shop', 40 + n, coin('shop', 'maker', ETH)), value: ETH },
      claim(p, 'elder', 5000 + n, coin('elder', 'maker', ETH)),
      claim(p, 'vesting', 60 + n, coin('vesting', 'maker', ETH)),
      act('maker', 'tok', 90 + n, { do: 'token', from: named('maker'), to: named(p), asset: named('tok'), amount: 5n }),
    ]),
  )
  const scored = await score(['maker', ...contracts])
  for (const name of ['maker', ...contracts]) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('hundreds of zero payments by an accomplice hide no victims and do not lower the average payment', async () => {
  await happened(
    act('faker', '', 1, { do: 'create', contract: named('trap') }),
    Array.from({ length: 310 }, () => ({ ...claim('puppet', 'trap', 2), value: 1n })),
    owners('p', 12).map((p, n) => claim(p, 'trap', 10 + n, coin('trap', 'boss', ETH))),
  )
  const scored = await score(['faker', 'trap'])
  for (const name of ['faker', 'trap'])
    expect(flagsOf(scored.get(name)), name).toMatchObject({ data_source: 'fake-claim' })
})

test('accomplices among the payers clear nobody: served ones, ones paid cents, or ones that take everything', async () => {
  const pay = (from: string, to: string, block: number): Tx => ({ from: named(from), to: named(to), block, value: ETH })
  const traps = ['served', 'cheap', 'boss'].map((name) => ({ name, maker: `maker-${name}`, friend: `friend-${name}` }))
  const victims = (name: string) => owners(`${name}-v`, 8)
  await happened(
    traps.flatMap(({ name, maker }) => [
      pay(`src-${name}`, maker, 0),
      act(maker, '', 1, { do: 'create', contract: named(name) }),
    ]),
    victims('served').map((v, n) => claim(v, 'served', 10 + n, coin('served', 'thief', ETH))),
    // Users that the maker had funded get their coins back.
    pay('maker-served', 'friend-served', 2),
    claim('friend-served', 'served', 9, coin('served', 'friend-served', ETH)),
    // A stranger to the maker pays a wei and gets it back.
    pay('elsewhere', 'friend-cheap', 2),
    victims('cheap').map((v, n) => claim(v, 'cheap', 10 + n, coin('cheap', 'thief', ETH))),
    { ...claim('friend-cheap', 'cheap', 9, coin('cheap', 'friend-cheap', 1n)), value: 1n },
    // The taker of the others' payments has paid as well.
    pay('src-boss', 'friend-boss', 2),
    claim('friend-boss', 'boss', 9),
    victims('boss').map((v, n) => claim(v, 'boss', 10 + n, coin('boss', 'friend-boss', ETH))),
    // A lottery of strangers: one of ten won it all.
    act('house', '', 1, { do: 'create', contract: named('lottery') }),
    owners('g', 10).flatMap((g, n) => [pay(`bank-${g}`, g, 0), claim(g, 'lottery', 10 + n)]),
    act('house', 'lottery', 30, coin('lottery', 'g3', 9n * ETH)),
  )
  const scored = await score([...traps.flatMap(({ name, maker }) => [name, maker]), 'lottery', 'house', 'g3'])
  for (const { name, maker } of traps)
    for (const one of [name, maker])
      expect.soft(flagsOf(scored.get(one)), one).toMatchObject({ phishing_activities: '1', data_source: 'fake-claim' })
  for (const one of ['lottery', 'house', 'g3']) expect(flagsOf(scored.get(one)), one).toEqual({})
})
