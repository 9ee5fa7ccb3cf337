/** Facts that the scorer states for a whole chunk, and those that the views of its tables state: the same, and only once. */
import { expect, test } from 'vitest'
import { createRandom, type Random } from '../../../deploy/demo/scenario/random.ts'
import { emptyRows, type Rows, TABLES } from '../../../schema/block.ts'
import { networkInfo } from '../../../schema/networks.ts'
import { FACTS_APART } from '../../../schema/tables/chain/facts.ts'
import { topics } from '../../../schema/topics.ts'
import { createCovered } from '../../../scorer/ingest/covered/covered.ts'
import { factLines, shouldDeriveFacts } from '../../../scorer/ingest/tiers/facts.ts'
import { sized } from '../../kit/thorough.ts'
import { until } from '../../kit/until.ts'
import { encodeInParts, makeBlock, outgoing } from './chain.ts'
import { setUpIngest } from './kit.ts'

const { store, producer, truncate, createTopics, start, caughtUp, featuresAstray } = setUpIngest()

const { tokenDust } = networkInfo('BNB')

/** Rows of every kind, with few parties, so that parties of a row are often the same, and some are nobody. */
const drawRows = (random: Random, count: number) => {
  const rows = emptyRows()
  const someone = () => random.pick(['', '0xa', '0xb', '0xc', '0xé'])
  const amount = () =>
    String(random.pick([0n, 1n, tokenDust - 1n, tokenDust, tokenDust + 1n, 10n ** 17n, 2n ** 256n - 1n]))
  for (let position = 1; position <= count; position++) {
    const head = { network: 'BNB' as const, block_number: 7, block_time: 1_700_000_000 + random.below(3) * 86_400 }
    const at = { ...head, position: String(position), tx_hash: `0x${position}` }
    const parties = { address: someone(), counterparty: someone(), initiator: someone() }
    rows.transactions.push({
      ...{ ...at, sender: someone(), receiver: someone(), value: amount(), fee: amount(), nonce: '1', type: 2 },
      ...{ status: random.pick([0, 1, 2] as const), gas_used: '1', selector: '', input_size: 0, deeds: '' },
      message: random.pick(['', 'data:,{"p":"x"}', 'data', 'pay me or "else"\n{of you}', '\u{1f600} data:']),
    })
    const kind = random.pick(['native', 'internal', 'fungible', 'fungible', 'nft', 'multi', 'wrap'] as const)
    const direction = random.pick([1, -1] as const)
    rows.ledger.push({ ...at, ...parties, direction, kind, asset: '0xt', token_id: '0', amount: amount() })
    rows.approvals.push({
      ...{ ...at, owner: someone(), spender: someone(), asset: '0xt', amount: amount(), initiator: someone() },
      kind: random.pick(['fungible', 'nft', 'all', 'permit2'] as const),
    })
    const event = random.pick(['create', 'destroy'] as const)
    const code = { code_hash: '', code_size: 0 }
    rows.creations.push({ ...at, contract: someone(), event, creator: someone(), root_creator: someone(), ...code })
    rows.liquidity.push({
      ...{ ...at, pool: '0xp', event: random.pick(['add', 'remove'] as const), provider: someone(), owner: someone() },
      ...{ amount0: '1', amount1: '1', liquidity: '1' },
    })
    rows.authority.push({
      ...{ ...at, authority: someone(), subject: someone(), actor: someone(), amount: amount(), detail: '' },
      event: random.pick(['mixer_deposit', 'mixer_withdraw', 'freeze', 'bridge_out'] as const),
    })
    rows.delegations.push({ ...at, authority: someone(), delegate: someone(), initiator: someone() })
  }
  return rows
}

const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const sectionsOf = (rows: { [Table in keyof Rows]: Rows[Table][] }) =>
  TABLES.map((table) => [table, { rows: [Buffer.from(linesOf(rows[table]))] }] as const)

test('the scorer inserts the same facts as the views, which then insert none', async () => {
  await store().command('CREATE TABLE stated AS wallet_facts ENGINE = MergeTree ORDER BY tuple()')
  await store().command('CREATE MATERIALIZED VIEW stated_feed TO stated AS SELECT * FROM wallet_facts')
  const facts = () => store().query('SELECT * FROM stated ORDER BY ALL')
  const features = () => store().query('SELECT * FROM wallet_features_final ORDER BY ALL')
  const rows = drawRows(createRandom(41), sized(300, 3_000))
  for (const table of TABLES) await store().insert(table, linesOf(rows[table]), { token: `${table}:views` })
  const byViews = { facts: await facts(), features: await features() }
  expect(byViews.facts.length).toBeGreaterThan(2_000)
  await truncate()
  for (const table of TABLES) await store().insert(table, linesOf(rows[table]), { token: `${table}:1${FACTS_APART}` })
  expect(await facts()).toEqual([])
  for (const _ of ['inserted', 'repeated'])
    await store().insert('wallet_facts', factLines(sectionsOf(rows)), { token: 'facts:1' })
  expect(await features()).toEqual(byViews.features)
  await store().command('DROP TABLE stated_feed')
  await truncate()
  await store().command('DROP TABLE stated')
})

test('inserts facts separately if several tables have some and there is little to read', () => {
  const of = (table: (typeof TABLES)[number], bytes: number) => ({ table, rows: Buffer.alloc(bytes) })
  expect(shouldDeriveFacts([of('ledger', 100), of('transactions', 100)])).toBe(true)
  expect(shouldDeriveFacts([of('ledger', 100), of('ledger', 100), of('blocks', 100), of('swaps', 100)])).toBe(false)
  expect(shouldDeriveFacts([of('ledger', 500_000), of('swaps', 9_000_000), of('approvals', 500_000)])).toBe(true)
  expect(shouldDeriveFacts([of('ledger', 500_000), of('approvals', 500_001)])).toBe(false)
})

test('an older version waits for chunks begun with separate facts, and a version that prefers views continues them', async () => {
  await createTopics('ETH')
  const random = createRandom(3)
  const block = makeBlock('ETH', 1, '0x0', 'x', random, { transactions: 3 })
  await producer().send([
    { topic: topics.history('ETH'), messages: encodeInParts([block], 1).map((one) => outgoing(one, 0)) },
  ])
  let dead = false
  const life = start('ETH', {
    onStep: (step) => {
      dead ||= step === 'inserted facts'
      if (dead) throw new Error('died')
    },
  })
  await until('dead', async () => dead)
  await life.end()
  const covered = createCovered(store(), 'ETH', 1)
  const blocks = [{ ...block, traces: 1 as const }]
  const name = `${topics.history('ETH')}:0`
  await expect(covered.claim([name], blocks)).rejects.toMatchObject({ code: 'ASSAY_INGEST_CLAIMED' })
  const apart = `${name}, facts apart`
  expect(await covered.claim([name, apart], blocks)).toMatchObject({ by: apart })
  const next = start('ETH')
  await until('caught up', () => caughtUp('ETH'))
  await next.end()
  expect(await featuresAstray('ETH')).toEqual([])
})
