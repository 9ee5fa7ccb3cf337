/**
 * Topic `past.<network>` has two writers: the walk over the logs of authorities, and the pasts of wallets. What makes up one message
 * of several parts must not be divided by the other's, and the topic has one identity.
 */
export type PastTopic = {
  /** Runs work that writes to the topic, one after the other. */
  turn: <T>(work: () => Promise<T>) => Promise<T>
  /** Identity of the topic: what it had, or what the first writer makes up. */
  identity: (found: string) => string
}

/** The turns of one network in this process. Writers of another process are held off by their transactional ids. */
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
