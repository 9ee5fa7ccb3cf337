import { expect, test } from 'vitest'
import {
  act,
  crowd,
  ETH,
  flagsKit,
  flagsOf,
  launch,
  pay,
  USDC,
  WETH,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

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

test('a creator who takes the reserve from under buyers committed a rug; one who leaves an unused or old pool did not', async () => {
  const buyers = ['b1', 'b2', 'b3', 'b4']
  await happened(
    ...launch('rugger', 'rug', 1),
    ...buyers.map((b, n) => swap(b, 'rug', 10 + n, ETH)),
    pull('rugger', 'rug', 50, 103n * ETH),
    // Nobody bought: the creator takes its own money back.
    ...launch('quitter', 'quit', 1),
    pull('quitter', 'quit', 50, 100n * ETH),
    // Others bought, the creator takes a part.
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

test('dumping on the pool is a rug as withdrawing is; a founder who sells a part, or moves to another pool, commits none', async () => {
  const buyers = crowd('b', 4)
  await happened(
    ...launch('dumper', 'down', 1),
    ...buyers.map((who, n) => swap(who, 'down', 10 + n, ETH)),
    swap('dumper', 'down', 50, -101n * ETH),
    ...launch('founder', 'fine', 1),
    ...buyers.map((who, n) => swap(who, 'fine', 10 + n, ETH)),
    swap('founder', 'fine', 50, -30n * ETH),
    // Takes all out of one pool and puts it into another.
    ...launch('mover', 'move', 1),
    ...buyers.map((who, n) => swap(who, 'move', 10 + n, ETH)),
    pull('mover', 'move', 50, 104n * ETH),
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

test('a creator who moves its liquidity to another range or base, or closes and refunds its buyers, commits no rug', async () => {
  const buyers = crowd('b', 4)
  const bought = (token: string) => buyers.map((who, n) => swap(who, token, 10 + n, ETH))
  await happened(
    // Takes out and puts back, all at once or by halves, day after day.
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
      { do: 'pool', pool: named('change-q'), token0: named('change'), token1: USDC },
      { do: 'liquidity', pool: named('change-q'), event: 'add', amount0: 900_000n, amount1: 300_000n * 10n ** 6n },
    ),
    // Gives up, and gives the buyers their coins back.
    ...launch('closer', 'close', 1),
    ...bought('close'),
    pull('closer', 'close', 50, 104n * ETH),
    ...buyers.map((who, n) => pay('closer', who, 60 + n, ETH)),
    // Ranges first and takes everything later.
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
