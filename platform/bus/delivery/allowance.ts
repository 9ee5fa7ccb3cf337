/** A byte budget that the partitions of a consumer share, so that their batches together stay within `maxBytes`. */
export type Allowance = {
  /**
   * Takes `bytes`, capped at the whole allowance, once they are free and earlier callers are served. Resolves false,
   * with nothing taken, when the signal aborts first.
   */
  take: (bytes: number, signal: AbortSignal) => Promise<boolean>
  /** Returns bytes; a negative number takes them without waiting. */
  give: (bytes: number) => void
}

/** A budget of `total` bytes, served first come, first served. */
export const createAllowance = (total: number): Allowance => {
  let free = total
  let waiting: { bytes: number; admit: () => void }[] = []
  const settle = () => {
    for (let next = waiting[0]; next && next.bytes <= free; next = waiting[0]) {
      waiting.shift()
      free -= next.bytes
      next.admit()
    }
  }
  return {
    take: (bytes, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(false)
        const leave = () => {
          waiting = waiting.filter((other) => other !== place)
          settle()
          resolve(false)
        }
        const admit = () => {
          signal.removeEventListener('abort', leave)
          resolve(true)
        }
        const place = { bytes: Math.min(bytes, total), admit }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(place)
        settle()
      }),
    give: (bytes) => {
      free += bytes
      settle()
    },
  }
}
