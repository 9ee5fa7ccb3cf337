/** Places for what takes long, so that no account has the store to itself. */
export type Places = {
  /** Takes a place, and gives what returns it once; `undefined` when all are taken. */
  take: (account: string) => (() => void) | undefined
}

/** So many places of each account, and of all accounts together. */
export const createPlaces = ({
  ofAccount,
  ofAll = Number.POSITIVE_INFINITY,
}: {
  ofAccount: number
  ofAll?: number
}): Places => {
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
