/**
 * Effects of the statements of ingest, settled reads and the simulation's own readers, by their file. Unknown statements
 * are refused, so that a new one is noticed; `model.test.ts` compares each with the engine.
 */
import { readFileSync } from 'node:fs'
import type { QueryParams } from '../../../platform/store/store.ts'
import { TABLES } from '../../../schema/block.ts'
import type { StoreModel } from './model.ts'
import type { Row } from './table.ts'

/** Effect of a statement on the model: rows of a read, or the steps of a write. */
export type Effect = { rows: Row[] } | { steps: (() => void)[] }
type Handler = (model: StoreModel, params: QueryParams, token: string | undefined) => Effect

const BUCKET = 256
/** Rows of the ledger that a scorer reads. */
const CHUNK_ROWS = 16
/** Default duration of a read's lease. */
const LEASE_MS = 15_000
const num = (value: unknown): number => Number(value)
const descending =
  (column: string) =>
  (a: Row, b: Row): number =>
    num(b[column]) - num(a[column])
const timeText = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')

const hotOf = (model: StoreModel, table: string, { network }: QueryParams) =>
  model
    .table(table)
    .final()
    .filter((row) => row.network === network)
const rowsOf = (model: StoreModel, table: string, { network }: QueryParams) =>
  model
    .table(table)
    .rows()
    .filter((row) => row.network === network)

const newestMark = (model: StoreModel, params: QueryParams) =>
  rowsOf(model, 'watermarks', params).toSorted(descending('version')).slice(0, 1)

const blockTip = (rows: readonly Row[]): Row[] => {
  const tip = rows.reduce<Row | undefined>(
    (best, row) => (best && num(best.block_number) >= num(row.block_number) ? best : row),
    undefined,
  )
  return tip ? [tip] : []
}

const isIn = (numbers: unknown) => {
  const wanted = new Set(numbers as number[])
  return (row: Row): boolean => wanted.has(num(row.block_number))
}

const chunksOf = (model: StoreModel, { topic, epoch }: QueryParams) =>
  model
    .table('ingest_chunks')
    .rows()
    .filter((row) => row.topic === topic && row.epoch === epoch)

const newestOf = ({ topic, partition, log, first_offset, done, last_offset, finalized }: Row): Row => ({
  ...{ topic, partition, log, first_offset, done, last_offset, finalized },
})

const bare = ({ version: _version, is_deleted: _deleted, ...row }: Row): Row => row

const UNDONE: Record<string, readonly string[]> = {
  ledger_hot: ['address'],
  transactions_hot: ['sender', 'receiver'],
  approvals_hot: ['owner', 'spender'],
  creations_hot: ['contract', 'root_creator'],
  liquidity_hot: ['provider'],
  authority_hot: ['subject', 'actor'],
  delegations_hot: ['authority', 'delegate'],
}

const INGEST: Record<string, Handler> = {
  'watermark.sql': (model, params) => ({
    rows: newestMark(model, params).map(({ version, epoch, log, state, settled, target }) => ({
      version: String(version),
      epoch,
      log,
      state,
      settled,
      target,
    })),
  }),
  'latest-chunk.sql': (model, params) => ({
    rows: chunksOf(model, params)
      .filter((row) => row.partition === params.partition && row.log === params.log)
      .toSorted(descending('first_offset'))
      .slice(0, CHUNK_ROWS)
      .map(({ first_offset, last_offset, done, finalized, log }) => ({
        first_offset,
        last_offset,
        done,
        finalized,
        log,
      })),
  }),
  'newest-chunks.sql': (model, { topics, epoch }) => {
    const rows = (topics as string[])
      .flatMap((topic) => chunksOf(model, { topic, epoch }))
      .filter((row) => row.log !== '')
    const keyOf = ({ topic, partition, log }: Row): string => JSON.stringify([topic, partition, log])
    const found = [...new Set(rows.map(keyOf))].map((key) => {
      const group = rows.filter((row) => keyOf(row) === key)
      const [newest] = group.toSorted((a, b) => num(b.first_offset) - num(a.first_offset) || num(b.done) - num(a.done))
      const finalized = Math.max(...group.map((row) => num(row.finalized)))
      return {
        ...newest,
        finalized,
        at:
          group
            .map((row) => String(row.updated_at))
            .sort()
            .at(-1) ?? '',
      }
    })
    return { rows: found.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ at: _at, ...row }) => newestOf(row)) }
  },
  'leased.sql': (model, params) => {
    const held = hotOf(model, 'read_leases', params).filter(
      (row) => row.released === 0 && String(row.until) > timeText(model.now()),
    )
    return { rows: [{ leases: String(held.length) }] }
  },
  'block-hash.sql': (model, params) => ({
    // The limit applies to the second part alone.
    rows: [hotOf(model, 'blocks_hot', params), rowsOf(model, 'blocks', params)]
      .map((tier) => tier.filter((row) => row.block_number === params.number))
      .flatMap((tier, index) => (index === 0 ? tier : tier.slice(0, 1)))
      .map(({ block_hash }) => ({ block_hash })),
  }),
  'hot-blocks.sql': (model, { first, last, ...params }) => ({
    rows: hotOf(model, 'blocks_hot', params)
      .filter((row) => num(row.block_number) >= num(first) && num(row.block_number) <= num(last))
      .toSorted((a, b) => num(a.block_number) - num(b.block_number))
      .map((row) => ({
        number: row.block_number,
        hash: row.block_hash,
        parentHash: row.parent_hash,
        traces: row.sees_traces,
      })),
  }),
  'hot-rows.sql': (model, { hot, blocks, ...params }) => ({
    rows: [{ rows: String(hotOf(model, String(hot), params).filter(isIn(blocks)).length) }],
  }),
  'hot-tables.sql': (model, { first, last, ...params }) => ({
    rows: TABLES.filter((table) =>
      rowsOf(model, `${table}_hot`, params).some(
        (row) => num(row.block_number) >= num(first) && num(row.block_number) <= num(last),
      ),
    )
      .toSorted()
      .map((name) => ({ name })),
  }),
  'hot-block-hash.sql': (model, params) => ({
    rows: hotOf(model, 'blocks_hot', params)
      .filter((row) => row.block_number === params.number)
      .map(({ block_hash }) => ({ block_hash })),
  }),
  'tip.sql': (model, params) => {
    const hot = hotOf(model, 'blocks_hot', params).filter((row) => num(row.block_number) > num(params.settled))
    const final = rowsOf(model, 'blocks', params).filter((row) => row.block_number === params.settled)
    return { rows: blockTip([...hot, ...final]).map(({ block_number, block_hash }) => ({ block_number, block_hash })) }
  },
  'move.sql': (model, params, token) => {
    const { final, hot, first, last } = params
    const rows = hotOf(model, String(hot), params)
      .filter((row) => num(row.block_number) >= num(first) && num(row.block_number) <= num(last))
      .map(bare)
    return { steps: model.move(String(final), rows, token) }
  },
  'move-facts.sql': (model, { first, last, ...params }, token) => {
    const rows = hotOf(model, 'facts_hot', params)
      .filter((row) => num(row.block_number) >= num(first) && num(row.block_number) <= num(last))
      .map(bare)
    return { steps: model.move('wallet_facts', rows, token) }
  },
  'undo.sql': (model, params, token) => {
    const { hot, from, version } = params
    const rows = hotOf(model, String(hot), params)
      .filter((row) => num(row.block_number) >= num(from) && BigInt(String(row.version)) < BigInt(String(version)))
      .map((row) => ({ ...row, version: num(version), is_deleted: 1 }))
    return { steps: model.insertion(String(hot), rows, token) }
  },
  'undone-addresses.sql': (model, params) => {
    const found = new Set<string>()
    for (const [table, columns] of Object.entries(UNDONE)) {
      for (const row of rowsOf(model, table, params)) {
        if (num(row.block_number) < num(params.from) || num(row.version) > num(params.version)) continue
        for (const column of columns) found.add(String(row[column]))
      }
    }
    found.delete('')
    return { rows: [...found].map((address) => ({ address })) }
  },
  'authority-logs-version.sql': (model, params) => ({
    rows: [
      {
        version: String(
          rowsOf(model, 'authority_logs', params).reduce((most, row) => Math.max(most, num(row.version)), 0),
        ),
      },
    ],
  }),
  'hot-partitions.sql': (model, params) => {
    const found = new Map<string, Row>()
    for (const table of model.names().filter((name) => name.endsWith('_hot'))) {
      for (const row of rowsOf(model, table, params)) {
        const bucket = Math.floor(num(row.block_number) / BUCKET)
        if ((bucket + 1) * BUCKET - 1 <= num(params.height))
          found.set(`${table} ${bucket}`, { table, bucket: String(bucket) })
      }
    }
    return { rows: [...found.values()] }
  },
  'drop-hot-partition.sql': (model, { table, network, bucket }) => ({
    steps: [
      () =>
        model
          .table(String(table))
          .drop((row) => row.network === network && Math.floor(num(row.block_number) / BUCKET) === num(bucket)),
    ],
  }),
}

const PASTS: Record<string, Handler> = {
  'first-covered.sql': (model, params) => {
    const blocks = rowsOf(model, 'first_blocks', params).map((row) => num(row.block_number))
    return { rows: blocks.length > 0 ? [{ first: Math.min(...blocks) }] : [] }
  },
}

const AUTHORITIES: Record<string, Handler> = {
  'logs.sql': (model, { networks }) => {
    const nothing = { authority: '', since: 0, from_block: 0, to_block: 0, reason: '', target: 0, left: 0 }
    return {
      rows: (networks as string[]).flatMap((network) => {
        const blocks = rowsOf(model, 'first_blocks', { network }).map((row) => num(row.block_number))
        return [
          ...hotOf(model, 'authority_logs', { network }).map(
            ({ authority, since, from_block, to_block, reason, target, left_seconds: left }) => ({
              ...{ network, authority, since, from_block, to_block, reason, target, left },
              first: 0,
            }),
          ),
          ...(blocks.length > 0 ? [{ network, ...nothing, first: Math.min(...blocks) }] : []),
        ]
      }),
    }
  },
}

const COVERED: Record<string, Handler> = {
  'block-hashes.sql': (model, { numbers, ...params }) => ({
    rows: rowsOf(model, 'blocks', params)
      .filter(isIn(numbers))
      .map(({ block_number, block_hash }) => ({ block_number, block_hash })),
  }),
  'rows-of-blocks.sql': (model, { table, blocks, ...params }) => ({
    rows: [{ rows: String(rowsOf(model, String(table), params).filter(isIn(blocks)).length) }],
  }),
  'slots.sql': (model, params) => {
    const newest = new Map<unknown, Row>()
    for (const row of rowsOf(model, 'covered_ranges', params)) {
      if (row.epoch !== params.epoch) continue
      const known = newest.get(row.slot)
      if (!known || BigInt(String(row.version)) > BigInt(String(known.version))) newest.set(row.slot, row)
    }
    const slots = [...newest.values()].toSorted((a, b) => num(a.slot) - num(b.slot))
    return { rows: slots.map(({ network: _network, epoch: _epoch, ...row }) => row) }
  },
  'inserts.sql': (model) => {
    const begun = new Map<string, number>()
    for (const { network, epoch, inserts } of model.table('covered_ranges').rows()) {
      const key = `${network} ${epoch}`
      begun.set(key, Math.max(begun.get(key) ?? 0, num(inserts)))
    }
    return { rows: [{ inserts: String([...begun.values()].reduce((sum, one) => sum + one, 0)) }] }
  },
  'windows.sql': (model) => ({ rows: model.windows() }),
}

const POSITION: Record<string, Handler> = {
  'epoch.sql': (model, params) => ({
    rows: [{ epoch: Math.max(0, ...rowsOf(model, 'network_epochs', params).map((row) => num(row.epoch))) }],
  }),
}

const LEDGER: Record<string, Handler> = {
  'open-wallets.sql': (model, params) => ({
    rows: hotOf(model, 'wallet_records', params)
      .filter(({ unknowns }) => (unknowns as string[]).some((unknown) => unknown.includes(String(params.words))))
      .map(({ address }) => ({ address })),
  }),
  'wallet-records.sql': (model, { networks, addresses }) => ({
    rows: model
      .table('wallet_records')
      .rows()
      .filter((row) => (networks as unknown[]).includes(row.network) && (addresses as unknown[]).includes(row.address))
      .map((row) => ({ ...row, version: String(row.version) })),
  }),
  'heights-version.sql': (model, params) => ({
    rows: newestMark(model, params).map(({ version, state }) => ({ version: String(version), state })),
  }),
  'heights.sql': (model, params) => {
    const tip = (what: string, rows: readonly Row[]) =>
      blockTip(rows).map((row) => ({ what, version: '0', state: '', number: row.block_number, time: row.block_time }))
    const mark = newestMark(model, params).map(({ version, state, settled }) => ({
      what: 'mark',
      version: String(version),
      state,
      number: settled,
      time: 0,
    }))
    return {
      rows: [
        ...mark,
        ...tip('hot', hotOf(model, 'blocks_hot', params)),
        ...tip('final', rowsOf(model, 'blocks', params)),
      ],
    }
  },
}

const within = (row: Row, { settled, head }: QueryParams) =>
  num(row.block_number) > num(settled) && num(row.block_number) <= num(head)

const byAddress = (rows: readonly { address: string; count: number; amount: bigint }[]): Row[] => {
  const sums = new Map<string, { count: number; amount: bigint }>()
  for (const { address, count, amount } of rows) {
    const sum = sums.get(address) ?? { count: 0, amount: 0n }
    sums.set(address, { count: sum.count + count, amount: sum.amount + amount })
  }
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([address, { count, amount }]) => ({ address, count: String(count), amount: String(amount) }))
}

const OWN: Record<string, Handler> = {
  'records.sql': (model) => ({
    rows: model
      .table('wallet_records')
      .final()
      .map(({ network, address, version, body }) => ({ network, address, version: String(version), body })),
  }),
  'final-blocks.sql': (model, params) => ({
    rows: rowsOf(model, 'blocks', params)
      .filter((row) => num(row.block_number) <= num(params.settled))
      .map(({ block_number, block_hash, parent_hash }) => ({ block_number, block_hash, parent_hash })),
  }),
  'hot-blocks.sql': (model, params) => ({
    rows: hotOf(model, 'blocks_hot', params)
      .filter((row) => within(row, params))
      .map(({ block_number, block_hash, parent_hash }) => ({ block_number, block_hash, parent_hash })),
  }),
  'hot-movements.sql': (model, params) => {
    const counts = new Map<unknown, number>()
    for (const { block_number, ...row } of hotOf(model, 'ledger_hot', params))
      if (within({ block_number, ...row }, params)) counts.set(block_number, (counts.get(block_number) ?? 0) + 1)
    return { rows: [...counts].map(([block_number, count]) => ({ block_number, count })) }
  },
  'final-sums.sql': (model, params) => ({
    rows: byAddress(
      rowsOf(model, 'wallet_assets', params)
        .map((row) => ({ address: (row.key as string[])[0]!, count: num(row.count), amount: row.amount as bigint }))
        .filter(({ address }) => (params.addresses as string[]).includes(address)),
    ),
  }),
  'hot-sums.sql': (model, params) => ({
    rows: byAddress(
      hotOf(model, 'ledger_hot', params)
        .filter((row) => within(row, params) && (params.addresses as string[]).includes(String(row.address)))
        .map((row) => ({ address: String(row.address), count: 1, amount: BigInt(String(row.amount)) })),
    ),
  }),
}

/** The simulation rebuilds nothing: ingest checks, and finds no rebuild. */
const REBUILD: Record<string, Handler> = {
  'rebuild.sql': (model, params) => ({
    rows: rowsOf(model, 'rebuilds', params).toSorted(descending('version')).slice(0, 1),
  }),
}

/** In the form in which `readSql` reads it. */
const textOf = (path: URL): string =>
  readFileSync(path, 'utf8')
    .replace(/^\s*--.*\n/gm, '')
    .trim()

const HANDLERS = new Map<string, { name: string; handler: Handler }>(
  Object.entries({
    '../../../scorer/ingest/sql/': INGEST,
    '../../../scorer/ingest/covered/sql/': COVERED,
    '../../../scorer/ingest/position/sql/': POSITION,
    '../../../scorer/ingest/rebuild/sql/': REBUILD,
    '../../../scorer/ledger/sql/': LEDGER,
    '../../../scorer/ledger/authorities/sql/': AUTHORITIES,
    '../../../scorer/ledger/past/sql/': PASTS,
    '../sql/': OWN,
  }).flatMap(([folder, handlers]) =>
    Object.entries(handlers).map(([name, handler]) => [
      textOf(new URL(folder + name, import.meta.url)),
      { name, handler },
    ]),
  ),
)

const TEXTS = new Map([...HANDLERS].map(([text, { name }]) => [name, text]))

/** Text of a statement by the name of its file. */
export const statementText = (name: string): string => TEXTS.get(name) ?? ''

const WRITES = new Set(['undo.sql', 'move.sql', 'move-facts.sql', 'drop-hot-partition.sql'])

export const statementNames = (kind: 'reads' | 'writes'): string[] =>
  [...TEXTS.keys()].filter((name) => WRITES.has(name) === (kind === 'writes'))

/** @throws Error for a statement the model does not know. */
export const statementOf = (sql: string): { name: string; handler: Handler } => {
  const known = HANDLERS.get(sql)
  if (!known)
    throw new Error(
      `the store model does not know this statement; add it to test/simulation/store/statements.ts:\n${sql}`,
    )
  return known
}

/** Rows of JSON lines with the engine's defaults filled in. */
export const parseRows = (model: StoreModel, table: string, lines: string): Row[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row: Row = JSON.parse(line)
      if (table === 'watermarks' || table === 'ingest_chunks') row.updated_at = timeText(model.now())
      if (table.endsWith('_hot') || table === 'covered_ranges') row.is_deleted ??= 0
      if (table === 'ingest_chunks') row.finalized ??= 0
      if (table === 'read_leases') row.until = timeText(model.now() + LEASE_MS)
      return row
    })
