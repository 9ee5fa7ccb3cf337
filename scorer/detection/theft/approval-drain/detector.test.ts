import { expect, test } from 'vitest'
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
} from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, named, type Tx } from '../../../../test/kit/world/transactions.ts'

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
