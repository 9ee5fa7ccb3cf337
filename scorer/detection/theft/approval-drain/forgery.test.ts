/** Tokens with forged events: approvals in the name of others are no evidence against the named spender. */
import { expect, test } from 'vitest'
import {
  act,
  at,
  crowd,
  ETH,
  evidenceOf,
  flagsKit,
  flagsOf,
  MILLION,
  move,
  pay,
  lives as settled,
  token,
  USDC,
  WEEK,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, settle, type Tx } from '../../../../test/kit/world/transactions.ts'

const { store, happened, score, clean } = flagsKit()
const FAMOUS = ['famous0', 'famous1', 'famous2', 'famous3']
const OWNERS = ['owner0', 'owner1', 'owner2']
const THIEF = { phishing_activities: '1', stealing_attack: '1', cybercrime: '1', data_source: 'approval-drain' }

const approves = (owner: string, spender: string, asset: string, kind: 'fungible' | 'all' = 'fungible'): Action => ({
  do: 'approve',
  owner: at(owner),
  spender: at(spender),
  asset: at(asset),
  amount: kind === 'all' ? 1n : 100n,
  kind,
})
const lives = (names: readonly string[]): Tx[] =>
  names.flatMap((name, n) => [
    pay(`pal-${n}`, name, n, 2n * ETH),
    pay(name, `shop-${n}`, 10 + n),
    pay(name, `pal-${n}`, 11 + n, 1n),
  ])
/** Each owner receives some of an asset from somebody else. */
const given = (names: readonly string[], asset: string, block: number): Tx[] =>
  names.map((name) => act('mint', asset, block, move('mint', name, 100n, asset)))
/** Each owner approves a market of the asset in an own transaction. */
const signed = (names: readonly string[], asset: string, block: number): Tx[] =>
  names.map((name) => act(name, asset, block, approves(name, 'market', asset)))
/** Approvals that somebody else submits, and the transfers that rely on them. */
const relayed = (owners: readonly string[], spender: string, asset: string, block: number): Tx[] =>
  owners.flatMap((owner, n) => [
    act('relay', asset, block + 10 * n, approves(owner, spender, asset)),
    act(spender, asset, block + 10 * n + 1, move(owner, 'haul', 100n, asset)),
  ])
const transactionsOf = (evidence: unknown) => JSON.stringify(evidence).match(/0x[0-9a-f]+-[0-9a-f]+/g) ?? []

test('a token that forges approvals and movements of strangers convicts neither the accounts it lures nor the makers of contracts it uses', async () => {
  await happened(
    lives([...FAMOUS, 'lured', 'maker']),
    given(FAMOUS, 'trap', 30),
    act('maker', '', 35, { do: 'create', contract: named('router') }),
    act(
      'forger',
      'trap',
      40,
      ...FAMOUS.flatMap((one) => [approves(one, 'lured', 'trap'), approves(one, 'router', 'trap')]),
    ),
    act('lured', 'trap', 50, ...FAMOUS.slice(0, 2).map((one) => move(one, 'haul', 100n, 'trap'))),
    act('forger', 'router', 51, ...FAMOUS.slice(2).map((one) => move(one, 'haul', 100n, 'trap'))),
    act('forger', 'art', 60, ...FAMOUS.map((one) => approves(one, 'lured', 'art', 'all'))),
    act(
      'lured',
      'art',
      61,
      ...FAMOUS.map((one): Action => ({ do: 'nft', from: at(one), to: at('haul'), asset: at('art'), id: 1n })),
    ),
  )
  await clean('lured', 'maker', 'router', 'haul', ...FAMOUS)
  for (const scored of (await score(['lured', 'maker'])).values())
    expect(scored.reasons.map(({ code }) => code)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/DRAIN_VICTIMS|ACCOUNT_APPROVERS/)]),
    )
})

const HEIRS = ['heir0', 'heir1']
/** In a transaction of another party, a fifth of each owner's tokens goes to the till, the rest to one of the heirs. */
const shared = (signer: string, owners: readonly string[], asset: string, block: number): Tx[] =>
  owners.map((owner, n) =>
    act(signer, asset, block + n, move(owner, 'till', 20n, asset), move(owner, HEIRS[n % 2]!, 80n, asset)),
  )

test('loot that only a token reports makes nobody an operator or affiliate', async () => {
  await happened(lives([...FAMOUS, 'till', ...HEIRS]), given(FAMOUS, 'trap', 30), shared('forger', FAMOUS, 'trap', 40))
  await clean('till', 'forger', ...HEIRS, ...FAMOUS)
})

test('loot of owners who signed approvals themselves counts for any token once dollars show its value', async () => {
  const robbed = [...FAMOUS, ...OWNERS]
  const rich = crowd('rich', 4)
  await happened(
    lives(robbed),
    given(robbed, 'tok', 30),
    robbed.map((owner, n) => act(owner, 'tok', 31 + n, approves(owner, 'tool', 'tok'))),
    shared('runner', robbed, 'tok', WEEK),
  )
  await clean('till', ...HEIRS)
  await happened(
    settled(rich, WEEK + 20),
    rich.map((name, n) =>
      token(
        'runner',
        2 * WEEK + 20 + n,
        move(name, 'till', MILLION / 5n),
        move(name, HEIRS[n % 2]!, (MILLION * 4n) / 5n),
      ),
    ),
  )
  expect(evidenceOf((await score(['till'])).get('till'), 'PHISHING_ACTIVITIES')).toMatchObject({ victims: 11 })
  expect(flagsOf((await score(['till'])).get('till'))).toMatchObject({
    phishing_activities: '1',
    data_source: 'drainer-split',
  })
  expect(flagsOf((await score(['heir0'])).get('heir0'))).toMatchObject({ phishing_activities: '1' })
})

test('a few signatures of a forger buy only as many forged approvals', async () => {
  await happened(
    lives([...FAMOUS, 'lured']),
    given(FAMOUS, 'trap', 30),
    signed(['sybil'], 'trap', 31),
    relayed(FAMOUS, 'lured', 'trap', 40),
  )
  const lured = (await score(['lured'])).get('lured')
  expect(flagsOf(lured)).toEqual({})
  expect(evidenceOf(lured, 'DRAIN_VICTIMS')).toMatchObject({ value: 1 })
})

const DRAINED: [string, Tx[]][] = [
  [
    'a relayed permit of an asset that others approve themselves',
    [...signed(crowd('user', 3), 'tok', 20), ...relayed(OWNERS, 'thief', 'tok', 40)],
  ],
  [
    'a relayed permit of somebody who once moved the asset',
    [
      ...OWNERS.map((owner) => act(owner, 'tok', 21, move(owner, 'friend', 1n, 'tok'))),
      ...relayed(OWNERS, 'thief', 'tok', 40),
    ],
  ],
  ['a relayed permit of a canonical asset', relayed(OWNERS, 'thief', USDC, 40)],
  [
    'smart accounts whose bundler sends',
    [
      ...OWNERS.map((owner) => act('factory-user', '', 15, { do: 'create', contract: named(owner) })),
      ...signed(crowd('user', 3), 'tok', 20),
      ...OWNERS.flatMap((owner, n) => [
        act('bundler', 'entry-point', 40 + n, approves(owner, 'thief', 'tok')),
        act('thief', 'tok', 50 + n, move(owner, 'haul', 100n, 'tok')),
      ]),
    ],
  ],
  [
    'multisigs that members execute',
    OWNERS.flatMap((owner, n) => [
      act('member', owner, 40 + n, approves(owner, 'thief', 'tok')),
      act('thief', 'tok', 50 + n, move(owner, 'haul', 100n, 'tok')),
    ]),
  ],
]

test.each(DRAINED)('approvals that others send count when they are %s', async (_, deeds) => {
  await happened(lives(OWNERS), given(OWNERS, 'tok', 19), given(OWNERS, USDC, 19), deeds)
  const thief = (await score(['thief'])).get('thief')
  expect(flagsOf(thief)).toEqual(THIEF)
  const thefts = deeds.filter(({ from }) => from === named('thief')).map(({ block }) => `0x${block.toString(16)}-0`)
  expect(transactionsOf(evidenceOf(thief, 'STEALING_ATTACK'))).toEqual(expect.arrayContaining(thefts))
})

test('no crowd of relayed approvals discredits an honest asset', async () => {
  const flood = crowd('key', 400)
  await happened(
    lives(OWNERS),
    given(OWNERS, 'tok', 19),
    signed(crowd('user', 3), 'tok', 20),
    act('thief', 'tok', 30, ...flood.flatMap((one) => [approves(one, 'thief', 'tok'), approves(one, 'other', 'tok')])),
    relayed(OWNERS, 'thief', 'tok', 40),
    act('thief', 'tok', 90, ...flood.map((one) => approves(one, 'thief', 'tok'))),
  )
  expect(flagsOf((await score(['thief'])).get('thief'))).toEqual(THIEF)
})

test("a crowd that only a token names does not make a thief's contract a service", async () => {
  const grab = (owner: string, n: number) => act('maker', 'grab', 50 + n, move(owner, 'haul', 100n, USDC))
  await happened(
    lives(OWNERS),
    given(OWNERS, USDC, 19),
    act('maker', '', 30, { do: 'create', contract: named('grab') }),
    act('forger', 'trap', 31, ...crowd('name', 1_100).map((one) => approves(one, 'grab', 'trap'))),
    OWNERS.map((owner, n) => act(owner, USDC, 40 + n, approves(owner, 'grab', USDC))),
    OWNERS.map(grab),
  )
  expect(flagsOf((await score(['grab'])).get('grab'))).toEqual(THIEF)
})

test('a contract is no older than its creation, even if its address was named before', async () => {
  const late = 10_000
  const grab = (owner: string, n: number) => act('maker', 'grab', late + 50 + n, move(owner, 'haul', 100n, USDC))
  await happened(
    lives(OWNERS),
    act('maker', 'tok', 1, move('maker', 'grab', 0n, USDC)),
    given(OWNERS, USDC, late),
    act('maker', '', late + 30, { do: 'create', contract: named('grab') }),
    OWNERS.map((owner, n) => act(owner, USDC, late + 40 + n, approves(owner, 'grab', USDC))),
    OWNERS.map(grab),
  )
  expect(flagsOf((await score(['grab'])).get('grab'))).toEqual(THIEF)
})

test('approvals count for an account that used them; approvals by strangers prove nothing', async () => {
  const friends = crowd('friend', 5)
  await happened(
    lives(['known', 'puller']),
    given(friends, 'tok', 19),
    ...friends.map((one) => act(one, 'tok', 20, approves(one, 'known', 'tok'), approves(one, 'puller', 'tok'))),
    ...friends.map((one, n) => act('puller', 'tok', 30 + n, move(one, 'payee', 10n, 'tok'))),
    pay('known', 'shop', 40, 0n),
  )
  const scored = await score(['known', 'puller'])
  expect(evidenceOf(scored.get('known'), 'ACCOUNT_APPROVERS')).toBeUndefined()
  expect(evidenceOf(scored.get('puller'), 'ACCOUNT_APPROVERS')).toMatchObject({ value: 5 })
  expect(transactionsOf(evidenceOf(scored.get('puller'), 'ACCOUNT_APPROVERS'))).toEqual([
    '0x1e-0',
    '0x1f-0',
    '0x20-0',
    '0x21-0',
    '0x22-0',
  ])
})

test('hot rows count like final ones', async () => {
  const deeds = [
    ...lives(OWNERS),
    ...given(OWNERS, 'tok', 19),
    ...signed(crowd('user', 3), 'tok', 20),
    ...relayed(OWNERS, 'thief', 'tok', 40),
  ]
  const border = 20
  const [early, late] = [deeds.filter(({ block }) => block < border), deeds.filter(({ block }) => block >= border)]
  await insertRows(store(), rowsOf(early, { head: border - 1 }))
  await settle(store(), 'ETH', border - 1)
  await insertRows(store(), rowsOf(late, { from: border, head: 100 }), 'hot')
  expect(flagsOf((await score(['thief'])).get('thief'))).toEqual(THIEF)
})
