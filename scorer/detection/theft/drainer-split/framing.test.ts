/** Attempts to frame: acts of others towards an honest wallet, or in its name, do not convict it. */
import { expect, test } from 'vitest'
import {
  acts,
  crowd,
  ETH,
  flagsKit,
  flagsOf,
  lives,
  MILLION,
  move,
  pay,
  token,
  WEEK,
} from '../../../../test/contract/scoring/flags.kit.ts'
import type { Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, score } = flagsKit()
const DOLLAR = 10n ** 6n

/** In a transaction of another party, each owner's balance is split: a fifth and the rest, with two affiliates in turn. */
const shared = (
  by: string,
  owners: readonly string[],
  block: number,
  all: bigint,
  boss: string,
  rest: string[],
): Tx[] =>
  owners.map((owner, n) =>
    token(by, block + n, move(owner, boss, all / 5n), move(owner, rest[n % rest.length] ?? '', (all * 4n) / 5n)),
  )
const richOf = (names: readonly string[], block: number, amount: bigint): Tx[] =>
  names.map((name) => token(`bank-${name}`, block, move(`bank-${name}`, name, amount)))

test('shares of a few dollars make nobody an operator or affiliate', async () => {
  const [puppets, robbed, others] = [crowd('v', 4), crowd('w', 3), crowd('u', 4)]
  const active = (names: readonly string[], block: number) => names.flatMap((name, n) => acts(name, block + 10 * n))
  await happened(
    [puppets, others].flatMap((names, n) => [...richOf(names, 1, 10n * DOLLAR), ...active(names, 2 + 100 * n)]),
    shared('framer', puppets, WEEK + 200, 10n * DOLLAR, 'bystander', ['friend0', 'friend1']),
    // A true operator: a trifling share makes no affiliate here either.
    lives(robbed, 300),
    shared('runner', robbed, WEEK + 400, MILLION, 'boss', ['aff0', 'aff1']),
    shared('framer', others, WEEK + 500, 10n * DOLLAR, 'boss', ['neighbour']),
    // $1,200, of which $960 return to the framer, who spent $240 to accuse the operator.
    richOf(crowd('s', 3), 1, 400n * DOLLAR),
    active(crowd('s', 3), 600),
    crowd('s', 3).map((name) => pay(name, `again-${name}`, 650, ETH / 10n)),
    shared('framer', crowd('s', 3), WEEK + 700, 400n * DOLLAR, 'target', ['own0', 'own1']),
  )
  await clean('bystander', 'friend0', 'friend1', 'neighbour', 'target', 'own0', 'own1')
  expect(flagsOf((await score(['boss'])).get('boss'))).toMatchObject({ data_source: 'drainer-split' })
})

test('accounts that a framer empties himself make nobody an operator or affiliate; the flag is unknown', async () => {
  const groups = ['f', 'g', 'i', 'c', 'm', 't'].map((prefix) => crowd(prefix, 6))
  const [fresh = [], funded = [], idle = [], chained = [], made = [], alike = []] = groups
  const spends = (name: string, block: number) => [0, 1].map((n) => pay(name, `shop${n}-${name}`, block + n, ETH / 10n))
  await happened(
    // Accounts that are days old.
    lives(fresh, WEEK),
    // Old and busy accounts, with coins from one wallet, from the previous account, or from an exchange within an hour.
    funded.flatMap((name, n) => [pay('purse', name, 10 * n), ...spends(name, 10 * n + 1)]),
    chained.flatMap((name, n) => [
      pay(chained[n - 1] ?? 'purse0', name, 10 * n, ETH * BigInt(6 - n)),
      ...spends(name, 10 * n + 1),
    ]),
    crowd('customer', 501).map((name) => pay('exchange', name, 0)),
    made.flatMap((name) => [pay('exchange', name, 1), ...spends(name, 2)]),
    // Old accounts without any activity of their own.
    idle.flatMap((name, n) => [pay(`purse-${name}`, name, 10 * n), pay(name, 'purse', 10 * n + 1, ETH / 10n)]),
    // Old and busy accounts with separate funders, all customers of the same two shops.
    alike.flatMap((name, n) => [
      pay(`purse-${name}`, name, 10 * n),
      ...['x', 'y'].map((shop) => pay(name, shop, 10 * n + 1, ETH / 10n)),
    ]),
    [funded, chained, made, idle, alike].flatMap((names) => richOf(names, WEEK, MILLION)),
    groups.flatMap((names, n) =>
      shared('framer', names, WEEK + 200 + 20 * n, MILLION, `boss${n}`, [`aff${n}-0`, `aff${n}-1`]),
    ),
  )
  const accused = crowd('boss', groups.length).flatMap((boss, n) => [boss, `aff${n}-0`, `aff${n}-1`])
  for (const [name, scored] of await score(accused)) {
    expect(flagsOf(scored), name).toEqual({})
    expect(scored.unknowns, name).toContainEqual(expect.stringMatching(/^phishing_activities: .*unrelated/))
  }
})

test('an affiliate of a proven operator needs victims that are unrelated to each other', async () => {
  const [robbed, puppets] = [crowd('v', 4), crowd('p', 3)]
  await happened(
    lives(robbed, 1),
    shared('runner', robbed, WEEK + 10, MILLION, 'boss', ['aff0', 'aff1']),
    puppets.flatMap((name) => acts(name, WEEK + 20)),
    richOf(puppets, WEEK, MILLION),
    shared('runner', puppets, WEEK + 30, MILLION, 'boss', ['target']),
  )
  await clean('target')
})

test('a drainer cannot hide its victims behind its own accounts', async () => {
  const [robbed, own] = [crowd('v', 6), crowd('o', 30)]
  await happened(
    lives(robbed, 1),
    own.flatMap((name) => [pay('purse', name, 100), pay(name, 'shop-v0', 101, ETH / 10n)]),
    richOf(own, 100, MILLION),
    shared('runner', [...robbed, ...own], WEEK + 110, MILLION, 'boss', ['aff0', 'aff1']),
  )
  for (const [name, scored] of await score(['boss', 'aff0', 'aff1']))
    expect(flagsOf(scored), name).toMatchObject({ phishing_activities: '1', data_source: 'drainer-split' })
})
