import { expect, test } from 'vitest'
import { MIXER_POOLS } from '../../../../schema/registry/contracts.ts'
import { act, coin, ETH, flagsKit, flagsOf, move, NOW, pay, USDC } from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, judge, score, verdicts } = flagsKit()
const POOL_1 = [...MIXER_POOLS.ETH.values()].find(
  (pool) => pool.asset === '' && pool.symbol === 'ETH' && pool.denomination === String(ETH),
)!.address

const deposit = (who: string, block: number): Tx => ({
  ...pay(who, POOL_1, block),
  call: true,
  actions: [{ do: 'authority', authority: POOL_1, event: 'mixer_deposit', subject: named(who) }],
})
const withdrawal = (who: string, block: number): Tx =>
  act('relayer', POOL_1, block, coin(POOL_1, who, ETH), {
    do: 'authority',
    authority: POOL_1,
    event: 'mixer_withdraw',
    subject: named(who),
  })

test('habitual mixing raises the flag; being dusted, one deposit, or a small part of a long life does not', async () => {
  await happened(
    pay('src', 'habit', 1, 5n * ETH),
    ...Array.from({ length: 3 }, (_, n) => deposit('habit', 2 + n)),
    withdrawal('dusted', 5),
    withdrawal('dusted', 6),
    withdrawal('dusted', 7),
    ...Array.from({ length: 12 }, (_, n) => pay('dusted', 'shop', 8 + n)),
    pay('src', 'once', 1, 2n * ETH),
    deposit('once', 4),
    pay('src', 'rich', 1, 500n * ETH),
    deposit('rich', 4),
    deposit('rich', 5),
    pay('rich', 'shop', 6, 400n * ETH),
    // Uses mainly dollar tokens, and holds few coins.
    pay('src', 'saver', 1, 3n * ETH),
    act('src', USDC, 1, move('src', 'saver', 10n ** 12n)),
    deposit('saver', 4),
    deposit('saver', 5),
  )
  const scored = await score(['habit', 'dusted', 'once', 'rich', 'saver'])
  expect(flagsOf(scored.get('habit'))).toEqual({ mixer: '1', data_source: 'mixer-habit' })
  expect(scored.get('habit')!.reasons[0]).toMatchObject({
    evidence: {
      ownEvents: 3,
      flowShare: 0.375,
      mixed: [{ amount: '3', unit: 'ETH', usd: '6000.00' }],
      transactions: ['0x2-0', '0x3-0', '0x4-0'],
    },
  })
  for (const name of ['dusted', 'once', 'rich', 'saver']) expect(flagsOf(scored.get(name)), name).toEqual({})
  const [pool] = await verdicts(POOL_1)
  expect(flagsOf(pool)).toEqual({ mixer: '1', data_source: 'mixer-registry' })
})

test('the mixer flag follows the mode: strict requires a habit, interaction any own use; withdrawals by others never count', async () => {
  const loose = judge({ policy: { mixer: 'interaction' } })
  await happened(
    pay('src', 'once', 1, 100n * ETH),
    deposit('once', 4),
    act('relayer', POOL_1, 5, {
      do: 'authority',
      authority: POOL_1,
      event: 'mixer_withdraw',
      subject: named('dusted'),
    }),
    pay('dusted', 'shop', 6),
  )
  await clean('once', 'dusted')
  const [once, dusted] = await loose.rescore('ETH', [named('once'), named('dusted')], NOW)
  expect(flagsOf(once)).toEqual({ mixer: '1', data_source: 'mixer-interaction' })
  expect(once!.reasons[0]).toMatchObject({ evidence: { ownEvents: 1, transactions: ['0x4-0'] } })
  expect(flagsOf(dusted)).toEqual({})
})
