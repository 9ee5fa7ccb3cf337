/** The last compared verdicts of watched addresses, and their current records. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { NETWORK_CODES } from '../../../schema/networks.ts'
import { WATCHED_OPERATIONS } from '../../../schema/records/service/monitoring.ts'
import { lookupRecords } from '../../../scorer/ledger/records.ts'
import { parametersOf, subjectKey, type WatchSubject } from './list.ts'
import { type Judged, NO_TAXES, type WatchedRecord } from './verdict.ts'

const VERDICTS = readSql(import.meta.url, './sql/verdicts.sql')
const CONTRACTS = readSql(import.meta.url, './sql/contract-records.sql')

/** The last compared verdict; `judged` is `null` if the record was withdrawn. */
export type KnownVerdict = { version: number; judged: Judged | null }

const storedVerdict = z.object({
  network: z.enum(NETWORK_CODES),
  address: z.string(),
  operation: z.enum(WATCHED_OPERATIONS),
  version: z.coerce.number(),
  verdict: z.string(),
})
const contractRow = z.object({
  network: z.enum(NETWORK_CODES),
  address: z.string(),
  version: z.coerce.number(),
  body: z.string(),
  reasons: z.string(),
  unknowns: z.string(),
  model_version: z.string(),
  data_height: z.number(),
})

/** Reads what `write` stored. Version 0.2.0 stored no taxes. */
const readJudged = (text: string): Judged | null => {
  const judged = JSON.parse(text) as Judged | null
  return judged && { ...judged, verdict: { ...NO_TAXES, ...judged.verdict } }
}

/** Map key of the verdict of an operation on an address. */
export const verdictKey = (record: Pick<WatchedRecord, 'operation' | 'network' | 'address'>): string =>
  `${record.operation} ${subjectKey(record)}`

/** A compared verdict to store. `judged` is null if the record was withdrawn. */
export type VerdictWrite = Pick<WatchedRecord, 'operation' | 'network' | 'address' | 'version'> & {
  judged: Judged | null
}

/** Last compared verdicts. */
export type Verdicts = {
  /** Verdicts of addresses, by `verdictKey`. */
  known: (subjects: readonly WatchSubject[]) => Promise<ReadonlyMap<string, KnownVerdict>>
  write: (verdicts: readonly VerdictWrite[]) => Promise<void>
  /** Newest records of addresses for all watched operations. */
  records: (subjects: readonly WatchSubject[]) => Promise<WatchedRecord[]>
}

/** Verdicts in the store. The leader writes them; the API writes the baseline of newly watched addresses. */
export const createVerdicts = (store: Store): Verdicts => ({
  known: async (subjects) => {
    if (subjects.length === 0) return new Map()
    const rows = await store.query(VERDICTS, parametersOf(subjects), { route: 'watch_verdicts' })
    return new Map(
      z
        .array(storedVerdict)
        .parse(rows)
        .map((row) => [verdictKey(row), { version: row.version, judged: readJudged(row.verdict) }]),
    )
  },
  write: async (verdicts) => {
    if (verdicts.length === 0) return
    const lines = verdicts.map(({ judged, operation, network, address, version }) =>
      JSON.stringify({ network, address, operation, version, verdict: JSON.stringify(judged) }),
    )
    await store.insert('watch_verdicts', `${lines.join('\n')}\n`)
  },
  records: async (subjects) => {
    if (subjects.length === 0) return []
    const asked = new Set(subjects.map(subjectKey))
    const [wallets, contracts] = await Promise.all([
      lookupRecords(store, subjects),
      store.query(CONTRACTS, parametersOf(subjects), { route: 'watched_contracts' }),
    ])
    return [
      ...wallets.flatMap((found): WatchedRecord[] =>
        found
          ? [
              {
                ...found,
                operation: 'fraud_check',
                unknowns: '',
                modelVersion: found.model_version,
                dataHeight: found.data_height,
              },
            ]
          : [],
      ),
      ...z
        .array(contractRow)
        .parse(contracts)
        .filter((row) => asked.has(subjectKey(row)))
        .map(
          (row): WatchedRecord => ({
            ...row,
            operation: 'rug_pull',
            modelVersion: row.model_version,
            dataHeight: row.data_height,
          }),
        ),
    ]
  },
})
