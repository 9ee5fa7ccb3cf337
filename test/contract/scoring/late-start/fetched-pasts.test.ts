/** What was fetched of single wallets from before the first covered block, and what verdicts make of it. */
import { beforeEach, expect, test } from 'vitest'
import { rowsAbout } from '../../../../indexer/history/wallets/rows.ts'
import { readSql } from '../../../../platform/store/sql.ts'
import { positionOf } from '../../../../schema/block.ts'
import { DEX_FACTORIES } from '../../../../schema/registry/contracts.ts'
import type { WalletPastState } from '../../../../schema/topics.ts'
import { poolsMissing } from '../../../../scorer/contracts/stakeholders/missing-pools.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { loadPast } from '../../../../scorer/ledger/past/past.ts'
import { createProfiles } from '../../../../scorer/profile/profile.ts'
import { testContext } from '../../../kit/context.ts'
import { writeLogsRead } from '../../../kit/labels/authority-logs.ts'
import { insertRows, rowsOf, type Tx } from '../../../kit/world/transactions.ts'
import { act, at, ETH, flagsKit, flagsOf, listed, move, NOW, pay, token, write } from '../flags.kit.ts'

const { score, store, judge } = flagsKit()
const MOVED = readSql(import.meta.url, '../../../../scorer/contracts/records/sql/outdated.sql')
const POOLS = readSql(import.meta.url, '../../../../scorer/contracts/stakeholders/sql/pools.sql')
/** First covered block where the index begins late. */
const FIRST = 1_000

beforeEach(() => writeLogsRead(store(), 'ETH'))

const WHOLE = { sent: 1, native: 1, tokens: 1, complete: 1, done: 1, why: '' } as const
const PART = { sent: 0, native: 0, tokens: 0, complete: 0, done: 1, why: 'more than was fetched' } as const

/** What the worker and the past tier would have stored of a wallet. */
const fetched = async (name: string, txs: readonly Tx[], state: Partial<WalletPastState> = WHOLE) => {
  const rows = rowsAbout({ rows: rowsOf(txs) }, at(name))
  for (const [table, list] of Object.entries(rows)) {
    if (list.length > 0) await store().insert(`${table}_past`, list.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  const blocks = new Set(rows.transactions.map(({ block_number }) => block_number)).size
  const common = { network: 'ETH', address: at(name), to_block: FIRST - 1, transactions: 0, sources: 'logs' }
  await store().insert('wallet_pasts', `${JSON.stringify({ ...common, blocks, version: NOW, ...WHOLE, ...state })}\n`)
}
const streamed = (...txs: Tx[]) => insertRows(store(), rowsOf(txs, { from: FIRST }))
const judged = async (name: string) => (await score([name])).get(name)!
const openOf = ({ unknowns }: { unknowns: readonly string[] }) =>
  unknowns.filter((one) => one.includes(': the past of the wallet'))

const THREAT =
  'I have your photos and I will leak your photos to your family. Send 2 ETH to this address within 48 hours.'
/** Numbers of each sender's transactions in order. */
const numbered = (txs: readonly Tx[]): Tx[] => {
  const next = new Map<string, number>()
  return txs.map((tx) => {
    const nonce = next.get(tx.from) ?? 0
    next.set(tx.from, nonce + 1)
    return { ...tx, nonce }
  })
}

const CUSTOMERS = Array.from({ length: 30 }, (_, n) => `customer${n}`)
/** A business: paid by many long ago, in coins and tokens, pays out today, and gets a thief's deposit among others. */
const BUSINESS = numbered([
  ...CUSTOMERS.map((name, n) => pay(name, 'hot', 10 + n, 6n * ETH)),
  ...CUSTOMERS.slice(0, 5).map((name, n) => token(name, 50 + n, move(name, 'hot', 1_000_000n))),
  pay('hot', 'rent', 60, ETH),
  ...CUSTOMERS.map((name, n) => pay('hot', name, FIRST + n, 5n * ETH)),
  pay('thief', 'hot', FIRST + 40, 2n * ETH),
])
const before = (txs: readonly Tx[]) => txs.filter(({ block }) => block < FIRST)
const since = (txs: readonly Tx[]) => txs.filter(({ block }) => block >= FIRST)

test('what was fetched and what is streamed give the verdict and the profile of an index of the whole chain', async () => {
  const everything = async () => {
    await writeLabels(store(), [listed('thief', 'theft')])
    const scored = await judged('hot')
    const context = testContext()
    const profiles = createProfiles({ context, store: store(), rescore: judge() })
    const [made] = await profiles.profile('ETH', [at('hot')], NOW)
    const { transactions, ageDays, balanceUsd, experience, riskCapability, letter } = made!.profile
    return {
      body: scored.body,
      reasons: scored.reasons,
      open: openOf(scored),
      profile: { transactions, ageDays, balanceUsd, experience, riskCapability, letter },
    }
  }
  await insertRows(store(), rowsOf(BUSINESS, { from: 0 }))
  const whole = await everything()
  for (const table of [
    'transactions',
    'ledger',
    'blocks',
    'first_blocks',
    'wallet_features',
    'wallet_edges',
    'wallet_assets',
    'wallet_protocols',
    'asset_holders',
    'wallet_records',
    'record_history',
  ]) {
    await store().command(`TRUNCATE TABLE ${table}`)
  }
  await streamed(...since(BUSINESS))
  const part = await everything()
  expect(part.body).not.toBe(whole.body)
  expect(part.open).not.toEqual([])
  await fetched('hot', before(BUSINESS))
  const mended = await everything()
  expect(mended).toEqual(whole)
  expect(mended.open).toEqual([])
})

test('an old thief whose past was fetched is convicted, and clear words of others stay clear', async () => {
  const threats = numbered([
    ...['v0', 'v1', 'v2'].map((who, n) => write('spy', who, 10 + n, THREAT)),
    ...['v0', 'v1', 'v2'].map((who, n) =>
      write('friend', who, 20 + n, 'gm! happy birthday, send me a photo of your family :)'),
    ),
  ])
  await streamed(pay('v0', 'v1', FIRST + 1))
  expect((await judged('spy')).seen).toBe(false)
  await fetched('spy', threats)
  await fetched('friend', threats)
  expect(flagsOf(await judged('spy'))).toEqual({ blackmail_activities: '1', data_source: 'extortion-message' })
  const friend = await judged('friend')
  expect([flagsOf(friend), openOf(friend)]).toEqual([{}, []])
})

test('a part of what a wallet signed is no fresh start, although its first transaction is in it', async () => {
  await streamed(pay('hot', 'rent', FIRST + 5))
  await fetched('hot', before(BUSINESS), PART)
  expect((await loadPast(store(), 'ETH', at('hot'))).past).toEqual({ kind: 'unknown', why: PART.why })
  const scored = await judged('hot')
  expect(flagsOf(scored)).toEqual({})
  expect(scored.probability).toBeLessThan(0.5)
  expect(openOf(scored).join()).toContain(`the past of the wallet is not known (${PART.why})`)
})

test('with all that it signed and not all that it was sent, a wallet is known as a fresh one is', async () => {
  await streamed(pay('hot', 'rent', FIRST + 5))
  await fetched('hot', before(BUSINESS), { ...PART, sent: 1 })
  expect((await loadPast(store(), 'ETH', at('hot'))).past).toEqual({ kind: 'fresh', why: PART.why })
})

test('a past that ends below the first covered block is not whole: there is a gap', async () => {
  await streamed(pay('hot', 'rent', FIRST + 5))
  await fetched('hot', before(BUSINESS), { ...WHOLE, to_block: FIRST - 2 })
  expect((await loadPast(store(), 'ETH', at('hot'))).past.kind).toBe('unknown')
})

test('a fetched row at a covered height does not count: the stream has the word', async () => {
  await streamed(pay('ann', 'hot', FIRST + 5))
  await fetched('hot', [pay('ann', 'hot', FIRST + 5), pay('ann', 'hot', 7)])
  const [row] = await store().query<{ received: number; ledger: number }>(
    `SELECT toUInt32(received) AS received,
      (SELECT toUInt32(count()) FROM ledger_whole WHERE network = 'ETH' AND address = {hot:String}) AS ledger
     FROM wallet_features_whole WHERE network = 'ETH' AND address = {hot:String}`,
    { hot: at('hot') },
  )
  expect(row).toEqual({ received: 2, ledger: 2 })
})

test('what came in of others with a past that was fetched changes nothing about them', async () => {
  await streamed(pay('customer1', 'shop', FIRST + 5), pay('customer1', 'shop', FIRST + 6))
  const alone = await judged('customer1')
  await fetched('hot', before(BUSINESS))
  expect((await judged('customer1')).body).toBe(alone.body)
  expect((await loadPast(store(), 'ETH', at('customer1'))).fetched).toBeUndefined()
})

test('wallets with and without pasts are scored together as they are alone', async () => {
  await writeLabels(store(), [listed('thief', 'theft')])
  await streamed(...since(BUSINESS))
  await fetched('hot', before(BUSINESS))
  const together = await score(['hot', 'thief', 'customer3'])
  for (const name of ['hot', 'thief', 'customer3']) {
    const alone = await judged(name)
    expect([together.get(name)!.body, together.get(name)!.unknowns]).toEqual([alone.body, alone.unknowns])
  }
})

test('rows of the past tier are in the order of the stream', () => {
  const rows = rowsAbout({ rows: rowsOf(before(BUSINESS)) }, at('hot'))
  expect(rows.transactions[0]!.position).toBe(positionOf(10, 0, 0))
})

test('a chain is one of fresh addresses where they are known to be fresh: those from before the index look young in it', async () => {
  await writeLabels(store(), [listed('thief', 'theft')])
  const tenths = (count: bigint) => (count * ETH) / 10n
  const handed = (from: string, to: string, block: number, count: bigint, nonce = 0): Tx => ({
    ...pay(from, to, FIRST + block, tenths(count)),
    nonce,
  })
  await streamed(
    // A payment service of many years: a deposit goes on to the till, the vault and the cold wallet.
    handed('thief', 'deposit', 1, 100n),
    handed('deposit', 'till', 2, 99n),
    handed('till', 'vault', 3, 98n, 5_000),
    handed('vault', 'cold', 4, 97n, 300),
    // A chain of addresses that nobody had used.
    handed('thief', 'peeler', 11, 100n, 1),
    handed('peeler', 'peel1', 12, 99n),
    handed('peel1', 'peel2', 13, 98n),
    handed('peel2', 'peel3', 14, 97n),
  )
  await fetched('deposit', [])
  await fetched('peeler', [])
  const [deposit, peeler] = [await judged('deposit'), await judged('peeler')]
  expect(flagsOf(deposit)).toEqual({})
  expect(deposit.unknowns).toContain('money_laundering: the past of the other parties is not known (before block 1000)')
  expect(flagsOf(peeler)).toEqual({ money_laundering: '1', data_source: 'layering' })
})

test('the pools of a token that is older than the index are known when they were looked for, and unknown with the reason before', async () => {
  const factory = [...DEX_FACTORIES.ETH.values()].find(({ kind }) => kind === 'v2')!.address
  const announced = (pool: string, token0: string, block: number) =>
    act('maker', at('factory'), block, { do: 'pool', pool: at(pool), token0: at(token0), token1: at('coin'), factory })
  await streamed(
    announced('seen', 'old', FIRST + 1),
    act('maker', '', FIRST + 2, { do: 'create', contract: at('new') }),
    announced('of new', 'new', FIRST + 3),
  )
  const asked: string[] = []
  const looked = (state: Partial<WalletPastState>) => async () => {
    asked.push('old')
    await fetched('old', [announced('before', 'old', 10), announced('another', 'other', 11)], { ...PART, ...state })
  }
  const missing = (name: string, find?: () => Promise<void>) => poolsMissing(store(), 'ETH', at(name), find)
  const known = async () => {
    const rows = await store().query<{ pool: string }>(POOLS, {
      network: 'ETH',
      token: at('old'),
      limit: 9,
      factories: [factory],
      assets: [],
    })
    return rows.map(({ pool }) => pool).sort()
  }
  /** Whether the record of the token is made again at the next question. */
  const isOutdated = async () =>
    (
      await store().query<{ address: string }>(MOVED, {
        ...{ network: 'ETH', addresses: [at('old')], factories: [factory], since: FIRST, share: 0.25 },
      })
    ).length === 1
  const record = { network: 'ETH', address: at('old'), token: at('old'), pool: '', watched: [] }
  await store().insert('contract_records', JSON.stringify({ ...record, version: NOW + 1 }))
  const open = `pools created before block ${FIRST} are unknown: `
  expect(await missing('old')).toBe(`${open}they have not been looked for yet`)
  // Its past as a wallet says nothing of its pools.
  await fetched('old', [], { ...PART, sources: 'logs,otterscan', why: 'the explorer has no list of pools: pay first' })
  expect(await missing('old')).toBe(`${open}they have not been looked for yet`)
  const pruned = 'no endpoint has logs of blocks below 500'
  expect(await missing('old', looked({ version: NOW + 1, sources: '', pools_why: pruned }))).toBe(
    `${open}no endpoint has logs of blocks below 500`,
  )
  expect(await isOutdated()).toBe(false)
  expect(await missing('new')).toBeUndefined()
  expect(await missing('old', looked({ version: NOW + 2, sources: 'factories', why: '' }))).toBeUndefined()
  expect(await isOutdated()).toBe(true)
  expect(await known()).toEqual([at('before'), at('seen')].sort())
  // Nobody is asked again.
  expect(await missing('old', looked({}))).toBeUndefined()
  expect(asked).toHaveLength(2)
})
