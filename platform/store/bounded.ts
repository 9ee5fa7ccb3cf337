/** A store with short deadlines, for calls during a request. */
import { RetryableError } from '../errors.ts'
import type { Store } from './store.ts'

/**
 * Wraps a store: reads and inserts, retries included, end after `ms`. The outcome of an insert is then unknown, as after a
 * lost connection. Commands keep the deadline of the store, because a deletion may have to wait for merges.
 * @throws from reads and inserts RetryableError ASSAY_STORE_UNAVAILABLE after `ms`
 */
export const boundedStore = (store: Store, ms: number): Store => {
  const inTime = async <T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const late = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const passed = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new RetryableError(
          'ASSAY_STORE_UNAVAILABLE',
          `ClickHouse did not answer ${what} within ${ms} ms. Whether it was executed is unknown. Check that the store runs and is reachable.`,
        )
        reject(error)
        late.abort(error)
      }, ms)
    })
    return Promise.race([work(late.signal), passed]).finally(() => clearTimeout(timer))
  }
  return {
    ...store,
    query: (sql, params, options = {}) => {
      const { route = 'other', signal } = options
      return inTime(`query ${route}`, (late) =>
        store.query(sql, params, { ...options, signal: signal ? AbortSignal.any([signal, late]) : late }),
      )
    },
    insert: (table, rows, options) => inTime(`insert ${table}`, () => store.insert(table, rows, options)),
  }
}
