/** Limits concurrent long work, so that no account occupies the whole store. */
export type Slots = {
  /** Takes a slot. Returns a function that frees it, or `undefined` if none is free. */
  take: (account: string) => (() => void) | undefined
}

/** @param ofAccount slots per account @param ofAll slots of all accounts together */
export const createSlots = ({
  ofAccount,
  ofAll = Number.POSITIVE_INFINITY,
}: {
  ofAccount: number
  ofAll?: number
}): Slots => {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take: (account) => {
      const own = taken.get(account) ?? 0
      if (all >= ofAll || own >= ofAccount) return undefined
      taken.set(account, own + 1)
      all++
      return () => {
        const rest = (taken.get(account) ?? 0) - 1
        if (rest > 0) taken.set(account, rest)
        else taken.delete(account)
        all--
      }
    },
  }
}
