import { expect, test } from 'vitest'
import {
  act,
  approve,
  crowd,
  ETH,
  flagsKit,
  flagsOf,
  launch,
  pay,
  WETH,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, score, verdicts } = flagsKit()
const swap = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'swap',
    pool: named(`${token}-p`),
    amount0: -base / 10n ** 15n,
    amount1: base,
  })

test('a token many buy and nobody can sell convicts its creator; one whose buyers merely wait does not', async () => {
  const buyers = Array.from({ length: 6 }, (_, n) => `b${n}`)
  const trySell = (who: string, token: string, block: number): Tx[] => [
    approve(who, 'router', block, token),
    { ...act(who, 'router', block + 1), failed: true },
  ]
  await happened(
    ...launch('trapper', 'trap', 1),
    ...buyers.map((b, n) => swap(b, 'trap', 10 + n, ETH)),
    ...buyers.slice(0, 3).flatMap((b, n) => trySell(b, 'trap', 20 + 2 * n)),
    ...launch('patient', 'hold', 1),
    ...buyers.map((b, n) => swap(b, 'hold', 30 + n, ETH)),
    ...launch('liquid', 'sold', 1),
    ...buyers.map((b, n) => swap(b, 'sold', 40 + n, ETH)),
    swap('b0', 'sold', 50, -ETH),
    ...buyers.slice(0, 3).flatMap((b, n) => trySell(b, 'sold', 60 + 2 * n)),
  )
  const scored = await score(['trapper', 'patient', 'liquid', ...buyers])
  expect(flagsOf(scored.get('trapper'))).toEqual({
    honeypot_related_address: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'honeypot-history',
  })
  for (const name of ['patient', 'liquid', ...buyers]) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('what holders sell in another pool of the token is no trap', async () => {
  const buyers = crowd('b', 22)
  await happened(
    ...launch('maker', 'two', 1),
    act('maker', named('factory'), 3, { do: 'pool', pool: named('two-q'), token0: named('two'), token1: WETH }),
    ...buyers.map((who, n) => swap(who, 'two', 10 + n, ETH)),
    act('b0', 'router', 60, { do: 'swap', pool: named('two-q'), amount0: 500n, amount1: -ETH }),
    // The same without a sale, and a day goes by.
    ...launch('trapper', 'one', 1),
    ...buyers.map((who, n) => swap(who, 'one', 10 + n, ETH)),
    pay('passer-by', 'somebody', 9_000, ETH),
  )
  const [trapper] = await verdicts('trapper')
  expect(flagsOf(trapper)).toMatchObject({ honeypot_related_address: '1', data_source: 'honeypot-history' })
  await clean('maker')
})
