/**
 * Coalesces look-ups: requests of one turn of the event loop, or during earlier batches, become one query. Batches grow with
 * the load, and nothing waits while the store is idle. Concurrent requests for one key share a look-up.
 */
export type Batcher<K, V> = (key: string, value: K) => Promise<V>

/** Loads items in batches. */
export type BatcherOptions<K, V> = {
  /** Returns values in the order of the items. */
  load: (items: readonly K[]) => Promise<readonly V[]>
  /** Concurrent batches. More batches are smaller, but a hanging one does not block the rest. */
  concurrency: number
  maxBatch: number
}

type Waiting<K, V> = { key: string; value: K; resolve: (value: V) => void; reject: (error: unknown) => void }

/** A failed load rejects all requests of its batch, and is not cached. */
export const createBatcher = <K, V>({ load, concurrency, maxBatch }: BatcherOptions<K, V>): Batcher<K, V> => {
  const underWay = new Map<string, Promise<V>>()
  let waiting: Waiting<K, V>[] = []
  let running = 0
  let scheduled = false

  const run = async (batch: Waiting<K, V>[]) => {
    try {
      const values = await load(batch.map((item) => item.value))
      if (values.length !== batch.length) throw new RangeError(`${batch.length} keys got ${values.length} values`)
      for (const { key } of batch) underWay.delete(key)
      values.forEach((value, index) => {
        batch[index]?.resolve(value)
      })
    } catch (error) {
      for (const item of batch) {
        underWay.delete(item.key)
        item.reject(error)
      }
    } finally {
      running--
      schedule()
    }
  }

  const start = () => {
    scheduled = false
    while (waiting.length > 0 && running < concurrency) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      running++
      void run(batch)
    }
  }

  const schedule = () => {
    if (scheduled || waiting.length === 0 || running >= concurrency) return
    scheduled = true
    setImmediate(start)
  }

  return (key, value) => {
    const known = underWay.get(key)
    if (known) return known
    const promise = new Promise<V>((resolve, reject) => {
      waiting.push({ key, value, resolve, reject })
    })
    underWay.set(key, promise)
    schedule()
    return promise
  }
}
