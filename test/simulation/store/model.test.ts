/** Holds the store model equal to the engine: the same statements, drawn at random, on both. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom, type Random } from '../../../deploy/demo/scenario/random.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Block, TABLES } from '../../../schema/block.ts'
import { FACTS_APART } from '../../../schema/tables/chain/facts.ts'
import { SCHEMA } from '../../../schema/tables/index.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { sized } from '../../kit/thorough.ts'
import { makeBlock } from '../chain/blocks.ts'
import { type Backend, modelBackend } from './backend.ts'
import { compareModels, sorted } from './compare.ts'
import { loadModel } from './load.ts'
import { createStoreModel } from './model.ts'
import { statementNames, statementText } from './statements.ts'
import type { Row } from './table.ts'

/** Tokens that tables remember here: few, so that windows turn within a sequence. */
const WINDOW = 6
const NETWORKS = ['ETH', 'POLYGON'] as const
const STATEMENTS = 60
/** Each has every kind of statement a few times. */
const SEQUENCES = Array.from({ length: sized(6, 20) }, (_, index) => index + 1)

let kit: TestStore

beforeAll(async () => {
  kit = await openTestStore()
  for (const table of SCHEMA) {
    if (table.kind !== 'table' || table.window === undefined) continue
    await kit.store.command(`ALTER TABLE ${table.name} MODIFY SETTING non_replicated_deduplication_window = ${WINDOW}`)
  }
  // A merge may come at any moment and take versions away that a newer one replaced: what a read then finds is not certain.
  for (const table of SCHEMA) {
    if (table.kind === 'table' && table.engine.startsWith('Replacing'))
      await kit.store.command(`SYSTEM STOP MERGES ${table.name}`)
  }
})
afterAll(() => kit.close())

const engine = (store: Store): Backend => ({
  query: (sql, params) => store.query<Row>(sql, params),
  insert: (table, lines, token) => [() => store.insert(table, lines, token === undefined ? {} : { token })],
  command: (sql, params, token) => [() => store.command(sql, params, token === undefined ? {} : { token })],
})

/** Statements of a sequence; each runs on both. */
const draw = (random: Random, blocks: Record<string, Block[]>) => {
  let version = 0
  let slots = 0
  let records = 0
  const network = () => random.pick(NETWORKS)
  const some = (own: readonly Block[]) => own.slice(random.below(own.length)).slice(0, 1 + random.below(4))
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const apart = () => random.pick(['', FACTS_APART])
  const token = () => (random.below(6) === 0 ? undefined : `token ${random.below(12)}${apart()}`)
  const table = () => random.pick(TABLES)
  const height = () => 250 + random.below(16)

  const write = async (store: Backend, how: (store: Backend) => ReturnType<Backend['insert']>) => {
    for (const step of how(store)) await step()
  }
  const kinds: (() => (store: Backend) => ReturnType<Backend['insert']>)[] = [
    () => {
      const [name, under, own] = [table(), token(), some(blocks[network()]!)]
      return (store) => store.insert(name, lines(own.flatMap((block): Row[] => block.rows[name])), under)
    },
    () => {
      const [name, own] = [table(), some(blocks[network()]!)]
      version += random.below(3)
      const rows = own.flatMap((block): Row[] => block.rows[name]).map((row) => ({ version, ...row }))
      return (store) => store.insert(`${name}_hot`, lines(rows), undefined)
    },
    () => {
      const params = {
        hot: `${random.pick([...TABLES, 'facts'])}_hot`,
        network: network(),
        from: height(),
        version: String(version + random.below(3)),
      }
      return (store) => store.command(statementText('undo.sql'), params, undefined)
    },
    () => {
      const name = table()
      const first = height()
      const params = { final: name, hot: `${name}_hot`, network: network(), first, last: first + random.below(6) }
      const under = `move ${random.below(12)}${apart()}`
      return (store) => store.command(statementText('move.sql'), params, under)
    },
    () => {
      const params = {
        table: `${random.pick([...TABLES, 'facts'])}_hot`,
        network: network(),
        bucket: String(random.below(2)),
      }
      return (store) => store.command(statementText('drop-hot-partition.sql'), params, undefined)
    },
    () => {
      const row = {
        network: network(),
        version: String(random.below(20)),
        epoch: 1,
        log: 'a',
        state: random.pick(['settled', 'moving']),
        settled: height(),
        target: height(),
      }
      const under = `mark ${random.below(20)}`
      return (store) => store.insert('watermarks', lines([row]), under)
    },
    () => {
      const first = random.below(20)
      const row = {
        topic: 'head.ETH',
        epoch: 1,
        log: random.pick(['a', 'b']),
        partition: 0,
        first_offset: String(first),
        last_offset: String(first + 2),
        done: random.below(2),
        finalized: height(),
        rows: 1,
      }
      const under = token()
      return (store) => store.insert('ingest_chunks', lines([row]), under)
    },
  ]
  kinds.push(() => {
    slots += 1
    const first = height()
    const row = {
      network: network(),
      epoch: 1 + random.below(2),
      slot: random.below(4),
      first_block: first,
      last_block: first + 3,
      parent_hash: 'below',
      last_hash: 'last',
      traces: 1,
      claimed_by: random.pick(['', 'move']),
      claimed_at: '3',
      inserts: String(random.below(30)),
      version: String(slots),
      is_deleted: random.below(2),
    }
    const under = token()
    return (store) => store.insert('covered_ranges', lines([row]), under)
  })
  kinds.push(() => {
    const row = { network: network(), epoch: 1 + random.below(3), reason: 'drawn' }
    return (store) => store.insert('network_epochs', lines([row]), undefined)
  })
  kinds.push(() => {
    const rows = some(blocks[network()]!).flatMap((block): Row[] => block.rows.authority)
    const under = token()
    return (store) => store.insert('authority_past', lines(rows), under)
  })
  kinds.push(() => {
    const row = {
      network: network(),
      authority: random.pick(['token-0', 'token-1']),
      list: 'freeze',
      name: 'T',
      since: 0,
      from_block: random.below(3),
      to_block: height(),
      target: 260,
      complete: random.below(2),
      source: 'drawn',
      reason: random.pick(['', 'drawn']),
      left_seconds: random.below(9),
      version: String(random.below(20)),
    }
    const under = token()
    return (store) => store.insert('authority_logs', lines([row]), under)
  })
  kinds.push(() => {
    records += 1
    const row = {
      network: network(),
      address: random.pick(['wallet-0', 'wallet-1']),
      // No two are equal: a record always has a higher version than the one it was computed after.
      version: (records * 7) % 61,
      status: 'Not Fraud',
      probability: 0.5,
      offence: random.pick(['', 'sanctioned']),
      offence_hops: random.below(4),
      body: '',
      reasons: '[]',
      unknowns: random.pick([[], ['another reason'], ['frozen: the log of the authority is not complete (T: drawn)']]),
      model_version: 'drawn',
      data_height: height(),
      created_at: 1,
      computed_at: 1,
    }
    return (store) => store.insert('wallet_records', lines([row]), undefined)
  })
  kinds.push(() => {
    const first = height()
    const params = { network: network(), first, last: first + random.below(6) }
    const under = `facts ${random.below(12)}`
    return (store) => store.command(statementText('move-facts.sql'), params, under)
  })
  const weighted = [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 4, 5, 6, 7, 7, 7, 8, 9, 9, 10, 10, 11, 11, 12, 12, 12]
  return () => {
    const statement = kinds[random.pick(weighted)]!()
    return (store: Backend) => write(store, statement)
  }
}

/** Parameters for reads, by name. */
const paramsOf = (random: Random) => {
  const settled = 248 + random.below(12)
  return {
    network: random.pick(NETWORKS),
    networks: NETWORKS,
    settled,
    head: settled + random.below(12),
    number: 250 + random.below(16),
    from: 250 + random.below(16),
    height: 200 + random.below(80),
    version: String(random.below(40)),
    table: random.pick(TABLES),
    blocks: [251, 255, 258],
    topic: 'head.ETH',
    topics: ['head.ETH', 'history.ETH'],
    partition: 0,
    epoch: 1,
    log: 'a',
    first: 250 + random.below(8),
    last: 256 + random.below(10),
    numbers: [250, 252, 259, 263],
    hot: `${random.pick(TABLES)}_hot`,
    addresses: ['wallet-0', 'wallet-1', 'wallet-5'],
    words: random.pick(['the log of the authority is not complete', 'reason', ': the past of ']),
  }
}

/** Tables that the schema does not name are the migrator's own. */
const NAMES = new Set(SCHEMA.map(({ name }) => name))
const known = (row: Row): Row[] => {
  if (!('views' in row)) return [row]
  return NAMES.has(String(row.name)) ? [{ ...row, views: (row.views as string[]).toSorted() }] : []
}

test.each(SEQUENCES)('the model behaves like the engine (sequence %i)', async (seed) => {
  await kit.truncate()
  const random = createRandom(seed)
  let time = Date.UTC(2026, 0, 1)
  const model = createStoreModel(() => time++, WINDOW)
  const backends = [modelBackend(model), engine(kit.store)] as const
  const chain = (network: (typeof NETWORKS)[number]) => {
    const blocks: Block[] = []
    for (let number = 250; number < 266; number += 1)
      blocks.push(makeBlock(network, number, blocks.at(-1)?.hash ?? '', String(seed), random))
    return blocks
  }
  const next = draw(random, { ETH: chain('ETH'), POLYGON: chain('POLYGON') })
  for (let each = 0; each < STATEMENTS; each += 1) {
    const statement = next()
    for (const backend of backends) await statement(backend)
  }
  const real = await loadModel(kit.store)
  expect(NETWORKS.flatMap((network) => compareModels(model, real, network))).toEqual([])
  for (const name of statementNames('reads')) {
    const params = paramsOf(random)
    const [modelled, found] = await Promise.all(
      backends.map(async (backend) =>
        (await backend.query(statementText(name), params)).flatMap(known).map(sorted).toSorted(),
      ),
    )
    expect(modelled, name).toEqual(found)
  }
})

test('a move checks every table for rows to move', () => {
  const asked = [...statementText('hot-tables.sql').matchAll(/'(\w+)' AS name FROM (\w+)_hot /g)]
  expect(asked.map(([, name, table]) => [name, table]).toSorted()).toEqual(
    TABLES.map((name) => [name, name]).toSorted(),
  )
})
