/** Reads the tables of a real store into a model, so that both are checked by the same code. */

import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { TABLES } from '../../../schema/block.ts'
import { PAST_TABLES } from '../../../schema/tables/chain/chain.ts'
import { createStoreModel, type StoreModel } from './model.ts'
import type { Row } from './table.ts'

const AGGREGATES = readSql(import.meta.url, '../sql/aggregates.sql')

export const loadModel = async (store: Store): Promise<StoreModel> => {
  const model = createStoreModel(() => 0)
  const load = async (table: string, sql: string) => {
    const rows = await store.query<Row>(sql, { table })
    const numbered = table.endsWith('_hot') ? rows.map((row) => ({ ...row, version: Number(row.version) })) : rows
    model.table(table).insert(numbered, undefined)
  }
  const chain = 'SELECT * REPLACE (toUnixTimestamp(block_time) AS block_time) FROM {table:Identifier}'
  for (const table of TABLES) {
    await load(table, chain)
    await load(`${table}_hot`, `${chain} FINAL`)
  }
  for (const { name } of PAST_TABLES) await load(`${name}_past`, `${chain} FINAL`)
  await load('authority_logs', 'SELECT * FROM {table:Identifier} FINAL')
  await load(
    'first_blocks',
    'SELECT network, min(block_number) AS block_number FROM {table:Identifier} GROUP BY network',
  )
  await load(
    'facts_hot',
    'SELECT network, block_number, position, address, fact, counterparty, leg, version, is_deleted FROM {table:Identifier} FINAL',
  )
  for (const table of ['watermarks', 'ingest_chunks', 'covered_ranges', 'network_epochs'])
    await load(table, 'SELECT * FROM {table:Identifier}')
  await load('wallet_records', 'SELECT * FROM {table:Identifier} FINAL')
  for (const { name, ...row } of await store.query<Row & { name: string }>(AGGREGATES)) {
    model.table(name).insert([{ ...row, amount: BigInt(String(row.amount)) }], undefined)
  }
  return model
}
