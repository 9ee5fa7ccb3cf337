/**
 * Origin of tokens: the share of an account's inflows that comes from insiders, through a few accounts in between.
 * Contracts end the path: tokens from a pool, a farm or a sale were bought or earned.
 */

/** Incoming transfers of tokens or position NFTs. */
export type Inflow = {
  to: string
  /** Zero address: minted in a transaction by `signer`, which is empty when unknown. */
  from: string
  signer: string
  amount: bigint
}

/** Look-ups of the search. Tests answer from a list. */
export type OriginsDeps = {
  /** Incoming transfers of the assets. */
  inflowsTo: (accounts: string[]) => Promise<Inflow[]>
  isContract: (account: string) => Promise<boolean>
}

const ZERO = `0x${'0'.repeat(40)}`
/** Maximum number of accounts between an insider and a taker. */
const MAX_HOPS = 4
/** Maximum number of accounts per step: an insider needs few, a market has many. */
const MAX_ACCOUNTS = 40
/** Minimum share from which an account counts as supplied by insiders: a few tokens prove nothing. */
const MIN_SHARE = 0.5
/** Resolution of shares; smaller parts count nothing. */
const PARTS = 10_000n

const senderOf = ({ from, signer }: Inflow): string => (from === ZERO ? signer : from)

/** Parts of an account's tokens by sender. Its own mints have no origin, and transfers to itself do not count. */
const partsOf = (account: string, received: readonly Inflow[]): Map<string, number> => {
  const inflows = received.filter(({ from }) => from !== account)
  const total = inflows.reduce((sum, { amount }) => sum + amount, 0n)
  const parts = new Map<string, number>()
  for (const inflow of total > 0n ? inflows : []) {
    const sender = senderOf(inflow)
    if (sender !== account) parts.set(sender, (parts.get(sender) ?? 0) + Number((inflow.amount * PARTS) / total))
  }
  return parts
}

/**
 * Share (0..1) of each account's tokens that comes from insiders; accounts below a half are left out. The work grows
 * with the transfers, not with the paths through them, which may be billions for a few hundred accounts.
 */
export const originsOf = async (
  { inflowsTo, isContract }: OriginsDeps,
  insiders: ReadonlySet<string>,
  accounts: readonly string[],
): Promise<Map<string, number>> => {
  const received = new Map<string, Inflow[]>()
  const asked = new Set<string>()
  let open = [...new Set(accounts)].filter((account) => !insiders.has(account)).slice(0, MAX_ACCOUNTS)
  for (let hop = 0; hop < MAX_HOPS && open.length > 0; hop++) {
    for (const account of open) asked.add(account)
    const inflows = await inflowsTo(open)
    for (const inflow of inflows) {
      const others = received.get(inflow.to)
      if (others) others.push(inflow)
      else received.set(inflow.to, [inflow])
    }
    const senders = [...new Set(inflows.map(senderOf))].filter(
      (sender) => sender !== ZERO && sender !== '' && !insiders.has(sender) && !asked.has(sender),
    )
    const contracts = await Promise.all(senders.slice(0, MAX_ACCOUNTS).map(isContract))
    open = senders.slice(0, MAX_ACCOUNTS).filter((_, i) => contracts[i] === false)
  }
  const given = [...received].map(([account, gifts]) => [account, partsOf(account, gifts)] as const)
  let shares = new Map<string, number>()
  const shareOf = (account: string): number => (insiders.has(account) ? 1 : (shares.get(account) ?? 0))
  // Each round adds origins one account further away. Circular transfers keep the origin they had before.
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    shares = new Map(
      given.map(([account, parts]) => {
        const sum = [...parts].reduce((all, [sender, part]) => all + part * shareOf(sender), 0)
        return [account, sum / Number(PARTS)]
      }),
    )
  }
  const found = accounts.map((account): [string, number] => [account, shareOf(account)])
  return new Map(found.filter(([, share]) => share >= MIN_SHARE))
}
