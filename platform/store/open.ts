import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../context/log.ts'
import type { Metrics } from '../context/metrics.ts'
import { OperatorError, RetryableError } from '../errors.ts'
import type { Engine } from './engine.ts'
import { type StoreCall, sortError } from './errors.ts'
import { insertSettings, writeSettings } from './settings.ts'
import type { InsertOptions, QueryParams, Store } from './store.ts'

/** Which store to open, and its deadlines. */
export type StoreOptions = {
  metrics: Metrics
  log: Logger
  /** Database of names without one; it has to exist. @default that of the URL, or of the folder */
  database?: string | undefined
  /** Reader connections of the embedded engine. @default 2 */
  readers?: number
  /** Deadlines in ms. @default { query: 30_000, command: 120_000, insert: 60_000, healthy: 2_000 } */
  deadlines?: Partial<typeof DEADLINES>
  /** Pauses before each retry of a repeatable call, in ms. @default [50, 250, 1_000] */
  retryPausesMs?: readonly number[]
} & (
  | {
      /** ClickHouse server: `http://user:password@host:8123/database`. */
      url: string
      /** Whether it is a replica of a cluster. @default false */
      cluster?: boolean
    }
  | { /** Data folder of the embedded engine. */ path: string }
)

const DEADLINES = { query: 30_000, command: 120_000, insert: 60_000, healthy: 2_000 }
const RETRY_PAUSES_MS = [50, 250, 1_000]
/** Minimum time limit of an HTTP request, ms. */
const MIN_REQUEST_MS = 180_000

const instruments = (metrics: Metrics) => ({
  seconds: metrics.histogram('assay_store_seconds', 'Duration of store calls', ['kind', 'route', 'outcome']),
  rows: metrics.counter('assay_store_inserted_bytes_total', 'Bytes of rows handed to the store', ['table']),
  retries: metrics.counter('assay_store_retries_total', 'Store calls repeated after a failure', ['kind']),
})

type Attempt<T> = {
  doing: StoreCall
  route: string
  deadlineMs: number
  repeatable: boolean
  signal?: AbortSignal | undefined
  run: (signal: AbortSignal) => Promise<T>
}

/** Runs calls under a deadline, retries repeatable ones, measures them, and converts errors. */
const createCaller = ({ metrics, log, retryPausesMs = RETRY_PAUSES_MS }: StoreOptions) => {
  const measured = instruments(metrics)
  const once = async <T>({ doing, route, deadlineMs, signal, run }: Attempt<T>): Promise<T> => {
    signal?.throwIfAborted()
    const end = measured.seconds.startTimer({ kind: doing.what, route })
    const timeout = AbortSignal.timeout(deadlineMs)
    try {
      const result = await run(signal ? AbortSignal.any([signal, timeout]) : timeout)
      end({ outcome: 'ok' })
      return result
    } catch (error) {
      end({ outcome: 'error' })
      signal?.throwIfAborted()
      throw sortError(error, doing)
    }
  }
  return async <T>(attempt: Attempt<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        return await once(attempt)
      } catch (error) {
        const pause = retryPausesMs[tries]
        if (!attempt.repeatable || pause === undefined || !(error instanceof RetryableError)) throw error
        measured.retries.inc({ kind: attempt.doing.what })
        log.warn(
          { kind: attempt.doing.what, route: attempt.route, tries: tries + 1, err: error },
          'repeating a call of the store',
        )
        await delay(pause, undefined, attempt.signal ? { signal: attempt.signal } : {})
      }
    }
  }
}

const createStore = (engine: Engine, options: StoreOptions): Store => {
  const call = createCaller(options)
  const measured = instruments(options.metrics)
  const deadlines = { ...DEADLINES, ...options.deadlines }
  return {
    embedded: engine.kind === 'chdb',
    query: (
      sql: string,
      params?: QueryParams,
      { route = 'other', signal }: { route?: string; signal?: AbortSignal } = {},
    ) =>
      call({
        doing: { what: 'query', label: route },
        route,
        deadlineMs: deadlines.query,
        repeatable: true,
        signal,
        run: (signal) => engine.query(sql, params, { signal }),
      }),
    insert: async (table, rows, { token }: InsertOptions = {}) => {
      const bytes = typeof rows === 'string' ? Buffer.from(rows) : rows
      if (bytes.length === 0) return
      await call({
        doing: { what: 'insert', label: table },
        route: table,
        deadlineMs: deadlines.insert,
        repeatable: token !== undefined,
        run: (signal) => engine.insert(table, bytes, insertSettings(token, bytes.length), { signal }),
      })
      measured.rows.inc({ table }, bytes.length)
    },
    command: (sql, params, { token }: InsertOptions = {}) => {
      const label = sql.trimStart().split(/\s+/, 3).join(' ')
      return call({
        doing: { what: 'command', label },
        route: 'command',
        deadlineMs: deadlines.command,
        repeatable: token !== undefined,
        run: (signal) => engine.command(sql, params, writeSettings(token), { signal }),
      })
    },
    healthy: async () => {
      try {
        await engine.query('SELECT 1', undefined, { signal: AbortSignal.timeout(deadlines.healthy) })
        return true
      } catch {
        return false
      }
    },
    close: () => engine.close(),
  }
}

/**
 * Loads the embedded engine, only where it is used: when a thread that has loaded it ends, the connections of all threads
 * close.
 * @throws OperatorError ASSAY_STORE_ENGINE_MISSING if it is not installed, as in the image of the roles
 */
const loadChdb = async () => {
  try {
    return await import('./chdb/chdb.ts')
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_STORE_ENGINE_MISSING',
      'CLICKHOUSE_URL is not set, and the engine of the embedded store is not installed. Nothing was started. Set CLICKHOUSE_URL, or build the image with --target standalone.',
      { cause },
    )
  }
}

/**
 * Opens the store over HTTP (`url`) or in process (`path`). Reads and inserts with a token are retried a few times while the
 * store is unavailable; other calls run once, because their outcome may be unknown.
 * @throws OperatorError ASSAY_STORE_ENGINE_MISSING
 */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  if ('url' in options) {
    const longestMs = Math.max(MIN_REQUEST_MS, ...Object.values(options.deadlines ?? {}))
    const { createHttpEngine } = await import('./http.ts')
    return createStore(createHttpEngine(options.url, longestMs, options), options)
  }
  const { createChdbEngine } = await loadChdb()
  return createStore(await createChdbEngine(options.path, options.readers ?? 2, options.database), options)
}
