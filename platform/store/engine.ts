import type { InsertSettings, WriteSettings } from './settings.ts'
import type { QueryParams } from './store.ts'

type Call = { signal: AbortSignal }

/** A connection to ClickHouse. Errors are whatever the client throws; `errors.ts` classifies them. */
export type Engine = {
  kind: 'http' | 'chdb'
  query: <Row>(sql: string, params: QueryParams | undefined, call: Call) => Promise<Row[]>
  command: (sql: string, params: QueryParams | undefined, settings: WriteSettings, call: Call) => Promise<void>
  /** Inserts JSON lines unchanged. */
  insert: (table: string, rows: Buffer, settings: InsertSettings, call: Call) => Promise<void>
  close: () => Promise<void>
}
