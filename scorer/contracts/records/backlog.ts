/**
 * Contracts to analyse, found in the tables: tokens without a record, records whose dependencies changed, records of
 * reorged blocks, and postponed analyses. Also stores how far the stream has come. Keeps no state in memory.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { announcerOf, type ContractRegistry } from '../subject/registry.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const BEGUN = sql('begun')
const DUE = sql('due')
const HASH = sql('hash')
const PROGRESS = sql('progress')
const REORGED = sql('reorged')
const STALE = sql('stale')
const TOUCHED = sql('touched')
const UNSEEN = sql('unseen')

/** Addresses per query. */
const CHUNK = 1_000

/**
 * `height`: events up to this block were followed. `verified`: records up to this block are known to be on the chain.
 */
export type Progress = { height: number; hash: string; verified: number }
/**
 * A postponed analysis, due at `dueAt` (ms since the epoch). `settled` removes it from the list, because the analysis
 * was made.
 */
export type Retry = { address: string; dueAt: number; attempts: number; reason: string; settled: boolean }
/** A record whose dependencies changed. `urgent`: ownership, code or pools changed, so it is analysed at once. */
export type Stale = { address: string; version: number; urgent: boolean }

/** The backlog of one network. Times are in ms since the epoch. */
export type Backlog = {
  /**
   * `undefined` before the first run. `canonical` is the current hash of the block at that height, empty when the block
   * is gone.
   */
  progress: () => Promise<(Progress & { canonical: string }) | undefined>
  saveProgress: (progress: Progress, now: number) => Promise<void>
  hashAt: (height: number) => Promise<string>
  /** Tokens without a record whose first pool of a known factory is in blocks from < number <= to, newest first. */
  unseen: (from: number, to: number, limit: number) => Promise<string[]>
  /** Records whose dependencies changed in blocks from < number <= to, after the record was made. */
  stale: (from: number, to: number) => Promise<Stale[]>
  /** Records pinned to blocks above `from` that are no longer in the chain. */
  reorged: (from: number, to: number, limit: number) => Promise<string[]>
  due: (now: number, limit: number) => Promise<{ address: string; attempts: number; reason: string }[]>
  /** The addresses whose analysis began, never ended, and is not due again. */
  begun: (addresses: readonly string[], now: number) => Promise<ReadonlySet<string>>
  putOff: (retries: readonly Retry[], now: number) => Promise<void>
}

/** Reads the tables on every call, so that all processes see the same backlog. */
export const createBacklog = (store: Store, network: Network, registry: ContractRegistry): Backlog => {
  const bases = registry.bases.map((base) => base.address)
  const factories = registry.exchanges.map(announcerOf)
  const ask = <Row>(text: string, params: object) =>
    store.query<Row>(text, { network, ...params }, { route: 'contract_backlog' })
  const insert = (table: string, rows: readonly object[]) =>
    store.insert(table, rows.map((row) => `${JSON.stringify({ network, ...row })}\n`).join(''))

  let saved = 0

  return {
    progress: async () => {
      const [row] = await ask<Progress & { canonical: string | null }>(PROGRESS, {})
      return row ? { ...row, canonical: row.canonical ?? '' } : undefined
    },
    saveProgress: (progress, now) => {
      // Two rounds may end in the same millisecond: the later one wins.
      saved = Math.max(now, saved + 1)
      return insert('contract_progress', [{ ...progress, version: saved }])
    },
    hashAt: async (height) => (await ask<{ hash: string }>(HASH, { height }))[0]?.hash ?? '',
    unseen: async (from, to, limit) =>
      (await ask<{ token: string }>(UNSEEN, { from, to, limit, bases, factories })).map((row) => row.token),
    stale: async (from, to) => {
      const touched = await ask<{ address: string; height: number; urgent: number }>(TOUCHED, {
        from,
        to,
        bases,
        factories,
      })
      const found = new Map<string, Stale>()
      for (let at = 0; at < touched.length; at += CHUNK) {
        const some = touched.slice(at, at + CHUNK)
        const rows = await ask<{ address: string; version: string; urgent: number }>(STALE, {
          addresses: some.map((row) => row.address),
          heights: some.map((row) => row.height),
          urgent: some.filter((row) => row.urgent === 1).map((row) => row.address),
        })
        for (const { address, version, urgent } of rows) {
          const known = found.get(address)
          found.set(address, { address, version: Number(version), urgent: urgent === 1 || known?.urgent === true })
        }
      }
      return [...found.values()]
    },
    reorged: async (from, to, limit) =>
      (await ask<{ address: string }>(REORGED, { from, to, limit })).map((row) => row.address),
    due: (now, limit) => ask<{ address: string; attempts: number; reason: string }>(DUE, { now, limit }),
    begun: async (addresses, now) => {
      const found = new Set<string>()
      for (let at = 0; at < addresses.length; at += CHUNK) {
        const some = addresses.slice(at, at + CHUNK)
        for (const { address } of await ask<{ address: string }>(BEGUN, { addresses: some, now })) found.add(address)
      }
      return found
    },
    putOff: async (retries, now) => {
      if (retries.length === 0) return
      // Of two entries of one address in the same millisecond, the one inserted last wins.
      const rows = retries.map(({ address, dueAt, attempts, reason, settled }) => ({
        address,
        version: now,
        due_at: new Date(dueAt).toISOString().slice(0, 23).replace('T', ' '),
        attempts,
        reason,
        settled: settled ? 1 : 0,
      }))
      await insert('contract_retries', rows)
    },
  }
}
