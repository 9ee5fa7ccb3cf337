/**
 * Coalesces look-ups: what is asked in one turn of the event loop, or while earlier batches are under way, goes out as
 * one query. Batches so grow with the load and nothing waits while the store is idle. A key that is already asked for is
 * not asked for twice.
 */
export type Batcher<K, V> = (key: string, value: K) => Promise<V>

/** How items are loaded, and how many at a time. */
export type BatcherOptions<K, V> = {
  /** Answers in the order asked. */
  load: (items: readonly K[]) => Promise<readonly V[]>
  /** Batches under way at a time: more of them are smaller ones, but one that hangs does not stop the rest. */
  concurrency: number
  maxBatch: number
}

type Waiting<K, V> = { key: string; value: K; resolve: (value: V) => void; reject: (error: unknown) => void }

/** A failed load rejects all that were in it, and nothing of it is remembered. */
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
