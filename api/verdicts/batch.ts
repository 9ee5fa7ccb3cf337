/**
 * Coalesces look-ups: what is asked within a short window goes out as one query, and a key that is already under way
 * is not asked for twice.
 */
export type Batcher<K, V> = (key: string, value: K) => Promise<V>

export type BatcherOptions<K, V> = {
  /** Answers in the order asked. */
  load: (items: readonly K[]) => Promise<readonly V[]>
  /** How long the first of a batch waits for others, ms. */
  windowMs: number
  maxBatch: number
}

type Waiting<K, V> = { key: string; value: K; resolve: (value: V) => void; reject: (error: unknown) => void }

export const createBatcher = <K, V>({ load, windowMs, maxBatch }: BatcherOptions<K, V>): Batcher<K, V> => {
  const underWay = new Map<string, Promise<V>>()
  let waiting: Waiting<K, V>[] = []
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    try {
      const values = await load(batch.map((item) => item.value))
      if (values.length !== batch.length) throw new RangeError(`${batch.length} keys got ${values.length} values`)
      values.forEach((value, index) => {
        batch[index]?.resolve(value)
      })
    } catch (error) {
      for (const item of batch) item.reject(error)
    } finally {
      for (const item of batch) underWay.delete(item.key)
    }
  }

  return (key, value) => {
    const known = underWay.get(key)
    if (known) return known
    const promise = new Promise<V>((resolve, reject) => {
      waiting.push({ key, value, resolve, reject })
    })
    underWay.set(key, promise)
    if (waiting.length >= maxBatch) void flush()
    else timer ??= setTimeout(flush, windowMs)
    return promise
  }
}
