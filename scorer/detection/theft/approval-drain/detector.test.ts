import { expect, test } from 'vitest'
import { NETWORK_CODES, networkInfo } from '../../../../schema/networks.ts'
import { wrappedNative } from '../../../../schema/registry/index.ts'
import {
  act,
  acts,
  approve,
  crowd,
  ETH,
  flagsKit,
  flagsOf,
  life,
  MILLION,
  move,
  pay,
  token,
  USDC,
  unwraps,
  WETH,
  wrap,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, score, store } = flagsKit()

test('a spender who empties three approvers is a thief and a phisher; its victims, a router and a payroll puller are not', async () => {
  const victims = ['v1', 'v2', 'v3']
  const give = (to: string, block: number, amount = 1000n): Tx[] => [
    ...acts(to, block),
    act('bank', USDC, block, move('bank', to, amount)),
  ]
  const take = (by: string, from: string, to: string, block: number, amount: bigint, back?: Action): Tx =>
    act(by, USDC, block, move(from, to, amount), ...(back ? [back] : []))
  const shops = ['s1', 's2', 's3', 's4']
  await happened(
    ...victims.flatMap((v, n) => [
      ...give(v, 1 + n),
      approve(v, 'thief', 10 + n),
      take('thief', v, 'sink', 20 + n, 1000n),
    ]),
    // A subscription takes a small part from many.
    ...shops.flatMap((s, n) => [
      ...give(s, 1 + n),
      approve(s, 'biller', 10 + n),
      take('biller', s, 'sink', 20 + n, 50n),
    ]),
    // A settlement contract takes everything and pays something back in the same transaction.
    ...['t1', 't2', 't3'].flatMap((t, n) => [
      ...give(t, 1 + n),
      approve(t, 'settler', 10 + n),
      take('settler', t, 'market', 20 + n, 1000n, move('market', t, 900n, 'eur')),
    ]),
    // A contract that drains, called by its creator.
    act('crook', '', 5, { do: 'create', contract: named('claim') }),
    ...['w1', 'w2', 'w3'].flatMap((w, n) => [
      ...give(w, 1 + n),
      approve(w, 'claim', 30 + n),
      act('crook', 'claim', 40 + n, move(w, 'crook', 1000n)),
    ]),
    // A token minted without events: the balances of its owners are not known.
    ...['m1', 'm2', 'm3'].flatMap((m, n) => [
      ...acts(m, 1),
      approve(m, 'escrow', 10 + n, 'quiet'),
      act('escrow', 'quiet', 20 + n, move(m, 'partner', 5n, 'quiet')),
      act('escrow', 'quiet', 25 + n, move(m, 'partner', 5n, 'quiet')),
    ]),
    // Two victims justify a suspicion, not a conviction.
    ...['u1', 'u2'].flatMap((u, n) => [
      ...give(u, 1 + n),
      approve(u, 'maybe', 10 + n),
      take('maybe', u, 'sink', 20 + n, 1000n),
    ]),
  )
  const scored = await score([
    'thief',
    ...victims,
    'biller',
    'settler',
    'crook',
    'claim',
    'maybe',
    'bank',
    'escrow',
    'partner',
  ])
  const theft = { cybercrime: '1', phishing_activities: '1', stealing_attack: '1', data_source: 'approval-drain' }
  expect(flagsOf(scored.get('thief'))).toEqual(theft)
  expect(flagsOf(scored.get('claim'))).toEqual(theft)
  expect(flagsOf(scored.get('crook'))).toEqual({ ...theft, number_of_malicious_contracts_created: '1' })
  expect(scored.get('thief')!.reasons.slice(0, 2)).toMatchObject([
    { code: 'CYBERCRIME', evidence: { attacks: [{ flag: 'phishing_activities' }, { flag: 'stealing_attack' }] } },
    {
      code: 'PHISHING_ACTIVITIES',
      evidence: {
        confidence: 0.9,
        victims: 3,
        drains: [{ victim: named('v1'), amount: { amount: '0.001', unit: 'USDC', usd: '0.00' } }, {}, {}],
      },
    },
  ])
  for (const name of [...victims, 'biller', 'settler', 'maybe', 'bank', 'escrow', 'partner'])
    expect(flagsOf(scored.get(name)), name).toEqual({})
  expect(scored.get('maybe')!.reasons.map((reason) => reason.code)).toContain('DRAIN_VICTIMS')
})

test('payment relayers and processors that pull from their own invoice addresses drain nobody', async () => {
  const customers = crowd('c', 5)
  const invoices = crowd('i', 5)
  const allowed = (owner: string, spender: string): Action => ({
    do: 'approve',
    owner: named(owner),
    spender: named(spender),
    asset: USDC,
    amount: MILLION,
  })
  await happened(
    customers.flatMap((c) => life(c, 1)),
    // Signed by the customers: everything goes to receivers of their choice, a fee to the relayer.
    customers.map((c, n) =>
      token(
        'relayer',
        20 + n,
        allowed(c, 'relayer'),
        move(c, `payee${n}`, (MILLION * 98n) / 100n),
        move(c, 'relayer', MILLION / 50n),
      ),
    ),
    act('company', '', 2, { do: 'create', contract: named('gather') }),
    invoices.flatMap((i, n) => [
      token(`buyer${n}`, 30 + n, move(`buyer${n}`, i, MILLION)),
      pay('company', i, 40 + n, ETH / 500n),
      token(i, 50 + n, allowed(i, 'gather')),
      act('company', 'gather', 60 + n, move(i, 'company', MILLION)),
    ]),
    // The same by a thief; the victims had coins of their own.
    act('crook', '', 2, { do: 'create', contract: named('grab') }),
    crowd('v', 5).flatMap((v, n) => [
      ...life(v, 1),
      token(v, 50 + n, allowed(v, 'grab')),
      act('crook', 'grab', 60 + n, move(v, 'crook', MILLION)),
    ]),
  )
  const scored = await score(['relayer', 'company', 'gather', 'crook', 'payee0', ...invoices])
  expect(flagsOf(scored.get('crook'))).toMatchObject({ stealing_attack: '1', data_source: 'approval-drain' })
  for (const name of ['relayer', 'company', 'gather', 'payee0', ...invoices])
    expect(flagsOf(scored.get(name)), name).toEqual({})
})

const THEFT = { cybercrime: '1', phishing_activities: '1', stealing_attack: '1', data_source: 'approval-drain' }

/** Three owners who wrapped coins and approved a thief; a router wrapped for one of them. */
const wrappersRobbed = (asset: string): Tx[] => [
  ...crowd('v', 3).flatMap((v) => acts(v, 1)),
  ...['v0', 'v1'].map((v, n) => wrap(v, 4 + n, ETH / 2n, asset)),
  {
    ...pay('v2', 'router', 6, ETH / 2n),
    actions: [
      { do: 'internal', from: named('router'), to: asset, amount: ETH / 2n },
      { do: 'wrap', holder: named('router'), asset, amount: ETH / 2n, way: 'in' },
      move('router', 'v2', ETH / 2n, asset),
    ],
  },
  ...crowd('v', 3).flatMap((v, n) => [
    approve(v, 'thief', 10 + n, asset),
    act('thief', asset, 20 + n, move(v, 'sink', ETH / 2n, asset)),
  ]),
]

test('wrapped coins belong to owners who wrapped them themselves, on each EVM network', async () => {
  const networks = NETWORK_CODES.filter((network) => networkInfo(network).family === 'evm')
  for (const network of networks)
    await insertRows(store(), rowsOf(wrappersRobbed(wrappedNative(network)?.address ?? ''), { network }))
  for (const network of networks) {
    const scored = await score(['thief', 'v0', 'v2', 'router'], network)
    expect(flagsOf(scored.get('thief')), network).toEqual(THEFT)
    for (const name of ['v0', 'v2', 'router']) expect(flagsOf(scored.get(name)), `${network} ${name}`).toEqual({})
  }
})

test('wrapped coins are part of what is left, and unwrapped coins are not taken', async () => {
  const subscribers = crowd('s', 4)
  const accounts = crowd('a', 4)
  const addresses = crowd('d', 5)
  await happened(
    // They received no more than the price, and wrapped ten times as much.
    subscribers.flatMap((s, n) => [
      ...acts(s, 1),
      wrap(s, 4, ETH / 2n),
      act('bank', WETH, 5, move('bank', s, ETH / 20n, WETH)),
      approve(s, 'biller', 10 + n, WETH),
      act('biller', WETH, 20 + n, move(s, 'shop', ETH / 20n, WETH)),
    ]),
    // A bundler that they approved submits their operations. Their coins are not seen to return.
    accounts.flatMap((a, n) => [
      ...acts(a, 1),
      wrap(a, 4, ETH / 2n),
      approve(a, 'bundler', 10 + n, WETH),
      act('bundler', 'entry', 20 + n, { do: 'wrap', holder: named(a), asset: WETH, amount: ETH / 2n, way: 'out' }),
    ]),
    // Deposit addresses pay nobody: deposits are wrapped before an exchange collects them.
    addresses.flatMap((d, n) => [
      pay(`user${n}`, d, 1 + n, ETH),
      wrap(d, 10 + n, (ETH * 9n) / 10n),
      approve(d, 'collector', 20 + n, WETH),
      act('collector', WETH, 30 + n, move(d, 'hot', (ETH * 9n) / 10n, WETH)),
    ]),
  )
  await clean('biller', 'shop', 'bundler', 'collector', 'hot', ...addresses)
})

test('a spender who unwraps what it takes may have paid the owner if internal payments are not visible', async () => {
  const swap = (who: string, settler: string, block: number): Tx[] => [
    ...life(who, 1),
    approve(who, settler, block),
    act(
      `${settler}-bot`,
      settler,
      block + 1,
      move(who, 'dollar-pool', MILLION),
      move('dollar-pool', settler, ETH, WETH),
      ...unwraps(settler).slice(0, 1),
    ),
  ]
  const rows = rowsOf([
    act('dev', '', 5, { do: 'create', contract: named('settler') }),
    ...crowd('u', 4).flatMap((u, n) => swap(u, 'settler', 10 + 2 * n)),
    // The same, where a block shows that nothing returned.
    act('crook', '', 5, { do: 'create', contract: named('grab') }),
    ...crowd('v', 4).flatMap((v, n) => swap(v, 'grab', 50 + 2 * n)),
  ])
  await insertRows(store(), {
    ...rows,
    blocks: rows.blocks.map((row) => ({ ...row, sees_traces: row.block_number < 50 ? 0 : 1 })),
  })
  await clean('dev', 'settler', 'dollar-pool')
  expect(flagsOf((await score(['grab'])).get('grab'))).toEqual(THEFT)
})

test('hundreds of later approvals by one account hide no victims, nor do approvals of its own tokens', async () => {
  const robbed = (thief: string, asset: string): Tx[] =>
    ['v1', 'v2', 'v3'].flatMap((one, n) => {
      const victim = `${one}${thief}`
      return [
        ...acts(victim, 1 + n),
        act('bank', asset, 2 + n, move('bank', victim, 1_000n, asset)),
        approve(victim, thief, 10 + n, asset),
        act(thief, asset, 20 + n, move(victim, 'sink', 1_000n, asset)),
      ]
    })
  const grants = (thief: string): Tx =>
    act(
      'pal',
      'maker',
      100,
      ...crowd('t', 1_001).map(
        (one): Action => ({ do: 'approve', owner: named('pal'), spender: named(thief), asset: named(one), amount: 9n }),
      ),
    )
  await happened(robbed('thief', USDC), grants('thief'), robbed('robber', 'coin'), grants('robber'))
  for (const guilty of (await score(['thief', 'robber'])).values())
    expect(flagsOf(guilty)).toMatchObject({ stealing_attack: '1', data_source: 'approval-drain' })
})
