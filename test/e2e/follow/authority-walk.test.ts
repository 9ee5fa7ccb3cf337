/** The walk over the logs of authorities against providers with limits, words and lies of their own. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createAuthorityLogReader } from '../../../indexer/history/authorities/reader.ts'
import { createAuthorityWalk } from '../../../indexer/history/authorities/walk.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { createRpcPool } from '../../../platform/rpc/pool.ts'
import { type AuthorityRow, emptyRows } from '../../../schema/block.ts'
import { type AuthorityLogState, decodeBlocks, encodeBlocks, stamp, topics } from '../../../schema/topics.ts'
import { createMemoryBus, type MemoryBus } from '../../kit/bus/memory-bus.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { accountNamed, type LocalAuthorities, placeAuthorities } from '../../kit/chain/authorities.ts'
import { type Provider, type ProviderRules, startProvider } from '../../kit/chain/provider.ts'
import { counted, testContext } from '../../kit/context.ts'

const network = 'ETH'
/** Blocks of the chain, and the first one that the stream brings. */
const LENGTH = 1_120
const FIRST = 1_000

let anvil: Anvil
let authorities: LocalAuthorities
let whole: AuthorityRow[]
let providers: Provider[] = []

const rowsIn = (bus: MemoryBus): AuthorityRow[] => {
  const lines = bus
    .messages(topics.past(network))
    .flatMap((message) =>
      decodeBlocks(message).sections.flatMap(({ rows }) => rows.toString().split('\n').filter(Boolean)),
    )
  const rows = [...new Set(lines)].map((line) => JSON.parse(line) as AuthorityRow)
  return rows.sort((a, b) => Number(BigInt(a.position) - BigInt(b.position)) || (a.subject < b.subject ? -1 : 1))
}
const statesIn = (bus: MemoryBus): AuthorityLogState[] =>
  bus.messages(topics.past(network)).flatMap((message) => decodeBlocks(message).logs.slice(0, 1)).length === 0
    ? []
    : decodeBlocks(bus.messages(topics.past(network)).findLast((message) => decodeBlocks(message).logs.length > 0)!)
        .logs

/** A bus on which the stream begins at block `first`. */
const busFrom = async (first: number): Promise<MemoryBus> => {
  const bus = createMemoryBus()
  await bus.createTopics([
    { topic: topics.history(network), partitions: 4 },
    { topic: topics.head(network), partitions: 1 },
  ])
  const block = { network, number: first, hash: '0x1', parentHash: '0x0', time: 1, rows: emptyRows() } as const
  const messages = encodeBlocks([block]).map((message) => ({ ...stamp(message, 'log of the test'), partition: 0 }))
  await (await bus.producer()).send([{ topic: topics.history(network), messages }])
  return bus
}

const walk = (
  bus: MemoryBus,
  urls: readonly string[],
  { down = [], reportMs = 5_000 }: { down?: readonly string[]; reportMs?: number } = {},
) => {
  const context = testContext()
  const pool = createRpcPool({ context, network, urls, startRate: 5_000 })
  const source = createEvmSource({ context, network, urls, pool, decode: decodeBlock })
  const stop = new AbortController()
  const all = createRpcPool({ context, network, urls: [...urls, ...down], startRate: 5_000 })
  const reader = createAuthorityLogReader({ context, network, pool: all, timeoutMs: 5_000 })
  const one = createAuthorityWalk({ context, network, source, reader, bus, reportMs })
  return { context, status: one.status, stop, done: one.run(stop.signal) }
}

const provider = async (rules: ProviderRules): Promise<Provider> => {
  const started = await startProvider(anvil.url, rules)
  providers.push(started)
  return started
}

/** Walks to the end behind one provider. */
const walkBehind = async (...rules: ProviderRules[]) => {
  const started = await Promise.all(rules.map(provider))
  const bus = await busFrom(FIRST)
  const walking = walk(
    bus,
    started.map(({ url }) => url),
  )
  await walking.done
  return { bus, rows: rowsIn(bus), states: statesIn(bus), providers: started, status: walking.status() }
}

beforeAll(async () => {
  anvil = await startAnvil()
  authorities = await placeAuthorities(anvil)
  // Busy as a real chain is, where any stretch of blocks has logs of somebody.
  const live = async (blocks: number) => {
    const end = (await anvil.blockNumber()) + blocks
    for (let at = end - blocks; at < end; at += 15) {
      await authorities.chatter()
      await anvil.mine(Math.min(14, Math.max(1, end - at - 1)))
    }
  }
  await live(24)
  await authorities.sanction(accountNamed('first'), accountNamed('second'))
  await live(250)
  await authorities.freeze(accountNamed('frozen'))
  for (let time = 0; time < 6; time += 1)
    await authorities.sanction(...[1, 2].map((n) => accountNamed(`crowd ${time} ${n}`)))
  await live(250)
  await authorities.delist(accountNamed('second'))
  await authorities.mix(accountNamed('mixed'))
  await live(FIRST - (await anvil.blockNumber()) + 10)
  await authorities.sanction(accountNamed('after the stream began'))
  await live(LENGTH - (await anvil.blockNumber()))
  ;({ rows: whole } = await walkBehind({}))
}, 500_000)

afterEach(async () => {
  await Promise.all(providers.map((one) => one.stop()))
  providers = []
})
afterAll(() => anvil?.stop())

test('a node without limits returns every event up to the start of the stream, in few calls', async () => {
  const {
    rows,
    states,
    providers: [node],
    status,
  } = await walkBehind({})
  expect(rows.map(({ event, subject }) => [event, subject])).toEqual(
    expect.arrayContaining([
      ['sanction_add', accountNamed('first').toLowerCase()],
      ['sanction_remove', accountNamed('second').toLowerCase()],
      ['freeze', accountNamed('frozen').toLowerCase()],
      ['mixer_deposit', accountNamed('mixed').toLowerCase()],
    ]),
  )
  expect(rows).toHaveLength(17)
  expect(rows.every(({ block_number }) => block_number < FIRST)).toBe(true)
  expect(states.length).toBeGreaterThan(10)
  expect(
    new Set(states.map(({ complete, since, from_block, to_block }) => [complete, since, from_block, to_block].join())),
  ).toEqual(new Set([`1,0,0,${FIRST - 1}`]))
  expect(status).toMatchObject({ state: 'read', missing: 0 })
  expect(node!.counts.answered).toBeLessThan(10)
})

test('gives the same rows as the stream would', async () => {
  const source = createEvmSource({ context: testContext(), network, urls: [anvil.url], decode: decodeBlock })
  const numbers = [...new Set(whole.map(({ block_number }) => block_number))]
  const blocks = await Promise.all(numbers.map((number) => source.block({ number })))
  const pasts = new Set([
    'sanction_add',
    'sanction_remove',
    'freeze',
    'unfreeze',
    'seize',
    'mixer_deposit',
    'mixer_withdraw',
  ])
  const streamed = blocks.flatMap((block) => block!.rows.authority).filter(({ event }) => pasts.has(event))
  const text = (rows: AuthorityRow[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(text(whole)).toEqual(text(streamed))
})

const limits: [string, ProviderRules][] = [
  ['200 blocks, named', { range: { max: 200, error: () => ({ code: -32_602, message: 'Max range: 200' }) } }],
  [
    '70 blocks, not named',
    { range: { max: 70, error: () => ({ code: -32_005, message: 'Block range limit exceeded.' }) } },
  ],
  [
    '600 blocks',
    { range: { max: 600, error: () => ({ code: -32_000, message: 'eth_getLogs is limited to a 600 range' }) } },
  ],
  [
    '3 results, with a suggestion',
    {
      results: {
        max: 3,
        error: (from, to) => ({
          code: -32_005,
          message: `query returned more than 10000 results. Try with this block range [0x${from.toString(16)}, 0x${Math.floor((from + to) / 2).toString(16)}].`,
        }),
      },
    },
  ],
  [
    '3 results, without a suggestion',
    { results: { max: 3, error: () => ({ code: -32_005, message: 'query exceeds max results' }) } },
  ],
  [
    '20 calls a second',
    { rate: 20, range: { max: 200, error: () => ({ code: -32_602, message: 'limited to a 200' }) } },
  ],
]
test.each(limits)(
  'a provider with a limit of %s gives the same events',
  async (_, rules) => {
    const { rows, states } = await walkBehind(rules)
    expect(rows).toEqual(whole)
    expect(states.every(({ complete }) => complete === 1)).toBe(true)
  },
  500_000,
)

test('10 blocks per call suffice for a part of the chain', async () => {
  const bus = await busFrom(300)
  const narrow = await provider({
    range: {
      max: 10,
      error: () => ({ code: -32_600, message: 'you can make eth_getLogs requests with up to a 10 block range' }),
    },
  })
  await walk(bus, [narrow.url]).done
  expect(rowsIn(bus)).toEqual(whole.filter(({ block_number }) => block_number < 300))
  expect(statesIn(bus).every(({ complete }) => complete === 1)).toBe(true)
})

test.each([false, true])(
  'history that a node lacks is not covered, with or without an error (silently: %s)',
  async (silently) => {
    const { rows, states, status } = await walkBehind({ pruned: { below: 320, silently } })
    expect(rows).toEqual(whole.filter(({ block_number }) => block_number >= 320))
    for (const state of states) {
      expect(state).toMatchObject({ complete: 0, to_block: FIRST - 1 })
      // Quiet blocks right below the first one that the node has count with it: nothing is missing in them.
      expect(state.from_block).toBeGreaterThan(300)
      expect(state.from_block).toBeLessThan(350)
      expect(state.reason).toMatch(/no endpoint has logs of blocks below \d+/)
    }
    expect(status.missing).toBe(states.length)
  },
)

/** A provider that answers nothing from the moment it has answered a range that begins at block `from` or above. */
const silentAfter = async (from: number, onSilent: () => void = () => undefined): Promise<Provider> => {
  const node = await provider({ range: { max: 40, error: () => ({ code: -32_602, message: 'Max range: 40' }) } })
  node.rules.onLogs = (first) => {
    if (first < from || node.rules.pruned) return
    node.rules.pruned = { below: LENGTH + 1, silently: true }
    onSilent()
  }
  return node
}

test('a node that falls silent during the walk does not make a log complete', async () => {
  const node = await silentAfter(400)
  const bus = await busFrom(FIRST)
  const { context, status, done } = walk(bus, [node.url])
  await done
  const states = statesIn(bus)
  expect(states.filter(({ complete }) => complete === 1)).toEqual([])
  for (const { reason, from_block } of states) {
    expect(reason).toMatch(/no endpoint has logs of blocks below \d+/)
    expect(from_block).toBe(FIRST)
  }
  expect(status().missing).toBe(states.length)
  expect(await counted(context, 'assay_rpc_inconsistent_total', { check: 'logs_silent' })).toBe(1)
})

test('reads logs of a node that fell silent again from a node that has them', async () => {
  const other = await provider({ rate: 0 })
  const node = await silentAfter(400, () => {
    delete other.rules.rate
  })
  const bus = await busFrom(FIRST)
  await walk(bus, [node.url, other.url]).done
  expect(node.rules.pruned).toBeDefined()
  expect(rowsIn(bus)).toEqual(whole)
  expect(statesIn(bus).every(({ complete }) => complete === 1)).toBe(true)
})

test('publishes only proven positions: a restart does not trust what a silent node left', async () => {
  const bus = await busFrom(FIRST)
  const node = await silentAfter(400)
  const first = walk(bus, [node.url], { reportMs: 0 })
  const { onLogs } = node.rules
  node.rules.onLogs = (from, to) => {
    onLogs?.(from, to)
    // Before the next proof is due.
    if (from >= 600) first.stop.abort(new Error('killed'))
  }
  await first.done
  await walk(bus, [(await provider({})).url]).done
  expect(rowsIn(bus)).toEqual(whole)
})

test('a second endpoint with the history completes the logs', async () => {
  const {
    rows,
    states,
    providers: [liar],
  } = await walkBehind({ pruned: { below: 800, silently: true } }, {})
  expect(rows).toEqual(whole)
  expect(states.every(({ complete }) => complete === 1)).toBe(true)
  expect(liar!.counts.answered).toBeGreaterThanOrEqual(0)
})

test('an endpoint that is down does not hide what another has', async () => {
  const { url } = await provider({ pruned: { below: 320, silently: false } })
  const bus = await busFrom(FIRST)
  await walk(bus, [url], { down: ['http://127.0.0.1:9'] }).done
  expect(rowsIn(bus)).toEqual(whole.filter(({ block_number }) => block_number >= 320))
  expect(new Set(statesIn(bus).map(({ from_block, reason }) => `${from_block}: ${reason}`))).toEqual(
    new Set(['320: no endpoint has logs of blocks below 320']),
  )
})

test('refuses an invented log, and one outside the range', async () => {
  const forged = (change: (log: Record<string, unknown>) => Record<string, unknown>): ProviderRules => ({
    forge: (logs) => logs.map((log, at) => (at === 0 ? (change(log) as typeof log) : log)),
  })
  const subject = `0x${'00'.repeat(12)}${'77'.repeat(20)}`
  const lies = await Promise.all([
    provider(forged((log) => ({ ...log, data: subject }))),
    provider(forged((log) => ({ ...log, address: accountNamed('nobody') }))),
    provider(forged((log) => ({ ...log, blockNumber: '0xffffff' }))),
  ])
  const honest = await provider({})
  const bus = await busFrom(FIRST)
  await walk(
    bus,
    [...lies, honest].map(({ url }) => url),
  ).done
  expect(rowsIn(bus)).toEqual(whole)
})

test('an interrupted walk continues, and repeated rows are equal', async () => {
  const bus = await busFrom(FIRST)
  const rules: ProviderRules = { range: { max: 100, error: () => ({ code: -32_602, message: 'Max range: 100' }) } }
  const node = await provider(rules)
  const first = walk(bus, [node.url])
  node.rules.onLogs = (from) => {
    if (from > 400) first.stop.abort(new Error('killed'))
  }
  await first.done
  const answered = node.counts.answered
  expect(rowsIn(bus).length).toBeLessThan(whole.length)
  expect(rowsIn(bus).length).toBeGreaterThan(0)
  node.rules.onLogs = undefined as never
  const second = walk(bus, [node.url])
  await second.done
  expect(rowsIn(bus)).toEqual(whole)
  expect(node.counts.answered - answered).toBeLessThan(24)
  expect(await counted(second.context, 'assay_authority_logs_total')).toBeLessThan(whole.length)
})

test('lost sends and unknown outcomes neither lose nor duplicate rows', async () => {
  const bus = await busFrom(FIRST)
  const node = await provider({ range: { max: 200, error: () => ({ code: -32_602, message: 'Max range: 200' }) } })
  let sends = 0
  bus.onSend(() => {
    sends += 1
    return sends === 1 ? 'lost' : sends === 3 ? 'unknown' : undefined
  })
  await walk(bus, [node.url]).done
  expect(rowsIn(bus)).toEqual(whole)
  expect(statesIn(bus).every(({ complete }) => complete === 1)).toBe(true)
})

test('nothing is read again once it is complete', async () => {
  const bus = await busFrom(FIRST)
  const node = await provider({})
  await walk(bus, [node.url]).done
  const { answered } = node.counts
  await walk(bus, [node.url]).done
  expect(node.counts.answered).toBe(answered)
})
