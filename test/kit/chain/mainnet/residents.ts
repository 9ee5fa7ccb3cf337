/** Participants of the simulated chain, years before the head: authorities list addresses, a thief threatens, an honest person saves. */

import { delist, fail, freeze, mix, pay, payThrough, sanction, threaten, transfer } from './actions.ts'
import type { ScheduledTx } from './chain.ts'

const COIN = 10n ** 18n

/** Names of the accounts with a history. */
export const RESIDENTS = ['listed', 'delisted', 'frozen', 'mixed', 'thief', 'honest', 'clean'] as const
export type Resident = (typeof RESIDENTS)[number]
export { addressOf } from './transactions.ts'

/** Name of a saver. */
export const saverOf = (index: number): string => `saver ${index}`

export const VICTIMS = ['victim 1', 'victim 2', 'victim 3', 'victim 4'] as const

/**
 * @param height height of the chain
 * @param crowd number of other accounts frozen over the years
 * @param saved how often each saver was paid and paid before
 * @param savers number of accounts with the history of the honest one
 */
export const createSchedule = (height: number, { crowd = 40, saved = 30, savers = 0 } = {}): ScheduledTx[] => {
  /** Positions in the chain, in ten-thousandths. */
  const at = (part: number) => Math.floor((height * part) / 10_000)
  const when = (block: number, ...txs: Omit<ScheduledTx, 'block'>[]): ScheduledTx[] =>
    txs.map((tx) => ({ block, ...tx }))
  const spread = (count: number, from: number, to: number) =>
    Array.from({ length: count }, (_, index) => at(from) + Math.floor(((at(to) - at(from)) * index) / count))
  const newest = (ago: number) => height - ago

  /** Years of paying, being paid by contracts and in dollars, and failing once; `offset` separates people in time. */
  const saving = (name: string, offset: number): ScheduledTx[] => [
    ...spread(saved, 4_000, 9_000).flatMap((block, index) =>
      index % 3 === 0
        ? when(block + offset, pay(name, `shop ${index % 7}`, COIN / 100n))
        : index % 3 === 1
          ? when(block + offset, payThrough('bank', 'a contract', name, COIN / 50n))
          : when(block + offset, transfer('bank', name, 5_000_000n)),
    ),
    ...when(at(4_500) + offset, fail(name)),
  ]

  return [
    ...RESIDENTS.flatMap((name) => (name === 'clean' ? [] : when(at(1_000), pay('bank', name, 9n * COIN)))),
    ...saving('honest', 0),
    ...Array.from({ length: savers }, (_, index) => [
      ...when(at(1_000), pay('bank', saverOf(index), 9n * COIN)),
      ...saving(saverOf(index), 10 * index + 10),
      ...when(newest(25), pay(saverOf(index), 'the shop', COIN)),
    ]).flat(),
    ...spread(crowd, 4_600, 9_900).flatMap((block, index) =>
      when(block + 1, freeze(`crowd ${index}`, index % 2 === 0 ? 'usdt' : 'usdc')),
    ),
    ...when(at(5_000), mix('mixed')),
    ...when(at(6_000), ...VICTIMS.map((victim) => threaten('thief', victim))),
    ...when(at(7_200), sanction('listed', 'delisted', 'asleep')),
    ...when(at(7_500), freeze('frozen')),
    ...when(at(8_000), delist('delisted')),
    // The newest blocks, which are all that a late index has.
    ...when(newest(30), pay('bank', 'clean', 4n * COIN)),
    ...when(newest(20), ...RESIDENTS.map((name) => pay(name, 'the shop', COIN))),
    ...when(newest(19), pay('honest', 'a friend', 5n * COIN), pay('thief', 'a friend', COIN)),
  ]
}
