/** Serializes work by name: calls with the same name run one after another, calls with different names run concurrently. */
export const createTurns = () => {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    last.set(name, settled)
    try {
      return await turn
    } finally {
      if (last.get(name) === settled) last.delete(name)
    }
  }
}
