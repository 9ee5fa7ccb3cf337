/** A story sleeps until the time it yields (Unix seconds), then continues: many of them together are an ordered history. */
export type Story = Generator<number, void, void>

export type Schedule = {
  /** Starts a story at a time. */
  start: (at: number, story: Story) => void
  /** Time and story that is next; `undefined` when all have ended. */
  next: () => { at: number; story: Story } | undefined
}

type Entry = { at: number; order: number; story: Story }

const before = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A binary heap; stories due at the same time run in the order they were started. */
export const createSchedule = (): Schedule => {
  const heap: Entry[] = []
  let order = 0
  const swap = (i: number, j: number) => {
    const a = heap[i]
    const b = heap[j]
    if (a && b) {
      heap[i] = b
      heap[j] = a
    }
  }
  const precedes = (i: number, j: number) => {
    const a = heap[i]
    const b = heap[j]
    return a !== undefined && (b === undefined || before(a, b))
  }
  return {
    start: (at, story) => {
      heap.push({ at, order: order++, story })
      for (let i = heap.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1
        if (!precedes(i, parent)) break
        swap(i, parent)
        i = parent
      }
    },
    next: () => {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      heap[0] = last
      for (let i = 0; ; ) {
        const child = precedes(2 * i + 2, 2 * i + 1) ? 2 * i + 2 : 2 * i + 1
        if (!precedes(child, i)) break
        swap(i, child)
        i = child
      }
      return first
    },
  }
}
