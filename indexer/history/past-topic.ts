/**
 * Coordinates the two writers of topic `past.<network>`: the walk over authority logs, and wallet pasts. They must not
 * interleave the parts of a message, and they share the topic's identity.
 */
export type PastTopic = {
  /** Runs work that writes to the topic, one after another. */
  turn: <T>(work: () => Promise<T>) => Promise<T>
  /** Identity of the topic: the one found, or the one that the first writer created. */
  identity: (found: string) => string
}

/** Coordination within this process. Transactional ids keep out writers of other processes. */
export const createPastTopic = (): PastTopic => {
  let last: Promise<unknown> = Promise.resolve()
  let known: string | undefined
  return {
    turn: (work) => {
      const next = last.then(work, work)
      last = next.catch(() => undefined)
      return next
    },
    identity: (found) => {
      known ??= found
      return known
    },
  }
}
