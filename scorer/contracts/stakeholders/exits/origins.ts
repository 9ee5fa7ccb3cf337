/**
 * Where somebody's tokens come from: how much of what an account was given goes back to insiders, over a few accounts in
 * between. Contracts end the way: what comes out of a pool, a farm or a sale was bought or earned.
 */

/** Tokens or position NFTs somebody received. */
export type Gift = {
  to: string
  /** Zero address: made in the transaction of `signer`, which is empty where nobody knows whose it was. */
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
/** Parts that the tokens of an account are divided into; what is less than one counts for nothing. */
const PARTS = 10_000n

const giverOf = ({ from, signer }: Gift): string => (from === ZERO ? signer : from)

/** How many parts of an account's tokens each giver gave. What it made itself has no origin, and what it sent itself it had. */
const partsOf = (account: string, received: readonly Gift[]): Map<string, number> => {
  const gifts = received.filter(({ from }) => from !== account)
  const total = gifts.reduce((sum, { amount }) => sum + amount, 0n)
  const parts = new Map<string, number>()
  for (const gift of total > 0n ? gifts : []) {
    const giver = giverOf(gift)
    if (giver !== account) parts.set(giver, (parts.get(giver) ?? 0) + Number((gift.amount * PARTS) / total))
  }
  return parts
}

/**
 * Part (0..1) of each account's tokens that goes back to the insiders; accounts below a half are left out. The work grows with
 * the gifts and not with the ways through them, of which a few hundred accounts can make billions.
 */
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
    for (const gift of gifts) {
      const others = received.get(gift.to)
      if (others) others.push(gift)
      else received.set(gift.to, [gift])
    }
    const givers = [...new Set(gifts.map(giverOf))].filter(
      (giver) => giver !== ZERO && giver !== '' && !insiders.has(giver) && !asked.has(giver),
    )
    const contracts = await Promise.all(givers.slice(0, MOST_ACCOUNTS).map(isContract))
    open = givers.slice(0, MOST_ACCOUNTS).filter((_, i) => contracts[i] === false)
  }
  const given = [...received].map(([account, gifts]) => [account, partsOf(account, gifts)] as const)
  let shares = new Map<string, number>()
  const shareOf = (account: string): number => (insiders.has(account) ? 1 : (shares.get(account) ?? 0))
  // Each round adds what comes over one account more. What goes round in a circle keeps the origin it had before.
  for (let hop = 0; hop <= MOST_HOPS; hop++) {
    shares = new Map(
      given.map(([account, parts]) => {
        const sum = [...parts].reduce((all, [giver, part]) => all + part * shareOf(giver), 0)
        return [account, sum / Number(PARTS)]
      }),
    )
  }
  const found = accounts.map((account): [string, number] => [account, shareOf(account)])
  return new Map(found.filter(([, share]) => share >= LEAST_SHARE))
}
