import { expect, test } from 'vitest'
import {
  act,
  crowd,
  ETH,
  FACTORY,
  flagsKit,
  flagsOf,
  launch,
  pay,
  WETH,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, verdicts } = flagsKit()

const DAY = 144
/** Older than a rug pull may be. */
const LATE = 40 * DAY
const swap = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, { do: 'swap', pool: named(`${token}-p`), amount0: -base / 10n ** 15n, amount1: base })
const pull = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'liquidity',
    pool: named(`${token}-p`),
    event: 'remove',
    amount0: 500_000n,
    amount1: base,
  })
const switches = (who: string, token: string, block: number, event: 'pause' | 'unpause'): Tx =>
  act(who, named(token), block, { do: 'authority', authority: named(token), event, subject: named(who) })
/** A token with outside buyers, before anything else happens. */
const market = (maker: string, token: string, buyers = 5): Tx[] => [
  ...launch(maker, token, 1),
  ...crowd(`${token}-b`, buyers).map((who, n) => swap(who, token, 10 + n, 10n * ETH)),
]
/** Time goes by. */
const later = pay('ann', 'bob', LATE + 30 * DAY)
const FLAGGED = {
  financial_crime: '1',
  number_of_malicious_contracts_created: '1',
  data_source: 'paused-exit',
}

test('a creator who pauses a token for good and takes the base out commits an exit, before or after the pause, by sale or withdrawal', async () => {
  await happened(
    ...market('locker', 'lock'),
    switches('locker', 'lock', LATE, 'pause'),
    pull('locker', 'lock', LATE + 1, 140n * ETH),
    ...market('seller', 'sold'),
    swap('seller', 'sold', LATE - DAY / 2, -120n * ETH),
    switches('seller', 'sold', LATE, 'pause'),
    later,
  )
  const [locker, seller] = await verdicts('locker', 'seller')
  expect(flagsOf(locker)).toEqual(FLAGGED)
  expect(flagsOf(seller)).toEqual(FLAGGED)
  expect(locker!.reasons[0]).toMatchObject({
    evidence: {
      detector: 'paused-exit',
      buyers: 5,
      share: 0.9333,
      profit: { amount: '40', unit: 'WETH', usd: '80000.00' },
      pausedIn: expect.stringContaining(`0x${LATE.toString(16)}-`),
      transactions: [expect.stringContaining(`0x${(LATE + 1).toString(16)}-`)],
    },
  })
  await clean(...crowd('lock-b', 5), ...crowd('sold-b', 5))
})

test('resuming for a moment does not hide the exit', async () => {
  await happened(
    ...market('sly', 'trick'),
    switches('sly', 'trick', LATE, 'pause'),
    pull('sly', 'trick', LATE + 1, 140n * ETH),
    switches('sly', 'trick', LATE + 20 * DAY, 'unpause'),
    switches('sly', 'trick', LATE + 20 * DAY + 1, 'pause'),
    later,
  )
  const [sly] = await verdicts('sly')
  expect(flagsOf(sly)).toEqual(FLAGGED)
})

test('teams that resume, take nothing or a part, move on, refund, or did not pause themselves commit no exit', async () => {
  const closed = crowd('closed-b', 5)
  await happened(
    ...market('resumer', 'res'),
    switches('resumer', 'res', LATE, 'pause'),
    pull('resumer', 'res', LATE + 1, 140n * ETH),
    switches('resumer', 'res', LATE + 20 * DAY, 'unpause'),
    ...market('guard', 'safe'),
    switches('guard', 'safe', LATE, 'pause'),
    ...market('founder', 'part'),
    switches('founder', 'part', LATE, 'pause'),
    pull('founder', 'part', 100, 90n * ETH),
    pull('founder', 'part', LATE + 1, 25n * ETH),
    // Withdraws less than it deposited.
    ...market('loser', 'loss'),
    switches('loser', 'loss', LATE, 'pause'),
    pull('loser', 'loss', LATE + 1, 90n * ETH),
    ...market('mover', 'vone'),
    ...launch('mover', 'vtwo', LATE - 5),
    switches('mover', 'vone', LATE, 'pause'),
    pull('mover', 'vone', LATE + 1, 140n * ETH),
    act('mover', 'router', LATE + 2, {
      do: 'liquidity',
      pool: named('vtwo-p'),
      event: 'add',
      amount0: 10n,
      amount1: 130n * ETH,
    }),
    ...market('payer', 'closed'),
    switches('payer', 'closed', LATE, 'pause'),
    pull('payer', 'closed', LATE + 1, 140n * ETH),
    ...closed.map((who, n) => pay('payer', who, LATE + 2 + n, 8n * ETH)),
    ...market('victim', 'taken'),
    switches('newboss', 'taken', LATE, 'pause'),
    pull('victim', 'taken', LATE + 1, 140n * ETH),
    later,
  )
  await clean('resumer', 'guard', 'founder', 'loser', 'mover', 'payer', 'victim', 'newboss')
})

test('a young pause, four buyers, a sale since the pause, or one in another pool prove nothing', async () => {
  await happened(
    ...market('young', 'new'),
    switches('young', 'new', LATE + 20 * DAY, 'pause'),
    pull('young', 'new', LATE + 20 * DAY + 1, 140n * ETH),
    ...market('few', 'small', 4),
    switches('few', 'small', LATE, 'pause'),
    pull('few', 'small', LATE + 1, 130n * ETH),
    ...market('leaky', 'open'),
    switches('leaky', 'open', LATE, 'pause'),
    swap('open-b0', 'open', LATE + 1, -1n * ETH),
    pull('leaky', 'open', LATE + 2, 140n * ETH),
    ...market('twin', 'two'),
    act('twin', named('factory'), 5, {
      do: 'pool',
      pool: named('two-q'),
      token0: named('two'),
      token1: WETH,
      factory: FACTORY,
    }),
    switches('twin', 'two', LATE, 'pause'),
    act('two-b0', 'router', LATE + 1, { do: 'swap', pool: named('two-q'), amount0: 1000n, amount1: -ETH }),
    pull('twin', 'two', LATE + 2, 140n * ETH),
    later,
  )
  await clean('young', 'few', 'leaky', 'twin')
})
