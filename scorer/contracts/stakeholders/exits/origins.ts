/**
 * Where somebody's tokens come from: how much of what an account was given goes back to insiders, over a few accounts in
 * between. Contracts end the way: what comes out of a pool, a farm or a sale was bought or earned.
 */

/** Tokens or position NFTs somebody received. */
export type Gift = {
  to: string
  /** Zero address: made in the transaction of `signer`. */
  from: string
  signer: string
  amount: bigint
}

/** What a search for origins asks; tests answer from a list. */
export type OriginsDeps = {
  /** What some accounts received of the assets in question. */
  giftsTo: (accounts: string[]) => Promise<Gift[]>
  isContract: (account: string) => Promise<boolean>
}

const ZERO = `0x${'0'.repeat(40)}`
/** Accounts between an insider and whoever takes. */
const MOST_HOPS = 4
/** Accounts looked at in one step: an insider needs few, a market has many. */
const MOST_ACCOUNTS = 40
/** Part from which an account acts for insiders: gifts of a few tokens make nobody one. */
const LEAST_SHARE = 0.5

/** Part (0..1) of each account's tokens that goes back to the insiders; accounts below a half are left out. */
export const originsOf = async (
  { giftsTo, isContract }: OriginsDeps,
  insiders: ReadonlySet<string>,
  accounts: readonly string[],
): Promise<Map<string, number>> => {
  const received = new Map<string, Gift[]>()
  const asked = new Set<string>()
  let open = [...new Set(accounts)].filter((account) => !insiders.has(account)).slice(0, MOST_ACCOUNTS)
  for (let hop = 0; hop < MOST_HOPS && open.length > 0; hop++) {
    for (const account of open) asked.add(account)
    const gifts = await giftsTo(open)
    for (const gift of gifts) received.set(gift.to, [...(received.get(gift.to) ?? []), gift])
    const givers = [...new Set(gifts.map(({ from, signer }) => (from === ZERO ? signer : from)))].filter(
      (giver) => giver !== ZERO && giver !== '' && !insiders.has(giver) && !asked.has(giver),
    )
    const contracts = await Promise.all(givers.slice(0, MOST_ACCOUNTS).map(isContract))
    open = givers.slice(0, MOST_ACCOUNTS).filter((_, i) => contracts[i] === false)
  }
  const shareOf = (account: string, path: readonly string[]): number => {
    if (insiders.has(account)) return 1
    if (path.includes(account) || path.length > MOST_HOPS) return 0
    const gifts = received.get(account) ?? []
    const total = gifts.reduce((sum, { amount }) => sum + amount, 0n)
    if (total === 0n) return 0
    return gifts.reduce((sum, { from, signer, amount }) => {
      const giver = from === ZERO ? signer : from
      const part = Number((amount * 10_000n) / total) / 10_000
      return sum + (giver === account ? 0 : part * shareOf(giver, [...path, account]))
    }, 0)
  }
  const shares = accounts.map((account): [string, number] => [account, shareOf(account, [])])
  return new Map(shares.filter(([, share]) => share >= LEAST_SHARE))
}
