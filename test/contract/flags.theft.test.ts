import { expect, test } from 'vitest'
import { type Action, named, type Tx } from '../kit/world/transactions.ts'
import {
  act,
  acts,
  approve,
  coin,
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
} from './flags.kit.ts'

const { happened, score } = flagsKit()

test('who empties three approvers is a thief and a phisher; its victims, a router and a payroll puller are not', async () => {
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
    // A settler takes everything and gives something back in the same transaction.
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
    // A token minted without events: what its owners had is not known.
    ...['m1', 'm2', 'm3'].flatMap((m, n) => [
      ...acts(m, 1),
      approve(m, 'escrow', 10 + n, 'quiet'),
      act('escrow', 'quiet', 20 + n, move(m, 'partner', 5n, 'quiet')),
      act('escrow', 'quiet', 25 + n, move(m, 'partner', 5n, 'quiet')),
    ]),
    // Two victims are suspicion, not proof.
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
      evidence: { confidence: 0.9, victims: 3, drains: [{ victim: named('v1'), amount: '1000' }, {}, {}] },
    },
  ])
  for (const name of [...victims, 'biller', 'settler', 'maybe', 'bank', 'escrow', 'partner'])
    expect(flagsOf(scored.get(name)), name).toEqual({})
  expect(scored.get('maybe')!.reasons.map((reason) => reason.code)).toContain('DRAIN_VICTIMS')
})

test('a drainer is found however many payments others of the batch saw shared in the same ratio', async () => {
  const victims = crowd('v', 3)
  const merchants = crowd('m', 11)
  // A gateway empties deposit addresses: a fee for itself, the rest for the merchant.
  const deposits = merchants.flatMap((merchant, m) =>
    crowd(`d${m}-`, 200).map((deposit, n) =>
      token('gateway', 1 + m * 200 + n, move(deposit, 'fees', 200n), move(deposit, merchant, 800n)),
    ),
  )
  await happened(
    deposits,
    victims.flatMap((v) => life(v, 2_300)),
    victims.map((v, n) =>
      token('runner', 2_400 + n, move(v, 'boss', MILLION / 5n), move(v, `aff${n % 2}`, (MILLION * 4n) / 5n)),
    ),
  )
  const scored = await score([...merchants, 'fees', 'boss'])
  expect(flagsOf(scored.get('boss'))).toMatchObject({ data_source: 'drainer-split' })
  for (const name of [...merchants, 'fees']) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('operator and affiliates of a drainer share in fixed ratios; the operator is a cybercriminal', async () => {
  const victims = crowd('v', 4)
  await happened(
    victims.flatMap((v) => life(v, 1)),
    victims.map((v, n) =>
      token('runner', 20 + n, move(v, 'boss', MILLION / 5n), move(v, n % 2 ? 'aff1' : 'aff2', (MILLION * 4n) / 5n)),
    ),
    // Once through a contract of the drainer's.
    life('v4', 1),
    act(
      'runner',
      'tool',
      30,
      move('v4', 'tool', MILLION),
      move('tool', 'boss', MILLION / 5n),
      move('tool', 'aff1', (MILLION * 4n) / 5n),
    ),
  )
  const scored = await score(['boss', 'aff1', 'aff2', ...victims, 'v4'])
  expect(flagsOf(scored.get('boss'))).toEqual({
    cybercrime: '1',
    phishing_activities: '1',
    data_source: 'drainer-split',
  })
  expect(scored.get('boss')!.reasons.find((reason) => reason.code === 'CYBERCRIME')!.evidence).toMatchObject({
    role: 'operator',
    confidence: 0.97,
    victims: 5,
    affiliates: [named('aff1'), named('aff2')].sort(),
    splits: expect.arrayContaining([
      expect.objectContaining({ victim: named('v0'), ratio: 0.2, amount: String(MILLION), transaction: '0x14-0' }),
      expect.objectContaining({ victim: named('v4'), operator: named('boss'), affiliate: named('aff1') }),
    ]),
  })
  // aff2 shared twice only, too little to be looked at.
  expect(flagsOf(scored.get('aff1'))).toEqual({ phishing_activities: '1', data_source: 'drainer-split' })
  for (const honest of ['aff2', ...victims, 'v4']) expect(flagsOf(scored.get(honest)), honest).toEqual({})
})

test('coins that a fake claim splits convict operator and affiliates', async () => {
  const payers = crowd('p', 6)
  await happened(
    payers.flatMap((p) => life(p, 1)),
    act('maker', '', 2, { do: 'create', contract: named('trap') }),
    payers.map((p, n) => ({
      ...act(p, 'trap', 20 + n, coin('trap', 'boss', ETH / 5n), coin('trap', n % 2 ? 'aff1' : 'aff2', (ETH * 4n) / 5n)),
      value: ETH,
      selector: '0x5fba79f5',
    })),
  )
  const scored = await score(['boss', 'aff1', 'aff2', 'maker', ...payers])
  expect(flagsOf(scored.get('boss'))).toMatchObject({ cybercrime: '1', phishing_activities: '1' })
  for (const name of ['aff1', 'aff2']) expect(flagsOf(scored.get(name))).toMatchObject({ phishing_activities: '1' })
  for (const payer of payers) expect(flagsOf(scored.get(payer)), payer).toEqual({})
})

test('royalties, subscriptions, payment splitters and gateways share in fixed ratios and rob nobody', async () => {
  const buyers = crowd('b', 4)
  const subscribers = crowd('s', 4)
  const donors = crowd('d', 4)
  const deposits = crowd('g', 4)
  await happened(
    [...buyers, ...subscribers, ...donors].flatMap((name) => life(name, 1)),
    // Sales paid in a token: seller and artist share all the buyer has, the buyer gets the work.
    buyers.map((b, n) =>
      token('house', 20 + n, move(b, 'artist', MILLION / 10n), move(b, `seller${n}`, (MILLION * 9n) / 10n), {
        do: 'nft',
        from: named(`seller${n}`),
        to: named(b),
        asset: named('art'),
        id: BigInt(n),
      }),
    ),
    // Subscriptions take a part.
    subscribers.map((s, n) =>
      token('biller', 30 + n, move(s, 'platform', MILLION / 50n), move(s, `merchant${n}`, (MILLION * 4n) / 50n)),
    ),
    // A splitter everyone pays of their own will.
    donors.map((d, n) => ({
      ...act(d, 'splitter', 40 + n, coin('splitter', 'team', ETH / 5n), coin('splitter', `cause${n}`, (ETH * 4n) / 5n)),
      value: ETH,
    })),
    // A gateway empties deposit addresses that never signed anything.
    deposits.flatMap((g, n) => [
      token(`payer${n}`, 50 + n, move(`payer${n}`, g, MILLION)),
      token('gateway', 60 + n, move(g, 'fees', MILLION / 10n), move(g, `store${n}`, (MILLION * 9n) / 10n)),
    ]),
  )
  const names = [
    'artist',
    'house',
    'platform',
    'biller',
    'team',
    'fees',
    'gateway',
    'seller0',
    'merchant0',
    'cause0',
    'store0',
  ]
  const scored = await score(names)
  for (const name of names) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('relayers of payments and processors that pull from their own invoice addresses drain nobody', async () => {
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
    // By the customers' signatures: all they have goes to whom they like, a fee to the relayer.
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
    // The same by a thief, whose victims had coins of their own.
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
