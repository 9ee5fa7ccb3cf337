import { expect, test } from 'vitest'
import {
  act,
  coin,
  crowd,
  ETH,
  flagsKit,
  flagsOf,
  lies,
  life,
  lives,
  MILLION,
  move,
  pay,
  token,
  WEEK,
  WETH,
  wrap,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { happened, score } = flagsKit()

test('a drainer is found however many payments others of the batch shared in the same ratio', async () => {
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
    lives(victims, 2_300),
    victims.map((v, n) =>
      token('runner', 2_400 + WEEK + n, move(v, 'boss', MILLION / 5n), move(v, `aff${n % 2}`, (MILLION * 4n) / 5n)),
    ),
  )
  const scored = await score([...merchants, 'fees', 'boss'])
  expect(flagsOf(scored.get('boss'))).toMatchObject({ data_source: 'drainer-split' })
  for (const name of [...merchants, 'fees']) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('operator and affiliates of a drainer share in fixed ratios; the operator is a cybercriminal', async () => {
  const victims = crowd('v', 4)
  await happened(
    // Once through a contract of the drainer's.
    lives([...victims, 'v4'], 1),
    victims.map((v, n) =>
      token('runner', WEEK + n, move(v, 'boss', MILLION / 5n), move(v, n % 2 ? 'aff1' : 'aff2', (MILLION * 4n) / 5n)),
    ),
    act(
      'runner',
      'tool',
      WEEK + 10,
      move('v4', 'tool', MILLION),
      move('tool', 'boss', MILLION / 5n),
      move('tool', 'aff1', (MILLION * 4n) / 5n),
    ),
    // A stranger's token states that thousands paid the operator, which does not make it a service.
    lies('boss', 20_001, WEEK + 11, 'got'),
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
      expect.objectContaining({
        victim: named('v0'),
        ratio: 0.2,
        amount: { amount: '1000000', unit: 'USDC', usd: '1000000.00' },
        transaction: '0x44c-0',
      }),
      expect.objectContaining({ victim: named('v4'), operator: named('boss'), affiliate: named('aff1') }),
    ]),
  })
  // aff2 took part only twice, too rarely to be examined.
  expect(flagsOf(scored.get('aff1'))).toEqual({ phishing_activities: '1', data_source: 'drainer-split' })
  for (const honest of ['aff2', ...victims, 'v4']) expect(flagsOf(scored.get(honest)), honest).toEqual({})
})

test('coins split by a fake claim convict operator and affiliates', async () => {
  const payers = crowd('p', 6)
  await happened(
    lives(payers, 1),
    act('maker', '', 2, { do: 'create', contract: named('trap') }),
    payers.map((p, n) => ({
      ...act(
        p,
        'trap',
        WEEK + n,
        coin('trap', 'boss', ETH / 5n),
        coin('trap', n % 2 ? 'aff1' : 'aff2', (ETH * 4n) / 5n),
      ),
      value: ETH,
      selector: '0x5fba79f5',
    })),
  )
  const scored = await score(['boss', 'aff1', 'aff2', 'maker', ...payers])
  expect(flagsOf(scored.get('boss'))).toMatchObject({ cybercrime: '1', phishing_activities: '1' })
  for (const name of ['aff1', 'aff2']) expect(flagsOf(scored.get(name))).toMatchObject({ phishing_activities: '1' })
  for (const payer of payers) expect(flagsOf(scored.get(payer)), payer).toEqual({})
})

test('royalties, subscriptions, payment splitters and gateways share in fixed ratios without being drainers', async () => {
  const buyers = crowd('b', 4)
  const subscribers = crowd('s', 4)
  const donors = crowd('d', 4)
  const deposits = crowd('g', 4)
  await happened(
    lives([...buyers, ...subscribers, ...donors], 1),
    // Sales paid in a token: seller and artist share all the buyer has, the buyer gets the work.
    buyers.map((b, n) =>
      token('house', WEEK + 20 + n, move(b, 'artist', MILLION / 10n), move(b, `seller${n}`, (MILLION * 9n) / 10n), {
        do: 'nft',
        from: named(`seller${n}`),
        to: named(b),
        asset: named('art'),
        id: BigInt(n),
      }),
    ),
    // Subscriptions take a part.
    subscribers.map((s, n) =>
      token('biller', WEEK + 30 + n, move(s, 'platform', MILLION / 50n), move(s, `merchant${n}`, (MILLION * 4n) / 50n)),
    ),
    // A splitter that everybody pays voluntarily.
    donors.map((d, n) => ({
      ...act(
        d,
        'splitter',
        WEEK + 40 + n,
        coin('splitter', 'team', ETH / 5n),
        coin('splitter', `cause${n}`, (ETH * 4n) / 5n),
      ),
      value: ETH,
    })),
    // A gateway empties deposit addresses that never signed anything.
    deposits.flatMap((g, n) => [
      token(`payer${n}`, WEEK + 50 + n, move(`payer${n}`, g, MILLION)),
      token('gateway', WEEK + 60 + n, move(g, 'fees', MILLION / 10n), move(g, `store${n}`, (MILLION * 9n) / 10n)),
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

test('wrapped coins of the owner count as holdings and as what is left', async () => {
  const half = 50n * ETH
  const wraps = (name: string, n: number): Tx[] => [
    ...life(name, 1 + 10 * n),
    pay('bank', name, 4 + 10 * n, 100n * ETH),
    wrap(name, 5 + 10 * n, half),
  ]
  const shared = (by: string, of: string, block: number, amount: bigint, to: string, boss: string): Tx =>
    act(by, WETH, block, move(of, boss, amount / 5n, WETH), move(of, to, (amount * 4n) / 5n, WETH))
  const [victims, buyers] = [crowd('v', 6), crowd('b', 6)]
  await happened(
    victims.flatMap((v, n) => [...wraps(v, n), shared('runner', v, WEEK + n, half, `aff${n % 2}`, 'boss')]),
    // They receive the price and pay it; the wrapped coins remain.
    buyers.flatMap((b, n) => [
      ...wraps(b, n),
      act('bank', WETH, 6 + 10 * n, move('bank', b, half / 10n, WETH)),
      shared('till', b, WEEK + 10 + n, half / 10n, `shop${n % 2}`, 'platform'),
    ]),
  )
  const scored = await score(['boss', 'aff0', 'platform', 'shop0', ...buyers])
  expect(flagsOf(scored.get('boss'))).toMatchObject({ data_source: 'drainer-split' })
  expect(flagsOf(scored.get('aff0'))).toMatchObject({ data_source: 'drainer-split' })
  for (const name of ['platform', 'shop0', ...buyers]) expect(flagsOf(scored.get(name)), name).toEqual({})
})
