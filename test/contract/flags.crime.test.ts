import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { fraudBody } from '../../schema/records/fraud.ts'
import { MIXER_POOLS } from '../../schema/registry/mixers.ts'
import { createScorecardModel } from '../../scorer/model/scorecard.ts'
import { createRescore, type Rescore, type ScoredWallet } from '../../scorer/rescore.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from './scoring.world.ts'

let kit: TestStore
let scoring: Rescore
const context = { metrics: createMetrics(), clock: systemClock }
beforeAll(async () => {
  kit = await openTestStore()
  scoring = createRescore({ context, store: kit.store, model: createScorecardModel() })
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
    model: createScorecardModel(),
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
