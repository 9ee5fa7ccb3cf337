/** Runs work of one name at a time, in order; work of other names goes on beside it. */
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
