import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { TABLES } from '../../schema/block.ts'
import { fraudBody } from '../../schema/records/fraud.ts'
import { MIXER_POOLS, MIXER_ROUTERS } from '../../schema/registry/mixers.ts'
import { writeLabels } from '../../scorer/labels/write.ts'
import { createWalletModel } from '../../scorer/model/wallet-model.ts'
import { createRescore, type Rescore, type ScoredWallet } from '../../scorer/rescore.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import { type Action, insertRows, named, rowsOf, settle, type Tx } from './scoring.world.ts'

let kit: TestStore
let scoring: Rescore
const context = { metrics: createMetrics(), clock: systemClock }
beforeAll(async () => {
  kit = await openTestStore()
  scoring = createRescore({ context, store: kit.store, model: createWalletModel() })
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const NOW = Date.UTC(2026, 0, 1)
const ETH = 10n ** 18n
const POOL_1 = [...MIXER_POOLS.ETH.values()].find(
  (pool) => pool.asset === '' && pool.denomination === String(ETH),
)!.address

const pay = (from: string, to: string, block: number, value = ETH): Tx => ({
  from: named(from),
  to: named(to),
  block,
  value,
})
const act = (from: string, to: string, block: number, ...actions: Action[]): Tx => ({
  from: named(from),
  to,
  block,
  call: true,
  actions,
})
const crowd = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

const score = async (...names: string[]): Promise<ScoredWallet[]> => scoring.rescore('ETH', names.map(named), NOW)
const flagsOf = (scored: ScoredWallet | undefined) => {
  const { forensic_details } = fraudBody.parse(JSON.parse(scored!.body))
  return Object.fromEntries(Object.entries(forensic_details).filter(([, value]) => value !== '0' && value !== ''))
}
const clean = async (...names: string[]) => {
  for (const [index, scored] of (await score(...names)).entries()) expect(flagsOf(scored), names[index]).toEqual({})
}

test('the mixer flag follows the mode: strict wants a habit, interaction any own use, neither minds what others send', async () => {
  const loose = createRescore({
    context,
    store: kit.store,
    model: createWalletModel(),
    options: { policy: { mixer: 'interaction' } },
  })
  await insertRows(
    kit.store,
    rowsOf([
      pay('src', 'once', 1, 100n * ETH),
      {
        ...act('once', POOL_1, 4, {
          do: 'authority',
          authority: POOL_1,
          event: 'mixer_deposit',
          subject: named('once'),
        }),
        value: ETH,
      },
      act('relayer', POOL_1, 5, {
        do: 'authority',
        authority: POOL_1,
        event: 'mixer_withdraw',
        subject: named('dusted'),
      }),
      pay('dusted', 'shop', 6),
    ]),
  )
  await clean('once', 'dusted')
  const [once, dusted] = await loose.rescore('ETH', [named('once'), named('dusted')], NOW)
  expect(flagsOf(once)).toEqual({ mixer: '1', data_source: 'mixer-interaction' })
  expect(once!.reasons[0]).toMatchObject({ evidence: { ownEvents: 1, transactions: ['0x4-0'] } })
  expect(flagsOf(dusted)).toEqual({})
})

/** A deposit into a contract which pays somebody else in the same transaction. */
const deposit = (who: string, contract: string, block: number, ...paid: [string, bigint][]): Tx => ({
  ...act(
    who,
    named(contract),
    block,
    ...paid.map(([to, amount]): Action => ({ do: 'internal', from: named(contract), to: named(to), amount })),
  ),
  value: ETH,
})

test('a contract that pays the early out of what the late deposit is a Ponzi scheme; auctions, lotteries, pools and splitters are not', async () => {
  const people = crowd('p', 14)
  const made = (maker: string, contract: string): Tx => act(maker, '', 1, { do: 'create', contract: named(contract) })
  const part = (share: bigint) => (ETH * share) / 100n
  await insertRows(
    kit.store,
    rowsOf([
      made('schemer', 'pyramid'),
      ...people.map((who, n) => {
        const early = people[Math.floor(n / 3)]!
        return deposit(
          who,
          'pyramid',
          10 + n,
          ['schemer', part(10n)],
          ...(n > 0 ? [[early, part(85n)] as [string, bigint]] : []),
        )
      }),
      // Every bidder gets his bid back from the next one: nobody gains.
      made('house', 'auction'),
      ...people.map((who, n) =>
        deposit(who, 'auction', 30 + n, ...(n > 0 ? [[people[n - 1]!, ETH] as [string, bigint]] : [])),
      ),
      // One winner takes it, whoever that is.
      made('casino', 'lottery'),
      ...people.map((who, n) =>
        deposit(
          who,
          'lottery',
          50 + n,
          ['casino', part(5n)],
          ...(n === 13 ? [['p7', 12n * ETH] as [string, bigint]] : []),
        ),
      ),
      // Rewards come from outside, and everybody fetches his own.
      made('farmer', 'farm'),
      pay('donor', 'farm', 70, 50n * ETH),
      ...people.map((who, n) => deposit(who, 'farm', 70 + n)),
      ...people.map((who, n) =>
        act(who, named('farm'), 90 + n, { do: 'internal', from: named('farm'), to: named(who), amount: 2n * ETH }),
      ),
      // What comes in goes to the owners, who pay nothing.
      made('artist', 'splitter'),
      ...people.map((who, n) => deposit(who, 'splitter', 110 + n, ['artist', part(50n)], ['band', part(50n)])),
    ]),
  )
  const [schemer, pyramid] = await score('schemer', 'pyramid')
  expect(flagsOf(schemer)).toEqual({ financial_crime: '1', data_source: 'ponzi-contract' })
  expect(flagsOf(pyramid)).toEqual({ financial_crime: '1', data_source: 'ponzi-contract' })
  expect(schemer!.reasons[0]).toMatchObject({
    code: 'FINANCIAL_CRIME',
    evidence: { contract: named('pyramid'), depositors: 14, winners: 5, losers: 9, transactions: { length: 10 } },
  })
  await clean('house', 'auction', 'casino', 'lottery', 'farmer', 'farm', 'artist', 'splitter', ...people)
})

const write = (from: string, to: string, block: number, message: string): Tx => ({
  ...pay(from, to, block, 0n),
  message,
})

test('threats with a demand to three receivers are blackmail; victims, bounty hunters, chatters and a single quarrel are not', async () => {
  const threat =
    'I have your photos and I will leak your photos to your family. Send 2 ETH to this address within 48 hours.'
  const people = crowd('v', 4)
  await insertRows(
    kit.store,
    rowsOf([
      ...people.map((who, n) => write('extorter', who, 1 + n, threat)),
      pay('v0', 'extorter', 20, 2n * ETH),
      // Somebody who was robbed, to the wallets that hold the loot.
      ...people.map((who, n) =>
        write(
          'robbed',
          who,
          1 + n,
          'You stole from us. Return the funds: send 90 ETH to this address within 24 hours, or we will expose your identity to the police.',
        ),
      ),
      ...people.map((who, n) =>
        write(
          'hunter',
          who,
          1 + n,
          'Your contract can be drained. This is a responsible disclosure; a bounty of 5 ETH to this address is welcome, before we publish the details of your files.',
        ),
      ),
      ...people.map((who, n) =>
        write('friend', who, 1 + n, 'gm! happy birthday, send me a photo of your family soon :)'),
      ),
      ...people.map((who, n) =>
        write('names', who, 1 + n, `renew vitalik.eth: please pay 0.01 ETH within 30 days, id ${n}`),
      ),
      ...people.map((who, n) =>
        write(
          'spy',
          who,
          1 + n,
          'I know what you did on that website. Pay up or your family and employer will get the video.',
        ),
      ),
      write('angry', 'v1', 9, threat),
      ...people.map((who, n) =>
        write('minter', who, 1 + n, `data:,{"p":"erc-20","op":"mint","tick":"pay 2 eth","id":"${n}"}`),
      ),
    ]),
  )
  const [extorter, angry, spy] = await score('extorter', 'angry', 'spy')
  expect(flagsOf(spy)).toEqual({ blackmail_activities: '1', data_source: 'extortion-message' })
  expect(flagsOf(extorter)).toEqual({ blackmail_activities: '1', data_source: 'extortion-message' })
  expect(extorter!.reasons[0]).toMatchObject({
    code: 'BLACKMAIL_ACTIVITIES',
    evidence: {
      receivers: 4,
      messages: [{ receiver: named('v0'), text: threat, transaction: '0x1-0' }, {}, {}, {}],
      payers: [{ payer: named('v0'), amount: 2e18, transaction: '0x14-0' }],
    },
  })
  expect(flagsOf(angry)).toEqual({})
  await clean('robbed', 'hunter', 'friend', 'names', 'minter', ...people)
})

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const UNLIMITED = 2n ** 256n - 1n
const MIXED_USDC = [...MIXER_POOLS.ETH.values()].find(({ symbol }) => symbol === 'USDC')!.address

test('who feeds approvers and then empties them mines them; pools their members leave, billers and payers are not', async () => {
  const members = (prefix: string) => crowd(prefix, 6)
  const fund = (who: string, block: number): Tx =>
    act('bank', USDC, block, { do: 'token', from: named('bank'), to: named(who), asset: USDC, amount: 1000n })
  const approve = (who: string, spender: string, block: number): Tx =>
    act(who, USDC, block, { do: 'approve', owner: named(who), spender: named(spender), asset: USDC, amount: UNLIMITED })
  const join = (prefix: string, spender: string): Tx[] =>
    members(prefix).flatMap((who, n) => [
      pay(`pal-${who}`, who, 1 + n),
      fund(who, 1 + n),
      approve(who, spender, 10 + n),
    ])
  const feed = (prefix: string, payer: string, times: number): Tx[] =>
    members(prefix).flatMap((who, n) =>
      Array.from({ length: times }, (_, time) => pay(payer, who, 20 + n + 10 * time, ETH / 100n)),
    )
  const take = (by: string, from: string, to: string, block: number, amount: bigint, contract = USDC): Tx =>
    act(by, contract, block, { do: 'token', from: named(from), to: named(to), asset: USDC, amount })
  await insertRows(
    kit.store,
    rowsOf([
      act('crook', '', 1, { do: 'create', contract: named('mine') }),
      ...join('a', 'mine'),
      ...feed('a', 'crook', 2),
      ...['a0', 'a1', 'a2'].map((who, n) => take('crook', who, 'sink', 9_000 + n, 1000n, named('mine'))),
      // Fed from a purse kept for the purpose.
      ...join('f', 'hand'),
      ...feed('f', 'purse', 2),
      ...['f0', 'f1', 'f2'].map((who, n) => take('hand', who, 'sink', 9_100 + n, 1000n)),
      // An employer whose people fell for it pays others too; a processor fed and gathered addresses of its own.
      ...['f0', 'f1', 'f2', 'clerk0', 'clerk1'].flatMap((who) =>
        [50, 60].map((at) => pay('boss', who, at, ETH / 100n)),
      ),
      ...feed('p', 'processor', 3).map((tx) => ({ ...tx, block: tx.block - 20 })),
      ...join('p', 'gather'),
      ...feed('p', 'processor', 2),
      ...['p0', 'p1', 'p2', 'p3'].map((who, n) => take('gather', who, 'processor', 9_200 + n, 1000n)),
      // Members stake and leave themselves, the pool pays rewards.
      act('chef', '', 1, { do: 'create', contract: named('stake') }),
      ...join('b', 'stake'),
      ...members('b').map((who, n) => take(who, who, 'stake', 100 + n, 1000n, named('stake'))),
      ...feed('b', 'chef', 3),
      // A biller takes its fee and refunds gas.
      ...join('c', 'biller'),
      ...feed('c', 'biller', 2),
      ...members('c').map((who, n) => take('biller', who, 'shop', 200 + n, 20n)),
      // Takes everything, but never fed anyone: another flag's business.
      ...join('d', 'broker'),
      take('broker', 'd0', 'vault', 300, 1000n),
      take('broker', 'd1', 'vault', 301, 1000n),
      // One debtor is emptied after two loans.
      ...join('e', 'lender'),
      ...feed('e', 'lender', 2),
      take('lender', 'e0', 'lender', 400, 1000n),
    ]),
  )
  const [crook, mine, hand] = await score('crook', 'mine', 'hand')
  for (const scored of [crook, mine, hand]) {
    expect(flagsOf(scored)).toMatchObject({
      malicious_mining_activities: '1',
      data_source: expect.stringContaining('fake-mining'),
    })
  }
  expect(crook!.reasons.find(({ code }) => code === 'MALICIOUS_MINING_ACTIVITIES')).toMatchObject({
    evidence: {
      spender: named('mine'),
      owners: 6,
      victims: [{ victim: named('a0'), amount: '1000', paidIn: ['0x14-0', '0x1e-0'] }, {}, {}],
    },
  })
  const [purse] = await score('purse')
  expect(flagsOf(purse)).toEqual({ malicious_mining_activities: '1', data_source: 'fake-mining' })
  expect(purse!.reasons[0]!.evidence).toMatchObject({ role: 'payer', spender: named('hand'), owners: 6 })
  await clean('boss', 'processor', 'chef', 'stake', 'biller', 'broker', 'lender', 'bank', 'a0', 'b0', 'c0', 'd0', 'e0')
})

const ROUTER = [...MIXER_ROUTERS.ETH.keys()][0]!
const BRIDGE = '0x49048044d57e1c92a77f79988d21fa8faf74e97e'

test('loot that goes straight on into mixers, bridges or a chain of fresh addresses is laundered; receiving, dust and spending are not', async () => {
  const bad = (name: string, over: object = {}) => ({
    network: 'ETH' as const,
    address: named(name),
    label: 'theft',
    detector: 'list',
    class: 'asserted' as const,
    confidence: 1,
    detector_version: '1',
    evidence: {},
    tx_hash: '',
    block_number: 0,
    foundAt: NOW,
    ...over,
  })
  await writeLabels(kit.store, [bad('thief'), bad('spammer', { label: 'honeypot' })])
  const forward = (from: string, to: string, block: number, value: bigint): Tx => ({ ...pay(from, to, block), value })
  const mix = (from: string, block: number, value = ETH): Tx => ({
    from: named(from),
    to: ROUTER,
    block,
    value,
    call: true,
  })
  const tenth = ETH / 10n
  await insertRows(
    kit.store,
    rowsOf([
      // Mixed within a day.
      pay('thief', 'washer', 100, 10n * ETH),
      ...Array.from({ length: 3 }, (_, n) => mix('washer', 110 + n)),
      // Over a bridge within the hour.
      pay('thief', 'hopper', 100, 10n * ETH),
      { from: named('hopper'), to: BRIDGE, block: 104, value: 95n * tenth, call: true },
      // Passed on and on through addresses nobody knew.
      pay('thief', 'peeler', 200, 10n * ETH),
      forward('peeler', 'peel1', 203, 99n * tenth),
      forward('peel1', 'peel2', 205, 98n * tenth),
      forward('peel2', 'peel3', 207, 97n * tenth),
      // Receives, and lives on.
      pay('thief', 'payee', 300, 10n * ETH),
      ...Array.from({ length: 5 }, (_, n) => pay('payee', `shop${n}`, 320 + n)),
      // Dusted, then uses a mixer with its own money.
      pay('bank', 'dusted', 10, 10n * ETH),
      pay('thief', 'dusted', 400, tenth),
      mix('dusted', 401),
      // An exchange: loot is a small part of what came in, and goes on with the rest.
      ...Array.from({ length: 20 }, (_, n) => pay(`user${n}`, 'hot', 300 + n, 5n * ETH)),
      pay('thief', 'hot', 321, 10n * ETH),
      { from: named('hot'), to: BRIDGE, block: 322, value: 50n * ETH, call: true },
      // The collector of a payment service: one hop to an address that has been there for long.
      pay('old', 'till', 1, ETH),
      pay('thief', 'deposit', 3_000, 10n * ETH),
      forward('deposit', 'till', 3_001, 99n * tenth),
      forward('till', 'vault', 3_002, 98n * tenth),
      forward('vault', 'cold', 3_003, 97n * tenth),
      // From an address known for something else.
      pay('spammer', 'seller', 500, 10n * ETH),
      mix('seller', 501),
    ]),
  )
  const names = ['washer', 'hopper', 'peeler']
  const scored = await score(...names)
  for (const [index, one] of scored.entries()) {
    expect(flagsOf(one), names[index]).toEqual({ money_laundering: '1', data_source: 'layering' })
  }
  const exits = scored.map((one) => one.reasons[0]!.evidence.exits)
  expect(exits).toMatchObject([
    [{ way: 'mixer', amount: 3e18, to: [ROUTER], transactions: ['0x6e-0', '0x6f-0', '0x70-0'] }],
    [{ way: 'bridge', amount: 9.5e18, to: [BRIDGE] }],
    [{ way: 'peel-chain', amount: 9.9e18, to: ['peel1', 'peel2', 'peel3'].map(named) }],
  ])
  expect(scored[0]!.reasons[0]).toMatchObject({
    code: 'MONEY_LAUNDERING',
    evidence: { share: 1, sources: [named('thief')], arrivals: [{ from: named('thief'), transaction: '0x64-0' }] },
  })
  await clean('payee', 'dusted', 'hot', 'deposit', 'till', 'vault', 'seller', 'peel2', 'peel3', 'shop0')
})

test('a thief who mixes what it took from its own victims launders it', async () => {
  const victims = crowd('w', 3)
  await insertRows(
    kit.store,
    rowsOf([
      ...victims.flatMap((who, n): Tx[] => [
        act('bank', USDC, 1 + n, { do: 'token', from: named('bank'), to: named(who), asset: USDC, amount: 10n ** 9n }),
        act(who, USDC, 10 + n, {
          do: 'approve',
          owner: named(who),
          spender: named('taker'),
          asset: USDC,
          amount: UNLIMITED,
        }),
        act('taker', USDC, 20 + n, {
          do: 'token',
          from: named(who),
          to: named('taker'),
          asset: USDC,
          amount: 10n ** 9n,
        }),
      ]),
      act('taker', MIXED_USDC, 30, {
        do: 'token',
        from: named('taker'),
        to: MIXED_USDC,
        asset: USDC,
        amount: 10n ** 9n,
      }),
    ]),
  )
  const [taker] = await score('taker')
  expect(flagsOf(taker)).toMatchObject({ stealing_attack: '1', money_laundering: '1' })
  expect(taker!.reasons.find(({ code }) => code === 'MONEY_LAUNDERING')).toMatchObject({
    evidence: { sources: victims.map(named), exits: [{ way: 'mixer', asset: USDC, amount: 1e9 }] },
  })
  await clean(...victims)
})

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const launch = (maker: string, token: string, block: number): Tx[] => [
  act(maker, '', block, { do: 'create', contract: named(token) }),
  act(
    maker,
    named('factory'),
    block + 1,
    { do: 'pool', pool: named(`${token}-p`), token0: named(token), token1: WETH },
    { do: 'liquidity', pool: named(`${token}-p`), event: 'add', amount0: 10n ** 6n, amount1: 100n * ETH },
  ),
]
const swap = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, named('router'), block, {
    do: 'swap',
    pool: named(`${token}-p`),
    amount0: -base / 10n ** 15n,
    amount1: base,
  })

test('a creator whose own wallets feign the trade of its token washes it; market makers, real trade and small change are not', async () => {
  /** Each trader buys and sells the same, five times over. */
  const rounds = (token: string, traders: readonly string[], from: number, size: bigint): Tx[] =>
    traders.flatMap((who, n) =>
      Array.from({ length: 10 }, (_, time) => swap(who, token, from + 20 * n + time, time % 2 === 0 ? size : -size)),
    )
  const trio = (prefix: string) => crowd(prefix, 3)
  await insertRows(
    kit.store,
    rowsOf([
      ...launch('washer', 'feign', 1),
      pay('washer', 'a0', 2),
      pay('a0', 'a1', 3),
      pay('washer', 'a2', 3),
      ...rounds('feign', trio('a'), 10, ETH),
      swap('guest', 'feign', 90, 2n * ETH),
      // A maker hired by the project, with money of its own.
      ...launch('project', 'hired', 1),
      ...trio('b').map((who) => pay('mmfirm', who, 2, 50n * ETH)),
      ...rounds('hired', trio('b'), 10, ETH),
      // The team trades, but most trade is other people's.
      ...launch('busy', 'loved', 1),
      ...trio('c').map((who) => pay('busy', who, 2)),
      ...rounds('loved', trio('c'), 10, ETH),
      ...crowd('fan', 20).map((who, n) => swap(who, 'loved', 100 + n, 2n * ETH)),
      // Too little to mislead anybody.
      ...launch('tester', 'tiny', 1),
      ...trio('d').map((who) => pay('tester', who, 2)),
      ...rounds('tiny', trio('d'), 10, ETH / 100n),
      // The team buys and keeps.
      ...launch('believer', 'kept', 1),
      ...trio('e').map((who) => pay('believer', who, 2)),
      ...trio('e').flatMap((who, n) =>
        Array.from({ length: 8 }, (_, time) => swap(who, 'kept', 10 + 20 * n + time, ETH)),
      ),
    ]),
  )
  const [washer] = await score('washer')
  expect(flagsOf(washer)).toEqual({ financial_crime: '1', data_source: 'wash-trading' })
  expect(washer!.reasons[0]).toMatchObject({
    evidence: { token: named('feign'), traders: trio('a').map(named), share: 0.9375, volume: 30e18, swaps: 30 },
  })
  await clean('project', 'busy', 'tester', 'believer', 'mmfirm', 'a0', 'b0', 'c0', 'guest', 'fan0')
})

test('dumping on the pool is a rug as withdrawing is; a founder who sells a part, or moves to another pool, commits none', async () => {
  const buyers = crowd('b', 4)
  await insertRows(
    kit.store,
    rowsOf([
      ...launch('dumper', 'down', 1),
      ...buyers.map((who, n) => swap(who, 'down', 10 + n, ETH)),
      swap('dumper', 'down', 50, -101n * ETH),
      ...launch('founder', 'fine', 1),
      ...buyers.map((who, n) => swap(who, 'fine', 10 + n, ETH)),
      swap('founder', 'fine', 50, -30n * ETH),
      // Takes all out of one pool and puts it into another.
      ...launch('mover', 'move', 1),
      ...buyers.map((who, n) => swap(who, 'move', 10 + n, ETH)),
      act('mover', named('router'), 50, {
        do: 'liquidity',
        pool: named('move-p'),
        event: 'remove',
        amount0: 900_000n,
        amount1: 104n * ETH,
      }),
      act(
        'mover',
        named('factory'),
        52,
        { do: 'pool', pool: named('move-q'), token0: named('move'), token1: WETH },
        { do: 'liquidity', pool: named('move-q'), event: 'add', amount0: 900_000n, amount1: 103n * ETH },
      ),
      // Buys back what it sells: gross sales are no take.
      ...launch('trader', 'churn', 1),
      ...buyers.map((who, n) => swap(who, 'churn', 10 + n, ETH)),
      ...Array.from({ length: 12 }, (_, n) => swap('trader', 'churn', 50 + n, n % 2 === 0 ? -20n * ETH : 19n * ETH)),
    ]),
  )
  const [dumper] = await score('dumper')
  expect(flagsOf(dumper)).toMatchObject({ financial_crime: '1', data_source: 'rug-executed' })
  expect(dumper!.reasons[0]).toMatchObject({ evidence: { by: 'dump', buyers: 4, reserveShare: 0.9712 } })
  await clean('founder', 'trader', 'mover', ...buyers)
})

test('who pays a dark-web service deals with it; who is paid by it, pays trifles, or pays someone else does not', async () => {
  const label = (name: string, what: string) => ({
    network: 'ETH' as const,
    address: named(name),
    label: what,
    detector: 'list',
    class: 'reported' as const,
    confidence: 1,
    detector_version: '1',
    evidence: {},
    tx_hash: '',
    block_number: 0,
    foundAt: NOW,
  })
  await writeLabels(kit.store, [label('market', 'darknet'), label('scam', 'phishing')])
  await insertRows(
    kit.store,
    rowsOf([
      pay('buyer', 'market', 1),
      pay('market', 'paid', 2),
      pay('paid', 'shop', 3),
      pay('curious', 'market', 4, ETH / 1_000n),
      pay('fooled', 'scam', 5),
    ]),
  )
  const [buyer] = await score('buyer')
  expect(flagsOf(buyer)).toEqual({ darkweb_transactions: '1', data_source: 'darknet-payment' })
  expect(buyer!.reasons[0]).toMatchObject({
    evidence: { services: [named('market')], payments: [{ amount: 1e18, transaction: '0x1-0' }] },
  })
  await clean('paid', 'curious', 'fooled', 'shop')
})

test('what is not final yet counts as well, and no longer counts once it was undone', async () => {
  const threat = 'I will leak your files to your family. Send 2 ETH to this address within 48 hours.'
  await writeLabels(kit.store, [
    {
      network: 'ETH',
      address: named('thief'),
      label: 'theft',
      detector: 'list',
      class: 'asserted',
      confidence: 1,
      detector_version: '1',
      evidence: {},
      tx_hash: '',
      block_number: 0,
      foundAt: NOW,
    },
  ])
  const early = [
    ...crowd('v', 2).map((who, n) => write('extorter', who, 1 + n, threat)),
    pay('thief', 'washer', 2, 5n * ETH),
  ]
  const late = [
    write('extorter', 'v2', 11, threat),
    { from: named('washer'), to: ROUTER, block: 12, value: 4n * ETH, call: true },
    ...launch('pairer', 'pair', 11),
    act('pairer', named('pair'), 12, { do: 'token-name', token: named('pair'), symbol: 'USDT', name: 'Tether USD' }),
  ]
  await insertRows(kit.store, rowsOf(early, { head: 10 }))
  await settle(kit.store, 'ETH', 10)
  await insertRows(kit.store, rowsOf([], { from: 11, head: 12 }), 'hot')
  await clean('extorter', 'washer')
  await insertRows(kit.store, rowsOf(late, { from: 11, head: 12 }), 'hot')
  const flags = (await score('extorter', 'washer', 'pairer')).map(flagsOf)
  expect(flags).toMatchObject([{ blackmail_activities: '1' }, { money_laundering: '1' }, { fake_token: '1' }])
  const gone = rowsOf(late, { from: 11, head: 12 })
  for (const table of TABLES) {
    const rows = gone[table].map((row) => `${JSON.stringify({ ...row, version: 2, is_deleted: 1 })}\n`)
    if (rows.length > 0) await kit.store.insert(`${table}_hot`, rows.join(''))
  }
  await insertRows(kit.store, rowsOf([], { from: 11, head: 11 }), 'hot')
  await clean('extorter', 'washer')
})

test('the links of a chain below a thief launder as well; the deposit address at its end and other fresh purses do not', async () => {
  const victims = crowd('w', 3)
  const hand = (from: string, to: string, block: number, tenths: bigint): Tx =>
    pay(from, to, block, (tenths * ETH) / 10n)
  await insertRows(
    kit.store,
    rowsOf([
      ...victims.flatMap((who, n): Tx[] => [
        act('bank', USDC, 1 + n, { do: 'token', from: named('bank'), to: named(who), asset: USDC, amount: 10n ** 9n }),
        act(who, USDC, 10 + n, {
          do: 'approve',
          owner: named(who),
          spender: named('taker'),
          asset: USDC,
          amount: UNLIMITED,
        }),
        act('taker', USDC, 20 + n, {
          do: 'token',
          from: named(who),
          to: named('taker'),
          asset: USDC,
          amount: 10n ** 9n,
        }),
      ]),
      pay('market', 'taker', 3_030, 10n * ETH),
      pay('old', 'hotwallet', 1),
      hand('taker', 'l1', 3_040, 99n),
      hand('l1', 'l2', 3_042, 98n),
      hand('l2', 'l3', 3_044, 97n),
      hand('l3', 'l4', 3_046, 96n),
      hand('l4', 'account', 3_048, 95n),
      hand('account', 'hotwallet', 3_050, 94n),
      hand('hotwallet', 'customer', 3_052, 93n),
      // The same shape without a thief above it.
      pay('market', 'm0', 3_040, 10n * ETH),
      hand('m0', 'm1', 3_042, 99n),
      hand('m1', 'm2', 3_044, 98n),
      hand('m2', 'm3', 3_046, 97n),
      hand('m3', 'm4', 3_048, 96n),
    ]),
  )
  const names = ['l1', 'l2', 'l3', 'l4']
  const scored = await score(...names)
  for (const [index, one] of scored.entries())
    expect(flagsOf(one), names[index]).toEqual(
      index < 3 ? { money_laundering: '1', data_source: 'layering' } : expect.anything(),
    )
  expect(scored[1]!.reasons[0]).toMatchObject({
    evidence: {
      upstream: ['taker', 'l1'].map(named),
      sources: [named('l1')],
      exits: [{ way: 'peel-chain', to: ['l3', 'l4'].map(named) }],
    },
  })
  await clean('account', 'hotwallet', 'customer', 'market', 'm0', 'm1', 'm2', 'm3', ...victims)
})

test('a thief who sells the loot first and mixes the proceeds, or hands them on together, launders it as well', async () => {
  const rob = (thief: string, prefix: string): Tx[] =>
    crowd(prefix, 3).flatMap((who, n): Tx[] => [
      act('bank', named('tok'), 1 + n, {
        do: 'token',
        from: named('bank'),
        to: named(who),
        asset: named('tok'),
        amount: 500n,
      }),
      act(who, named('tok'), 10 + n, {
        do: 'approve',
        owner: named(who),
        spender: named(thief),
        asset: named('tok'),
        amount: UNLIMITED,
      }),
      act(thief, named('tok'), 20 + n, {
        do: 'token',
        from: named(who),
        to: named(thief),
        asset: named('tok'),
        amount: 500n,
      }),
    ])
  const sell = (thief: string, block: number): Tx =>
    act(
      thief,
      named('router'),
      block,
      { do: 'token', from: named(thief), to: named('pool'), asset: named('tok'), amount: 700n },
      { do: 'internal', from: named('router'), to: named(thief), amount: 3n * ETH },
    )
  const hand = (from: string, to: string, block: number, tenths: bigint): Tx =>
    pay(from, to, block, (tenths * ETH) / 10n)
  await insertRows(
    kit.store,
    rowsOf([
      ...rob('mixer', 'x'),
      sell('mixer', 30),
      sell('mixer', 31),
      { from: named('mixer'), to: ROUTER, block: 40, value: 5n * ETH, call: true },
      ...rob('hander', 'y'),
      sell('hander', 30),
      sell('hander', 31),
      hand('hander', 'h1', 40, 58n),
      hand('h1', 'h2', 42, 57n),
      hand('h2', 'h3', 44, 56n),
      // Sells the loot and sits on it.
      ...rob('sitter', 'z'),
      sell('sitter', 30),
    ]),
  )
  const [mixer, hander, sitter] = await score('mixer', 'hander', 'sitter')
  for (const one of [mixer, hander]) expect(flagsOf(one)).toMatchObject({ money_laundering: '1', stealing_attack: '1' })
  expect(hander!.reasons.find(({ code }) => code === 'MONEY_LAUNDERING')).toMatchObject({
    evidence: { exits: [{ way: 'peel-chain', amount: 5.8e18, to: ['h1', 'h2', 'h3'].map(named) }] },
  })
  expect(flagsOf(sitter)).not.toHaveProperty('money_laundering')
})
