/** A scorer that dies, and comes back when other networks have turned the deduplication windows of the shared tables. */
import { beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { type Block, touchedAddresses } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { encodeFinal, topics } from '../../../schema/topics.ts'
import { readWindows } from '../../../scorer/ingest/covered/windows.ts'
import { until } from '../../kit/until.ts'
import { encodeInParts, FEW_TABLES, makeBlock, outgoing, rowsOf } from './chain.ts'
import { setUpIngest } from './kit.ts'

const { store, producer, createTopics, start, caughtUp, stored, totals, truth, touchedOf } = setUpIngest()

/** Tokens that tables remember in these tests. */
const WINDOW = 10

beforeAll(async () => {
  const tables = await store().query<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND create_table_query LIKE '%deduplication_window%' AND engine LIKE '%MergeTree' AND name NOT IN ('ingest_chunks', 'watermarks', 'covered_ranges', 'network_epochs')",
  )
  for (const name of tables.map((table) => table.name)) {
    await store().command(`ALTER TABLE ${name} MODIFY SETTING non_replicated_deduplication_window = ${WINDOW}`)
  }
})

const chainOf = (network: Network, length: number): Block[] => {
  const random = createRandom(11)
  const chain: Block[] = []
  while (chain.length < length) {
    chain.push(makeBlock(network, chain.length + 1, chain.at(-1)?.hash ?? '0x0', 'x', random, { tables: FEW_TABLES }))
  }
  return chain
}

const send = (topic: string, blocks: readonly Block[]) =>
  producer().send([
    { topic, messages: blocks.flatMap((block) => encodeInParts([block], 1).map((one) => outgoing(one, 0))) },
  ])

/** Lets a scorer die at a step, for good. */
const dieAt = async (network: Network, at: string) => {
  let dead = false
  const life = start(network, {
    onStep: (step) => {
      dead ||= step === at
      if (dead) throw new Error(`died at ${at}`)
    },
  })
  await until(`dead at ${at}`, async () => dead)
  await life.end()
}

/** Chunks of another network, one by one, until no table remembers a token of before. */
const turnWindows = async () => {
  await createTopics('BNB')
  const chain = chainOf('BNB', WINDOW + 2)
  for (let at = 0; at < chain.length; at += 1) await send(topics.history('BNB'), chain.slice(at, at + 1))
  const life = start('BNB', { chunkBytes: 1, maxBytes: 4 })
  const caught = until('the windows have turned', () => caughtUp('BNB'))
  expect(await Promise.race([caught.then(() => undefined), life.ended])).toBeUndefined()
  await life.end()
}

/** How a scorer that comes back ends: with an error, or caught up. */
const comeBack = async (network: Network, done: () => Promise<boolean>) => {
  const life = start(network)
  const error = await Promise.race([until('done', done).then(() => undefined), life.ended])
  await life.end()
  return error as { code?: string; message: string } | undefined
}

const of = (network: Network) => `network = '${network}'`

test('the deduplication window is the smallest one of tables and views', async () => {
  const { trusted, feeding } = await readWindows(store())
  // wallet_features is fed by seven tables.
  expect(trusted).toBe(Math.floor((WINDOW / 7) * 0.8))
  expect(feeding.has('ledger')).toBe(true)
  expect(feeding.has('blocks')).toBe(false)
})

const UNCLEAR = 'ASSAY_INGEST_REPLAY_UNCLEAR'

/** Networks left at different steps at once: turning the windows is what takes the time. */
test('chunks interrupted before, between and after their tables are neither duplicated nor lost', async () => {
  const left = [
    { network: 'ETH', step: 'claimed', code: undefined },
    { network: 'POLYGON', step: 'inserted ledger', code: UNCLEAR },
    { network: 'BASE', step: 'inserted blocks', code: undefined },
  ] as const
  for (const { network, step } of left) {
    await createTopics(network)
    await send(topics.history(network), chainOf(network, 6))
    await dieAt(network, step)
  }
  const half = await stored('ledger', of('POLYGON'))
  await turnWindows()
  for (const { network, code } of left) {
    const error = await comeBack(network, () => caughtUp(network))
    expect(error?.code, network).toBe(code)
    const chain = chainOf(network, 6)
    if (code === undefined) {
      const expected = rowsOf(chain)
      expect(await stored('ledger', of(network))).toEqual(expected.ledger)
      expect(await stored('blocks', of(network))).toEqual(expected.blocks)
      expect(await touchedOf(network)).toEqual(new Set(touchedAddresses(chain)))
    } else {
      expect(error?.message).toContain(`assay reindex --network ${network} --base`)
      expect(await stored('ledger', of(network))).toEqual(half)
    }
  }
  expect(await totals()).toEqual(await truth())
})

test('moves interrupted before, between and after their tables are neither duplicated nor lost', async () => {
  const left = [
    { network: 'ETH', step: 'claimed', code: undefined },
    { network: 'POLYGON', step: 'moved ledger', code: UNCLEAR },
    { network: 'BASE', step: 'moved blocks', code: undefined },
  ] as const
  for (const { network, step } of left) {
    const chain = chainOf(network, 6)
    await createTopics(network)
    await send(topics.head(network), chain)
    await producer().send([
      { topic: topics.head(network), messages: [outgoing(encodeFinal(network, 6, chain.at(-1)!.hash), 0)] },
    ])
    await dieAt(network, step)
  }
  const half = await stored('ledger', of('POLYGON'))
  await turnWindows()
  for (const { network, code } of left) {
    const error = await comeBack(
      network,
      async () => (await stored('blocks', of(network))).length === 6 && (await settled(network)),
    )
    expect(error?.code, network).toBe(code)
    const expected = code === undefined ? rowsOf(chainOf(network, 6)).ledger : half
    expect(await stored('ledger', of(network))).toEqual(expected)
  }
  expect(await totals()).toEqual(await truth())
})

const settled = async (network: Network) => {
  const [row] = await store().query<{ state: string }>(
    `SELECT argMax(state, version) AS state FROM watermarks WHERE ${of(network)}`,
  )
  return row?.state === 'settled'
}
