/** A store for those whom somebody waits for: what it does not answer in time, it does not answer. */
import { RetryableError } from '../errors.ts'
import type { Store } from './store.ts'

/**
 * The same store, whose reads and inserts end after so long, repeats included, whatever keeps them. What becomes of an insert is not known
 * then, as where its connection broke. Commands have the deadline of the store: a deletion may have to wait for merges.
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
          `ClickHouse did not answer ${what} within ${ms} ms. What became of it is unknown. Check that the store runs and is reachable.`,
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
