/** What a scorer does when bus and store do not fit together: nothing is lost, doubled or believed. */
import { expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { tronFromEvm } from '../../../schema/address/index.ts'
import { type AuthorityRow, type Block, positionOf, touchedAddresses } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { authorityLogsOf } from '../../../schema/registry/index.ts'
import {
  type AuthorityLogState,
  encodeFinal,
  encodeHandover,
  encodePast,
  encodeUndo,
  topics,
} from '../../../schema/topics.ts'
import { createChunkLedger } from '../../../scorer/ingest/chunks/chunks.ts'
import { until } from '../../kit/until.ts'
import { encodeInParts, FEW_TABLES, makeBlock, outgoing, rowsOf } from './chain.ts'
import { setUpIngest } from './kit.ts'

const {
  bus,
  producer,
  createTopics,
  start,
  caughtUp,
  stored,
  storedAll,
  totals,
  truth,
  renewBus,
  truncate,
  touchedOf,
  store,
} = setUpIngest()

const chainOf = (length: number, salt = 'x', seed = 1): Block[] => {
  const random = createRandom(seed)
  const chain: Block[] = []
  while (chain.length < length) {
    chain.push(makeBlock('ETH', chain.length + 1, chain.at(-1)?.hash ?? '0x0', salt, random, { tables: FEW_TABLES }))
  }
  return chain
}

const numbered = (chain: readonly Block[], from: number, to: number) => chain.slice(from - 1, to)

const sendHistory = async (blocks: readonly Block[], partition = 0, log?: string) => {
  const messages = blocks.flatMap((block) =>
    encodeInParts([block], 1).map((message) => outgoing(message, partition, log)),
  )
  await producer().send([{ topic: topics.history('ETH'), messages }])
}

const sendHead = async (blocks: readonly Block[], log?: string) => {
  const messages = blocks.flatMap((block) => encodeInParts([block], 1).map((message) => outgoing(message, 0, log)))
  await producer().send([{ topic: topics.head('ETH'), messages }])
}

const handOver = async (chain: readonly Block[], from: number, to: number, log?: string) => {
  const message = outgoing(encodeHandover('ETH', from, to, chain[to - 1]!.hash), 0, log)
  await producer().send([{ topic: topics.head('ETH'), messages: [message] }])
}

const finalize = async (chain: readonly Block[], number: number) =>
  producer().send([
    { topic: topics.head('ETH'), messages: [outgoing(encodeFinal('ETH', number, chain[number - 1]!.hash), 0)] },
  ])

/** Runs a scorer until it has everything; then gives what it published and how it ended. */
const catchUp = async (options: Parameters<typeof start>[1] = {}) => {
  const life = start('ETH', options)
  const caught = until('caught up', () => caughtUp('ETH'))
  const error = await Promise.race([caught.then(() => undefined), life.ended])
  if (error) throw error
  await life.end()
  return life.ingest.status()
}

/** Runs a scorer that has to stop by itself. */
const stopOf = async () => {
  const life = start('ETH')
  const error = await life.ended
  const gap = life.ingest.status().gapBlocks
  const metric = await life.metrics.registry.getSingleMetricAsString('assay_ingest_gap_blocks')
  await life.end()
  return { error: error as Error & { code?: string }, gap, metric }
}

test('a gap in the head stops the network before the block above it, and names the blocks and the command', async () => {
  await createTopics('ETH')
  const chain = chainOf(42)
  await sendHistory(numbered(chain, 1, 5))
  await handOver(chain, 1, 5)
  await sendHead([...numbered(chain, 6, 20), ...numbered(chain, 41, 42)])
  const { error, gap, metric } = await stopOf()
  expect(error).toMatchObject({ code: 'ASSAY_INGEST_GAP' })
  expect(error.message).toContain('assay backfill --network ETH --from 21 --to 40')
  expect(gap).toBe(20)
  expect(metric).toContain('assay_ingest_gap_blocks{network="ETH"} 20')
  expect((await storedAll()).blocks).toEqual(rowsOf(numbered(chain, 1, 20)).blocks)

  // What the command brings by history closes the gap, and the head goes on by itself.
  await sendHistory(numbered(chain, 21, 40), 2)
  await finalize(chain, 42)
  await catchUp()
  expect(await storedAll()).toEqual(rowsOf(chain))
  expect(await totals()).toEqual(await truth())
})

test('history without blocks that the hand-over names is a gap, not a short history', async () => {
  await createTopics('ETH')
  const chain = chainOf(12)
  await sendHistory([...numbered(chain, 1, 3), ...numbered(chain, 7, 10)])
  await handOver(chain, 1, 10)
  await sendHead(numbered(chain, 11, 12))
  const { error } = await stopOf()
  expect(error).toMatchObject({ code: 'ASSAY_INGEST_GAP' })
  expect(error.message).toContain('--from 4 --to 6')
})

test('the head waits for pending history, names it, and continues in any order of arrival', async () => {
  await createTopics('ETH')
  const chain = chainOf(30)
  await handOver(chain, 1, 24)
  await sendHead(numbered(chain, 25, 30))
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  for (const [index, block] of numbered(chain, 1, 24).toReversed().entries()) await sendHistory([block], index % 4)
  const life = start('ETH', { onStep: (step) => (step.startsWith('inserted blocks') ? held : undefined) })
  await until('it waits', async () => life.ingest.status().waitsFor !== undefined)
  expect(life.ingest.status().waitsFor).toMatch(/^history of blocks /)
  expect((await storedAll()).blocks).not.toContain(rowsOf(numbered(chain, 30, 30)).blocks[0])
  release()
  await until('caught up', () => caughtUp('ETH'))
  await until('nothing to wait for', async () => life.ingest.status().waitsFor === undefined)
  await life.end()
  expect(await storedAll()).toEqual(rowsOf(chain))
})

test('a young chain is handed over at block 0', async () => {
  await createTopics('ETH')
  const random = createRandom(4)
  const chain: Block[] = []
  while (chain.length < 5)
    chain.push(makeBlock('ETH', chain.length, chain.at(-1)?.hash ?? '0x0', 'x', random, { tables: FEW_TABLES }))
  await sendHistory(chain.slice(0, 1))
  await producer().send([{ topic: topics.head('ETH'), messages: [encodeHandover('ETH', 0, 0, chain[0]!.hash)] }])
  await sendHead(chain.slice(1))
  await catchUp()
  expect(await storedAll()).toEqual(rowsOf(chain))
})

test('a head without history and hand-over is the beginning', async () => {
  await createTopics('ETH')
  const chain = chainOf(6)
  await sendHead(numbered(chain, 3, 6))
  await catchUp()
  expect(await storedAll()).toEqual(rowsOf(numbered(chain, 3, 6)))
})

test('the same history at new offsets changes nothing, even in a message with new blocks', async () => {
  await createTopics('ETH')
  const chain = chainOf(12)
  await sendHistory(numbered(chain, 1, 6), 0)
  await catchUp()
  await sendHistory(numbered(chain, 1, 6), 1)
  const both = encodeInParts(numbered(chain, 4, 9), 2).map((message) => outgoing(message, 2))
  await producer().send([{ topic: topics.history('ETH'), messages: both }])
  await sendHistory([...numbered(chain, 10, 12), ...numbered(chain, 10, 12)], 3)
  await catchUp()
  expect(await storedAll()).toEqual(rowsOf(chain))
  expect(await totals()).toEqual(await truth())
})

test('another block at a covered height stops the network', async () => {
  await createTopics('ETH')
  await sendHistory(chainOf(4))
  await catchUp()
  await sendHistory(numbered(chainOf(4, 'another'), 3, 3), 1)
  const { error } = await stopOf()
  expect(error).toMatchObject({ code: 'ASSAY_INGEST_OTHER_HASH' })
  expect(error.message).toContain('assay verify --network ETH')
  expect(await storedAll()).toEqual(rowsOf(chainOf(4)))
})

test.each([
  ['empty', 0],
  ['shorter', 2],
  ['longer', 12],
])('recreated topics, now %s, stop the network with the command, and nothing is inserted', async (_, length) => {
  await createTopics('ETH')
  const chain = chainOf(12)
  await sendHistory(numbered(chain, 1, 4))
  await handOver(chain, 1, 4)
  await sendHead(numbered(chain, 5, 8))
  await catchUp()
  const before = await storedAll()
  await renewBus()
  await createTopics('ETH')
  if (length > 0) {
    await sendHistory(numbered(chain, 1, length), 0, 'another log')
    await handOver(chain, 1, length, 'another log')
  }
  const { error } = await stopOf()
  expect(error).toMatchObject({ code: 'ASSAY_INGEST_OTHER_LOG' })
  expect(error.message).toContain('assay reindex --network ETH --base')
  expect(await storedAll()).toEqual(before)
})

test('a recreated topic with matching offsets stops a scorer at the first message', async () => {
  await createTopics('ETH')
  const chain = chainOf(6)
  await sendHistory(numbered(chain, 1, 4))
  await catchUp()
  const life = start('ETH')
  await sendHistory(numbered(chain, 5, 5), 0, 'another log')
  expect(await life.ended).toMatchObject({ code: 'ASSAY_INGEST_OTHER_LOG' })
  await life.end()
  expect(await storedAll()).toEqual(rowsOf(numbered(chain, 1, 4)))
})

test('the head continues without a history topic that was deleted after its hand-over', async () => {
  await createTopics('ETH')
  const chain = chainOf(12)
  await sendHistory(numbered(chain, 1, 4))
  await handOver(chain, 1, 4)
  await sendHead(numbered(chain, 5, 8))
  await finalize(chain, 6)
  await catchUp()
  await renewBus()
  await createTopics('ETH')
  await handOver(chain, 1, 4)
  await sendHead(numbered(chain, 5, 8))
  await finalize(chain, 6)
  await sendHead(numbered(chain, 9, 12))
  await sendHistory(numbered(chain, 2, 3), 0, 'another log')
  await catchUp()
  expect(await storedAll()).toEqual(rowsOf(chain))
})

test('one query finds the newest chunk of each partition, that of the last written topic first', async () => {
  const [history, head] = [topics.history('ETH'), topics.head('ETH')]
  const ledger = createChunkLedger(store(), 1)
  const put = async (
    topic: string,
    partition: number,
    log: string,
    first: bigint,
    last: bigint,
    finalized?: number,
  ) => {
    const chunk = { topic, partition, log, first, last }
    await ledger.announce(chunk, await ledger.latest(chunk))
    if (finalized !== undefined) await ledger.close(chunk, { finalized, rows: 1 })
  }
  await put(history, 0, 'z', 0n, 9n, 0)
  await put(history, 0, 'z', 10n, 11n)
  await put(history, 1, 'z', 0n, 2n, 0)
  await put(head, 0, 'h', 0n, 4n, 70)
  await put(head, 0, 'h', 5n, 5n, 60)
  await put(history, 1, 'a', 0n, 0n, 0)
  const places = [...[0, 1].flatMap((partition) => ['a', 'z'].map((log) => ({ topic: history, partition, log })))]
  const alone = await Promise.all([...places, { topic: head, partition: 0, log: 'h' }].map(ledger.latest))
  const found = await ledger.newest([history, head])
  expect(new Set(found)).toEqual(new Set(alone.filter(Boolean)))
  expect(found.length).toBe(4)
  expect(found.find(({ topic }) => topic === history)).toMatchObject({ log: 'a', partition: 1 })
  expect(await createChunkLedger(store(), 2).newest([history, head])).toEqual([])
})

test('refills a deleted store from the bus, whatever the group has committed', async () => {
  await createTopics('ETH')
  const chain = chainOf(12)
  await sendHistory(numbered(chain, 1, 6))
  await handOver(chain, 1, 6)
  await sendHead(numbered(chain, 7, 12))
  await catchUp()
  await truncate()
  const life = start('ETH')
  await until('all is back', async () => (await stored('blocks_all')).length === 12)
  await until('caught up', () => caughtUp('ETH'))
  await life.end()
  expect(await storedAll()).toEqual(rowsOf(chain))
  expect(await totals()).toEqual(await truth())
})

test('reads messages that the group committed but the ledger lacks, as after a restore of an older store', async () => {
  await createTopics('ETH')
  const chain = chainOf(12)
  await sendHistory(numbered(chain, 1, 6))
  await handOver(chain, 1, 6)
  await catchUp()
  await sendHead(numbered(chain, 7, 12))
  const topic = topics.head('ETH')
  const consumer = await bus().consumer({ groupId: `ingest.${topic}`, topics: [topic], maxBytes: 1_000_000 })
  void consumer.run((batch) => batch.commit(batch.messages.at(-1)!.offset + 1n))
  await until('the group is ahead', () => caughtUp('ETH'))
  await consumer.close()
  const life = start('ETH')
  await until('all is there', async () => (await stored('blocks_all')).length === 12)
  await life.end()
  expect(await storedAll()).toEqual(rowsOf(chain))
})

test('a retry publishes the addresses that its first attempt did not publish', async () => {
  await createTopics('ETH')
  const chain = chainOf(8)
  await sendHistory(numbered(chain, 1, 4))
  await handOver(chain, 1, 4)
  await sendHead(numbered(chain, 5, 8))
  for (const topic of ['history', 'head']) {
    const life = start('ETH', {
      onStep: (step) => {
        if (step === 'applied') throw new Error(`died before ${topic} was published`)
      },
    })
    await until('it has died once', async () =>
      (await life.metrics.registry.getSingleMetricAsString('assay_ingest_retries_total')).includes('network="ETH"'),
    )
    await life.end()
    if (topic === 'history') expect(await touchedOf('ETH')).toEqual(new Set())
  }
  await catchUp()
  expect(await touchedOf('ETH')).toEqual(new Set(touchedAddresses(chain)))
})

/** What a walk over the logs of authorities publishes about blocks `from` to `to`: read from block 1 on. */
const walked = (from: number, to: number, log?: string, rows: AuthorityRow[] = []) => {
  const [authority] = authorityLogsOf('ETH')
  const state: AuthorityLogState = {
    ...{ network: 'ETH', authority: authority!.authority, list: authority!.list, name: authority!.name, since: 1 },
    ...{ from_block: 1, to_block: to, target: 100, complete: 0, source: '', reason: '', left_seconds: 0 },
  }
  const last = { number: to, hash: `0x${to}`, parentHash: '0x', time: to }
  return encodePast('ETH', from, last, rows, [state]).map((message) => outgoing(message, 0, log))
}
const sendWalked = (...messages: ReturnType<typeof walked>) =>
  producer().send([{ topic: topics.past('ETH'), messages }])
const readTo = async () => {
  const rows = await store().query<{ to: number }>('SELECT to_block AS to FROM authority_logs FINAL')
  return rows.map(({ to }) => to)
}

test('an undecodable message about authority logs stops the network, because later ones rely on it', async () => {
  await createTopics('ETH')
  const [torn] = walked(11, 20)
  await sendWalked(...walked(1, 10))
  const life = start('ETH')
  await until('the first is stored', async () => (await readTo()).includes(10))
  await sendWalked({ ...torn!, value: torn!.value.subarray(0, torn!.value.length - 3) }, ...walked(21, 30))
  const error = await life.ended
  await life.end()
  expect(error).toMatchObject({ code: 'ASSAY_INGEST_POISON' })
  expect((error as Error).message).toContain('#read-the-logs-of-authorities-again')
  expect(await readTo()).toEqual([10])

  // The topic is created again, and read from its beginning.
  await renewBus()
  await createTopics('ETH')
  await sendWalked(...walked(1, 30, 'another log'))
  const next = start('ETH')
  await until('all is stored', async () => (await readTo()).includes(30))
  await next.end()
})

test.each(['from an empty store', 'after a part of it'])(
  'authority logs removed from their topic before they were stored stop the network: %s',
  async (since) => {
    await createTopics('ETH')
    await bus().createTopics([{ topic: topics.past('ETH'), partitions: 1, retentionBytes: 1 }])
    await sendWalked(...walked(1, 10))
    if (since === 'after a part of it') {
      const life = start('ETH')
      await until('the first is stored', async () => (await readTo()).includes(10))
      await life.end()
    }
    const before = await readTo()
    for (const from of [11, 21, 31]) await sendWalked(...walked(from, from + 9))
    const { error } = await stopOf()
    expect(error).toMatchObject({ code: 'ASSAY_INGEST_CUT' })
    expect(error.message).toContain('#read-the-logs-of-authorities-again')
    expect(await readTo()).toEqual(before)
  },
)

const frozen = (block: number, subject: string): AuthorityRow => ({
  ...{
    network: 'ETH',
    block_number: block,
    block_time: block,
    position: positionOf(block, 0, 2 ** 18),
    tx_hash: '0x1',
  },
  ...{ authority: authorityLogsOf('ETH')[0]!.authority, event: 'freeze', subject, actor: '', amount: '0', detail: '' },
})
/** Writes that a wallet of a network has a record. */
const recorded = (network: Network, address: string) =>
  store().insert(
    'wallet_records',
    `${JSON.stringify({
      ...{ network, address, version: 1, status: 'Not Fraud', probability: 0, body: '{}', reasons: '[]', unknowns: [] },
      ...{ model_version: '1', data_height: 1, created_at: 1, computed_at: 1 },
    })}\n`,
  )
const account = (digit: string) => `0x${digit.repeat(40)}`

test('a listing queues the account on every network with the same keys, from past, head and an undo', async () => {
  const networks = ['HAQQ', 'TRON', 'SOLANA'] as const
  const [early, late, never] = ['1', '2', '3'].map(account) as [string, string, string]
  await createTopics('ETH')
  await recorded('HAQQ', early)
  await recorded('HAQQ', late)
  await recorded('TRON', tronFromEvm(early))
  await recorded('ETH', never)
  const queued = async () =>
    Promise.all(networks.map(async (network) => [...(await touchedOf(network).catch(() => []))].sort()))
  const life = start('ETH')
  await sendWalked(...walked(1, 10, undefined, [frozen(5, early), frozen(6, never)]))
  await until('the past is queued', async () => (await queued()).slice(0, 2).every((some) => some.length > 0))
  expect(await queued()).toEqual([[early], [tronFromEvm(early)], []])

  const chain = chainOf(12)
  chain[11]!.rows.authority = [frozen(12, late)]
  await sendHistory(numbered(chain, 1, 10))
  await handOver(chain, 1, 10)
  await sendHead(numbered(chain, 11, 12))
  await until('the head is queued', async () => (await queued())[0]!.length === 2)
  await recorded('HAQQ', never)
  await recorded('BASE', late)
  await producer().send([
    { topic: topics.head('ETH'), messages: [outgoing(encodeUndo('ETH', 12, 12, chain[10]!.hash), 0)] },
  ])
  await until('what is undone is queued', async () => [...(await touchedOf('BASE').catch(() => []))].includes(late))
  await life.end()
  expect(await queued()).toEqual([[early, late], [tronFromEvm(early)], []])
})
