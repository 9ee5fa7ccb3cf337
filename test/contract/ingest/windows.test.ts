/** A scorer that dies, and comes back when other networks have turned the deduplication windows of the shared tables. */
import { beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/story/random.ts'
import { type Block, touchedAddresses } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { encodeFinal, topics } from '../../../schema/topics.ts'
import { readWindows } from '../../../scorer/ingest/covered/windows.ts'
import { encodeInParts, makeBlock, outgoing, rowsOf } from './chain.ts'
import { setUpIngest, until } from './kit.ts'

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
    chain.push(makeBlock(network, chain.length + 1, chain.at(-1)?.hash ?? '0x0', 'x', random))
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
  const chain = chainOf('BNB', 2 * WINDOW)
  for (let at = 0; at < chain.length; at += 1) await send(topics.history('BNB'), chain.slice(at, at + 1))
  const life = start('BNB', { chunkBytes: 1, maxBytes: 4 })
  const caught = until('the windows have turned', () => caughtUp('BNB'), 110_000)
  expect(await Promise.race([caught, life.ended])).toBeUndefined()
  await life.end()
  return chain
}

/** How a scorer that comes back ends: with an error, or caught up. */
const comeBack = async (network: Network, done: () => Promise<boolean>) => {
  const life = start(network)
  const error = await Promise.race([until('done', done).then(() => undefined), life.ended])
  await life.end()
  return error as { code?: string; message: string } | undefined
}

const UNCLEAR = 'ASSAY_INGEST_REPLAY_UNCLEAR'

test('what is trusted follows from the smallest real window, views counted', async () => {
  const { trusted, feeding } = await readWindows(store())
  // wallet_features is fed by seven tables.
  expect(trusted).toBe(Math.floor((WINDOW / 7) * 0.8))
  expect(feeding.has('ledger')).toBe(true)
  expect(feeding.has('blocks')).toBe(false)
})

test.each([
  ['before anything was inserted', 'claimed', undefined],
  ['between two tables', 'inserted ledger', UNCLEAR],
  ['when every table had its rows', 'inserted blocks', undefined],
])('a chunk that was left %s is neither doubled nor lost', async (_, step, code) => {
  await createTopics('ETH')
  const chain = chainOf('ETH', 6)
  await send(topics.history('ETH'), chain)
  await dieAt('ETH', step)
  const rows = (await stored('ledger')).length
  const other = await turnWindows()
  const error = await comeBack('ETH', () => caughtUp('ETH'))
  expect(error?.code).toBe(code)
  const expected = rowsOf([...chain, ...other])
  if (code === undefined) {
    expect(await stored('ledger')).toEqual(expected.ledger)
    expect(await stored('blocks')).toEqual(expected.blocks)
    expect(await touchedOf('ETH')).toEqual(new Set(touchedAddresses(chain)))
  } else {
    expect(error?.message).toContain('docs/operating-the-stream.md')
    expect((await stored('ledger')).length).toBe(rows + rowsOf(other).ledger.length)
  }
  expect(await totals()).toEqual(await truth())
})

test.each([
  ['before anything was moved', 'claimed', undefined],
  ['between two tables', 'moved ledger', UNCLEAR],
  ['when every table had its rows', 'moved blocks', undefined],
])('a move that was left %s is neither doubled nor lost', async (_, step, code) => {
  await createTopics('ETH')
  const chain = chainOf('ETH', 6)
  await send(topics.head('ETH'), chain)
  await producer().send([
    { topic: topics.head('ETH'), messages: [outgoing(encodeFinal('ETH', 6, chain.at(-1)!.hash), 0)] },
  ])
  await dieAt('ETH', step)
  const rows = (await stored('ledger')).length
  const other = await turnWindows()
  const error = await comeBack(
    'ETH',
    async () => (await stored('blocks')).length === 6 + other.length && (await settled()),
  )
  expect(error?.code).toBe(code)
  const expected = rowsOf([...chain, ...other])
  if (code === undefined) expect(await stored('ledger')).toEqual(expected.ledger)
  else expect((await stored('ledger')).length).toBe(rows + rowsOf(other).ledger.length)
  expect(await totals()).toEqual(await truth())
})

const settled = async () => {
  const [row] = await store().query<{ state: string }>(
    "SELECT argMax(state, version) AS state FROM watermarks WHERE network = 'ETH'",
  )
  return row?.state === 'settled'
}
