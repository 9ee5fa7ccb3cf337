import { expect, test } from 'vitest'
import { DEX_FACTORIES } from '../../../../schema/registry/contracts.ts'
import {
  act,
  announced,
  coin,
  crowd,
  ETH,
  FACTORY,
  flagsKit,
  flagsOf,
  launch,
  move,
  pay,
  USDC,
  WETH,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, score, verdicts } = flagsKit()

const pull = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'liquidity',
    pool: named(`${token}-p`),
    event: 'remove',
    amount0: 900_000n,
    amount1: base,
  })
const swap = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'swap',
    pool: named(`${token}-p`),
    amount0: -base / 10n ** 15n,
    amount1: base,
  })

test('a creator who takes the reserve after others bought commits a rug pull; one who leaves an unused or old pool does not', async () => {
  const buyers = ['b1', 'b2', 'b3', 'b4']
  await happened(
    ...launch('rugger', 'rug', 1),
    ...buyers.map((b, n) => swap(b, 'rug', 10 + n, ETH)),
    pull('rugger', 'rug', 50, 103n * ETH),
    // Nobody bought: the creator withdraws its own money.
    ...launch('quitter', 'quit', 1),
    pull('quitter', 'quit', 50, 100n * ETH),
    // Others bought, the creator withdraws a part.
    ...launch('honest', 'fair', 1),
    ...buyers.map((b, n) => swap(b, 'fair', 10 + n, ETH)),
    pull('honest', 'fair', 50, 30n * ETH),
    // Long after launch.
    ...launch('old', 'aged', 1),
    ...buyers.map((b, n) => swap(b, 'aged', 10 + n, ETH)),
    pull('old', 'aged', 5000, 103n * ETH),
    // A provider who did not create the token.
    ...launch('maker', 'meme', 1),
    act('lp', 'router', 5, {
      do: 'liquidity',
      pool: named('meme-p'),
      event: 'add',
      amount0: 1n,
      amount1: 900n * ETH,
    }),
    ...buyers.map((b, n) => swap(b, 'meme', 10 + n, ETH)),
    pull('lp', 'meme', 50, 902n * ETH),
  )
  const scored = await score(['rugger', 'quitter', 'honest', 'old', 'lp', 'maker', ...buyers])
  expect(flagsOf(scored.get('rugger'))).toEqual({
    financial_crime: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'rug-executed',
  })
  expect(scored.get('rugger')!.reasons[0]).toMatchObject({
    evidence: { buyers: 4, reserveShare: 0.9904, transactions: [expect.stringMatching(/^0x32-/)] },
  })
  for (const name of ['quitter', 'honest', 'old', 'lp', 'maker', ...buyers])
    expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('dumping on the pool is a rug pull like withdrawing; a founder who sells a part, or moves to another pool, commits none', async () => {
  const buyers = crowd('b', 4)
  await happened(
    ...launch('dumper', 'down', 1),
    ...buyers.map((who, n) => swap(who, 'down', 10 + n, ETH)),
    swap('dumper', 'down', 50, -101n * ETH),
    ...launch('founder', 'fine', 1),
    ...buyers.map((who, n) => swap(who, 'fine', 10 + n, ETH)),
    swap('founder', 'fine', 50, -30n * ETH),
    // Withdraws everything from one pool and deposits it into another.
    ...launch('mover', 'move', 1),
    ...buyers.map((who, n) => swap(who, 'move', 10 + n, ETH)),
    pull('mover', 'move', 50, 104n * ETH),
    act(
      'mover',
      named('factory'),
      52,
      { do: 'pool', pool: named('move-q'), token0: named('move'), token1: WETH, factory: FACTORY },
      { do: 'liquidity', pool: named('move-q'), event: 'add', amount0: 900_000n, amount1: 103n * ETH },
    ),
    // Buys back what it sells: gross sales are no profit.
    ...launch('trader', 'churn', 1),
    ...buyers.map((who, n) => swap(who, 'churn', 10 + n, ETH)),
    ...Array.from({ length: 12 }, (_, n) => swap('trader', 'churn', 50 + n, n % 2 === 0 ? -20n * ETH : 19n * ETH)),
  )
  const [dumper] = await verdicts('dumper')
  expect(flagsOf(dumper)).toMatchObject({ financial_crime: '1', data_source: 'rug-executed' })
  expect(dumper!.reasons[0]).toMatchObject({ evidence: { by: 'dump', buyers: 4, reserveShare: 0.9712 } })
  await clean('founder', 'trader', 'mover', ...buyers)
})

const add = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'liquidity',
    pool: named(`${token}-p`),
    event: 'add',
    amount0: 900_000n,
    amount1: base,
  })

test('a creator who moves liquidity to another range or base, or closes and refunds its buyers, commits no rug pull', async () => {
  const buyers = crowd('b', 4)
  const bought = (token: string) => buyers.map((who, n) => swap(who, token, 10 + n, ETH))
  await happened(
    // Withdraws and deposits again, all at once or by halves, day after day.
    ...launch('ranger', 'range', 1),
    ...bought('range'),
    pull('ranger', 'range', 50, 104n * ETH),
    add('ranger', 'range', 51, 104n * ETH),
    ...Array.from({ length: 6 }, (_, n) => [
      pull('ranger', 'range', 60 + 2 * n, 52n * ETH),
      add('ranger', 'range', 61 + 2 * n, 52n * ETH),
    ]).flat(),
    // From a pool with coins into one with dollars.
    ...launch('changer', 'change', 1),
    ...bought('change'),
    pull('changer', 'change', 50, 104n * ETH),
    act(
      'changer',
      named('factory'),
      52,
      { do: 'pool', pool: named('change-q'), token0: named('change'), token1: USDC, factory: FACTORY },
      { do: 'liquidity', pool: named('change-q'), event: 'add', amount0: 900_000n, amount1: 300_000n * 10n ** 6n },
    ),
    // Gives up, and refunds the buyers.
    ...launch('closer', 'close', 1),
    ...bought('close'),
    pull('closer', 'close', 50, 104n * ETH),
    ...buyers.map((who, n) => pay('closer', who, 60 + n, ETH)),
    // Moves its position first and withdraws everything later.
    ...launch('patient', 'late', 1),
    ...bought('late'),
    pull('patient', 'late', 50, 104n * ETH),
    add('patient', 'late', 51, 104n * ETH),
    pull('patient', 'late', 900, 104n * ETH),
    // Pays strangers, not its buyers.
    ...launch('generous', 'gone', 1),
    ...bought('gone'),
    pull('generous', 'gone', 50, 104n * ETH),
    ...crowd('friend', 4).map((who, n) => pay('generous', who, 60 + n, ETH)),
    // Pays three of eight buyers, who may be its own.
    ...launch('partner', 'shared', 1),
    ...crowd('c', 8).map((who, n) => swap(who, 'shared', 10 + n, ETH)),
    pull('partner', 'shared', 50, 108n * ETH),
    ...crowd('c', 3).map((who, n) => pay('partner', who, 60 + n, 30n * ETH)),
  )
  for (const bad of await verdicts('patient', 'generous', 'partner'))
    expect(flagsOf(bad)).toMatchObject({ financial_crime: '1', data_source: 'rug-executed' })
  await clean('ranger', 'changer', 'closer', ...buyers)
})

test('liquidity moved into a pool whose events state no amounts counts by what the creator moved', async () => {
  const V4 = [...DEX_FACTORIES.ETH.values()].find(({ kind }) => kind === 'v4')!.address.toLowerCase()
  const names = ['mover', 'migrator', 'wrapper', 'keeper', 'dusty', 'splitter', 'mailer']
  const removes = (who: string): Action => ({
    ...{ do: 'liquidity', pool: named(`${who}-t-p`), event: 'remove' },
    ...{ amount0: 900_000n, amount1: 104n * ETH },
  })
  const adds = (who: string, block: number, ...others: Action[]): Tx =>
    act(
      who,
      'positions',
      block,
      ...others,
      { do: 'pool', pool: named(`${who}-4`), token0: '', token1: named(`${who}-t`), factory: V4, kind: 'v4' },
      { do: 'liquidity', pool: named(`${who}-4`), event: 'add', amount0: 0n, amount1: 0n },
    )
  await happened(
    names.map((who) => pay('pump', who, 1, 200n * ETH)),
    names.flatMap((who) => launch(who, `${who}-t`, 1)),
    names.flatMap((who) => crowd('b', 4).map((buyer, n) => swap(buyer, `${who}-t`, 10 + n, ETH))),
    ['mover', 'wrapper', 'dusty', 'splitter'].map((who) =>
      act(who, 'router', 50, removes(who), move(`${who}-t-p`, who, 104n * ETH, WETH)),
    ),
    // Brings it later: coins, or wrapped ones of which some are paid back.
    adds('mover', 52, coin('mover', V4, 103n * ETH)),
    adds('wrapper', 52, move('wrapper', V4, 120n * ETH, WETH), coin(V4, 'wrapper', 16n * ETH)),
    // At once, through a contract that moves positions.
    adds('migrator', 50, removes('migrator'), move('migrator-t-p', V4, 104n * ETH, WETH)),
    // Keep it, and bring a trifle.
    adds('keeper', 50, removes('keeper'), move('keeper-t-p', 'keeper', 104n * ETH, WETH), coin('keeper', V4, ETH)),
    adds('dusty', 52, coin('dusty', V4, ETH)),
    // Send it to somebody else in the transaction that brings a trifle.
    adds('splitter', 52, coin('splitter', 'friend', 103n * ETH), coin('splitter', V4, ETH)),
    adds('mailer', 50, removes('mailer'), move('mailer-t-p', 'friend', 104n * ETH, WETH), coin('mailer', V4, ETH)),
  )
  const scored = await score(names)
  for (const who of ['mover', 'migrator', 'wrapper']) expect(flagsOf(scored.get(who)), who).toEqual({})
  for (const who of ['keeper', 'dusty', 'splitter', 'mailer'])
    expect(flagsOf(scored.get(who)), who).toMatchObject({ financial_crime: '1', data_source: 'rug-executed' })
})

test('a creator who replaces its token, with the same reserve and for the same holders, commits no rug pull', async () => {
  const makers = ['relaunch', 'forgot', 'again', 'poorer']
  const buyers = crowd('b', 5)
  await happened(
    makers.flatMap((who) => [
      ...launch(who, `${who}-1`, 1),
      ...buyers.map((buyer, n) => swap(buyer, `${who}-1`, 10 + n, ETH)),
      pull(who, `${who}-1`, 50, 105n * ETH),
      act(who, '', 51, { do: 'create', contract: named(`${who}-2`) }),
      act(
        who,
        FACTORY,
        52,
        { do: 'pool', pool: named(`${who}-2-p`), token0: named(`${who}-2`), token1: WETH, factory: FACTORY },
        {
          ...{ do: 'liquidity', pool: named(`${who}-2-p`), event: 'add' },
          ...{ amount0: 10n ** 6n, amount1: who === 'poorer' ? 20n * ETH : 105n * ETH },
        },
      ),
      // Most holders of the old token get the new one.
      act(
        who,
        named(`${who}-2`),
        60,
        ...buyers.slice(0, who === 'forgot' ? 2 : 4).map((buyer) => move(who, buyer, 1_000n, `${who}-2`)),
      ),
    ]),
    // Nobody has bought the second token when its reserve is taken.
    pull('again', 'again-2', 90, 105n * ETH),
  )
  const scored = await score(makers)
  expect(flagsOf(scored.get('relaunch'))).toEqual({})
  for (const who of ['forgot', 'again', 'poorer'])
    expect(flagsOf(scored.get(who)), who).toMatchObject({ financial_crime: '1', data_source: 'rug-executed' })
})

/** Coins move as the events of an unregistered pool state. */
const really = (tx: Tx, token: string, base: bigint): Tx => {
  const pool = named(`${token}-p`)
  const [inward, outward] = base > 0n ? [WETH, named(token)] : [named(token), WETH]
  const amount = base > 0n ? base : -base
  const tokens = { do: 'token', from: pool, to: tx.from } as const
  return {
    ...tx,
    actions: [
      ...(tx.actions ?? []),
      { ...tokens, asset: inward, from: tx.from, to: pool, amount: inward === WETH ? amount : amount / 10n ** 15n },
      { ...tokens, asset: outward, amount: outward === WETH ? amount : amount / 10n ** 15n },
    ],
  }
}

test('a rug pull behind thousands of events or pools is unknown, not clear; a creator who took nothing stays clear', async () => {
  const noise = (token: string, count: number): Tx =>
    act(
      'noise',
      'router',
      9,
      ...crowd('n', count).map(
        (_, n): Action => ({
          do: 'swap',
          pool: named(`${token}-p`),
          amount0: n % 2 ? 1n : -1n,
          amount1: n % 2 ? -1n : 1n,
        }),
      ),
    )
  const buyers = ['b1', 'b2', 'b3', 'b4']
  await happened(
    ...['flood', 'idle'].flatMap((who) => [
      ...launch(who, `${who}t`, 1),
      noise(`${who}t`, 5_000),
      ...buyers.map((b, n) => swap(b, `${who}t`, 10 + n, ETH)),
    ]),
    pull('flood', 'floodt', 50, 103n * ETH),
    ...launch('hider', 'hidet', 1),
    announced('hidet', 100, 9),
    pull('hider', 'hidet', 50, 103n * ETH),
  )
  const scored = await score(['flood', 'hider', 'idle'])
  for (const who of ['flood', 'hider', 'idle']) expect(flagsOf(scored.get(who)), who).toEqual({})
  const unsure = (who: string) => scored.get(who)!.unknowns.join().includes('whether it took their reserves')
  expect(['flood', 'hider', 'idle'].map(unsure)).toEqual([true, true, false])
})

test('statements of unregistered pools convict and clear nobody: coins must move', async () => {
  const buyers = crowd('b', 4)
  const own = (maker: string, token: string): Tx[] => [
    act(maker, '', 1, { do: 'create', contract: named(token) }),
    act(
      maker,
      named('own factory'),
      2,
      { do: 'pool', pool: named(`${token}-p`), token0: named(token), token1: WETH, factory: named('own factory') },
      { do: 'liquidity', pool: named(`${token}-p`), event: 'add', amount0: 10n ** 6n, amount1: 100n * ETH },
    ),
  ]
  const bought = (token: string, amount = ETH) => buyers.map((who, n) => swap(who, token, 10 + n, amount))
  const lie = (who: string, token: string, block: number) =>
    act(
      who,
      named('liar'),
      block,
      { do: 'pool', pool: named('nowhere'), token0: named(token), token1: WETH, factory: named('liar') },
      { do: 'liquidity', pool: named('nowhere'), event: 'add', amount0: 900_000n, amount1: 104n * ETH },
    )
  await happened(
    // Calls a rival's contract once, which states that it was a pool and was emptied.
    ...own('caller', 'quiet'),
    ...bought('quiet'),
    pull('caller', 'quiet', 50, 104n * ETH),
    // Closes a pool in which strangers left some cents.
    ...launch('closer', 'tried', 1),
    ...bought('tried', ETH / 1_000n),
    pull('closer', 'tried', 50, 100n * ETH + ETH / 250n),
    // Sells a part in a pool whose events do not state its reserves.
    act('founder', '', 1, { do: 'create', contract: named('hooked') }),
    act(
      'founder',
      FACTORY,
      2,
      { do: 'pool', pool: named('hooked-p'), token0: named('hooked'), token1: WETH, kind: 'v4', factory: FACTORY },
      { do: 'liquidity', pool: named('hooked-p'), event: 'add', amount0: 0n, amount1: 0n },
    ),
    ...bought('hooked'),
    swap('founder', 'hooked', 50, -(7n * ETH) / 2n),
    // Withdraws its share of a pool of three coins, in which others swapped the other two.
    act('issuer', '', 1, { do: 'create', contract: named('third') }),
    act(
      'issuer',
      FACTORY,
      2,
      ...['', ':0:2', ':1:2'].map(
        (pair, n): Action => ({
          do: 'pool',
          pool: `${named('third-p')}${pair}`,
          token0: n === 2 ? WETH : named('third'),
          token1: n === 0 ? WETH : USDC,
          kind: 'curve',
          factory: FACTORY,
        }),
      ),
      { do: 'liquidity', pool: named('third-p'), event: 'add', amount0: 10n ** 6n, amount1: 100n * ETH },
    ),
    ...bought('third'),
    pull('issuer', 'third', 50, 130n * ETH),
    // As the first one, but its coins do move.
    ...own('rugger', 'true').map((tx, n) => (n === 1 ? really(tx, 'true', 100n * ETH) : tx)),
    ...bought('true').map((tx) => really(tx, 'true', ETH)),
    really(pull('rugger', 'true', 50, 103n * ETH), 'true', -103n * ETH),
    // Claims to have moved to another pool.
    ...launch('liar', 'gone', 1),
    ...bought('gone'),
    pull('liar', 'gone', 50, 103n * ETH),
    lie('liar', 'gone', 51),
  )
  for (const bad of await verdicts('rugger', 'liar'))
    expect(flagsOf(bad)).toMatchObject({ financial_crime: '1', data_source: 'rug-executed' })
  await clean('caller', 'closer', 'founder', 'issuer', ...buyers)
})
