/** Reads chains of the audit log and their entries. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type AuditRow, auditRow } from './entry.ts'

const CHAINS = readSql(import.meta.url, './sql/chains.sql')
const ENTRIES = readSql(import.meta.url, './sql/chain-entries.sql')
const PIECE = 10_000
/** The last millisecond that the tables can hold. */
const NEVER = Date.UTC(2299, 0)

const chainRow = z.object({ chain: z.string(), after: z.coerce.number(), after_hash: z.string() })
/** A chain with its anchor: number and hash of the last removed entry; 0 and empty if none was removed. */
export type Chain = z.output<typeof chainRow>

/** All chains, of all processes. */
export const chainsOf = async (store: Store): Promise<Chain[]> =>
  z.array(chainRow).parse(await store.query(CHAINS, {}, { route: 'audit_chains' }))

/** Selects entries by time (from inclusive, to exclusive, ms since the epoch) and by key. No keys: all. */
export type Selection = { from?: number; to?: number; keys?: readonly string[] }

/** Entries of a chain after number `after`, in order. Identical rows are returned once. */
export async function* entriesOf(
  store: Store,
  chain: string,
  after: number,
  { from = 0, to = NEVER, keys = [] }: Selection = {},
): AsyncGenerator<AuditRow> {
  let last = after
  for (;;) {
    const parameters = { chain, after: last, from, to, keys, limit: PIECE }
    const rows = z.array(auditRow).parse(await store.query(ENTRIES, parameters, { route: 'audit_entries' }))
    let same = new Set<string>()
    for (const row of rows) {
      if (row.seq !== last) same = new Set()
      last = row.seq
      const text = JSON.stringify(row)
      if (!same.has(text)) yield row
      same.add(text)
    }
    if (rows.length < PIECE) return
  }
}
