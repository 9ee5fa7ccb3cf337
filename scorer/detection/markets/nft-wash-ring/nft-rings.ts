/**
 * Rings that pass an NFT around (semantics row 5; after von Wachter et al., FC 2022 workshops, and Chainalysis' test for sales to
 * self-financed accounts): wallets that funded one another, or share a funder, sell each other the same NFT repeatedly, and hardly
 * trade with others. Movements without payment, as in games, are no sales.
 */

import { readSql } from '../../../../platform/store/sql.ts'
import type { Network } from '../../../../schema/networks.ts'
import { infrastructureOf } from '../../../../schema/registry/infrastructure.ts'
import { isContract, type WalletFeatures } from '../../../ledger/features/wallet.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { keepMatching, type Others } from '../../detector.ts'
import { counterpartyLoader } from '../../shared/counterparties.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const ROUNDS = readSql(import.meta.url, './rounds.sql')
const TRADES = readSql(import.meta.url, './trades.sql')

/** Minimum number of purchases and sales of the same NFT within the ring. Once or twice may be a change of mind. */
const MIN_ROUNDS = 3
/**
 * Maximum size of a ring. Semantics row 5 says five, for wallets that share a pool with the public. Here all members sell one NFT to each
 * other three times each, so a dozen are no less a ring. Our choice.
 */
const MAX_MEMBERS = 12
/** Minimum share of the ring in its members' trade in the collection, and minimum volume, US dollars (semantics row 5). */
const VOLUME_SHARE = 0.6
const LEAST_USD = 10_000
/** A payer of more parties (an exchange, a faucet) links nobody. Our choice. */
const MAX_FUNDED = 50
/** Oldest trades examined per wallet and collection. */
const MAX_TRADES = 2_000

type Row = {
  address: string
  collection: string
  token_id: string
  direction: 1 | -1
  counterparty: string
  tx_hash: string
  position: string
  own: 0 | 1
  usd: number
}
type Trade = {
  token_id: string
  seller: string
  buyer: string
  tx_hash: string
  position: string
  own: 0 | 1
  usd: number
}

/** Connected wallets that sold one NFT to each other. `trades` and `volume` are those within the ring. */
export type NftRing = {
  collection: string
  token: string
  members: string[]
  /** Funders outside the ring who were the first funder of several members. */
  funders: string[]
  /** Share of the members' trade in the collection, 0 to 1. */
  share: number
  /** US dollars at low fixed prices (`usd-thresholds.ts`). */
  volume: number
  trades: number
  transactions: string[]
}

/** How rings depend on the past of others: first funders, and the number of parties of a shared funder, must be known. */
export const RINGS: Others<NftRing[]> = {
  concerns: ({ nft_in_count, nft_out_count }) => Math.min(nft_in_count, nft_out_count) >= MIN_ROUNDS,
  parties: (rings) => rings.flatMap(({ members, funders }) => [...members, ...funders]),
  proven: (rings, known) => keepMatching(rings, ({ members, funders }) => [...members, ...funders].every(known)),
}

/** Sales in chain order from both sides' rows. Excludes transfers for which one side paid or received nothing. */
const tradesOf = (rows: readonly Row[]): Trade[] => {
  const trades = new Map<string, Trade>()
  const gifts = new Set<string>()
  for (const { address, direction, counterparty, token_id, tx_hash, position, own, usd } of rows) {
    const [seller, buyer] = direction === 1 ? [counterparty, address] : [address, counterparty]
    const key = `${tx_hash} ${token_id} ${seller} ${buyer}`
    if (direction * usd >= 0) gifts.add(key)
    // The price is what the seller received, without the buyer's fees.
    else if (direction === -1 || !trades.has(key))
      trades.set(key, { token_id, seller, buyer, tx_hash, position, own, usd: Math.abs(usd) })
  }
  return [...trades]
    .flatMap(([key, trade]) => (gifts.has(key) ? [] : [trade]))
    .sort((a, b) => (BigInt(a.position) < BigInt(b.position) ? -1 : 1))
}

/** Whether one of two wallets funded the other, or both have the same funder. */
const related = (
  wallets: ReadonlyMap<string, WalletFeatures>,
  services: ReadonlyMap<string, unknown>,
  a: string,
  b: string,
) => {
  const [one, other] = [wallets.get(a), wallets.get(b)]
  if (!one || !other) return false
  if (one.funder === b || other.funder === a) return true
  if (one.funder === null || one.funder !== other.funder || services.has(one.funder)) return false
  const funder = wallets.get(one.funder)
  return funder !== undefined && funder.sent > 0 && !isContract(funder) && funder.out_partners <= MAX_FUNDED
}

/** Search for the ring of one wallet and NFT. */
type Search = {
  address: string
  collection: string
  token: string
  members: Set<string>
  funders: Set<string>
  joining: string[]
}

/** Assets for prices, with base units per dollar. */
const moneyOf = (network: Network) => {
  const units = usdThresholds(network, 1)
  return { money: [...units.keys()], units: [...units.values()] }
}

/** Cache of trades by wallet and collection, shared by all searches. */
const tradeBooks = ({ store, network }: LoadContext) => {
  const money = moneyOf(network)
  const books = new Map<string, Row[]>()
  const pageOf = (address: string, collection: string) => `${address} ${collection}`
  return {
    open: async (searches: readonly Search[]): Promise<void> => {
      const asked = searches.flatMap(({ joining, collection }) => joining.map((address) => ({ address, collection })))
      const pages = new Map(asked.map((page) => [pageOf(page.address, page.collection), page]))
      const unread = [...pages].filter(([name]) => !books.has(name))
      for (const [name] of unread) books.set(name, [])
      const rows = await inPieces(unread, (piece) =>
        store.query<Row>(
          TRADES,
          {
            network,
            addresses: piece.map(([, { address }]) => address),
            collections: piece.map(([, { collection }]) => collection),
            ...money,
            limit: MAX_TRADES,
          },
          { route: 'nft_trades' },
        ),
      )
      for (const row of rows) books.get(pageOf(row.address, row.collection))?.push(row)
    },
    tradesOf: ({ members, collection }: Search): Trade[] =>
      tradesOf([...members].flatMap((member) => books.get(pageOf(member, collection)) ?? [])),
  }
}
type Books = ReturnType<typeof tradeBooks>

/** Adds related traders of the NFT to the members. All searches advance together. */
const findMembers = async (context: LoadContext, books: Books, searches: readonly Search[]): Promise<void> => {
  const services = infrastructureOf(context.network)
  const loadCounterparties = counterpartyLoader(context)
  let open = searches.filter(({ joining }) => joining.length > 0)
  while (open.length > 0) {
    await books.open(open)
    const asked = open.map((search) => {
      for (const one of search.joining) search.members.add(one)
      const partners = new Map<string, number>()
      for (const { token_id, seller, buyer, usd } of books.tradesOf(search)) {
        const partner = search.members.has(seller) ? buyer : seller
        if (token_id === search.token && !search.members.has(partner))
          partners.set(partner, (partners.get(partner) ?? 0) + usd)
      }
      return { search, partners: [...partners].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([one]) => one) }
    })
    const candidates = asked.flatMap(({ search, partners }) => [...search.members, ...partners])
    const traders = await loadCounterparties(candidates)
    const wallets = await loadCounterparties(candidates.flatMap((one) => traders.get(one)?.funder ?? []))
    for (const { search, partners } of asked) {
      const { members, funders } = search
      search.joining = partners
        .filter((partner) => {
          const wallet = wallets.get(partner)
          const signs = wallet !== undefined && wallet.sent > 0 && !isContract(wallet) && !services.has(partner)
          const link = [...members].find((member) => related(wallets, services, member, partner))
          if (!signs || link === undefined) return false
          const funder = wallet.funder
          if (funder !== null && funder !== link && wallets.get(link)?.funder === funder) funders.add(funder)
          return true
        })
        .slice(0, MAX_MEMBERS - members.size)
    }
    open = open.filter(({ joining }) => joining.length > 0)
  }
}

/** The ring of a finished search, if it qualifies. */
const ringOf = (
  { address, collection, token, members, funders }: Search,
  trades: readonly Trade[],
): NftRing | undefined => {
  const inside = trades.filter(({ seller, buyer, own }) => own === 1 && members.has(seller) && members.has(buyer))
  const rounds = inside.filter(({ token_id }) => token_id === token)
  const sum = (list: readonly Trade[]) => list.reduce((all, { usd }) => all + usd, 0)
  const volume = sum(inside)
  const holds =
    members.size > 1 &&
    rounds.filter(({ buyer }) => buyer === address).length >= MIN_ROUNDS &&
    rounds.filter(({ seller }) => seller === address).length >= MIN_ROUNDS &&
    volume >= LEAST_USD &&
    volume >= VOLUME_SHARE * sum(trades)
  if (!holds) return undefined
  return {
    collection,
    token,
    members: [...members].sort(),
    funders: [...funders].sort(),
    share: Math.round((volume / sum(trades)) * 1e4) / 1e4,
    volume: Math.round(volume),
    trades: inside.length,
    transactions: [...new Set(rounds.map(({ tx_hash }) => tx_hash))].slice(0, 10),
  }
}

/** Loads rings by wallet, for wallets that bought and sold the same NFT several times. */
export const loadNftRings = async (context: LoadContext): Promise<Map<string, NftRing[]>> => {
  const { store, network, tiers } = context
  const traders = walletsWhere(
    context,
    (one) => one.nft_in_count >= MIN_ROUNDS && one.nft_out_count >= MIN_ROUNDS && one.sent > 0 && !isContract(one),
  )
  const rounds = await readByTier(store, tiers, traders, (tiered, addresses) =>
    tiered.query<{ address: string; asset: string; token_id: string }>(
      ROUNDS,
      { network, addresses, least: MIN_ROUNDS, ...moneyOf(network) },
      { route: 'nft_rounds' },
    ),
  )
  const searches = rounds.map(({ address, asset, token_id }) => ({
    address,
    collection: asset,
    token: token_id,
    members: new Set<string>(),
    funders: new Set<string>(),
    joining: [address],
  }))
  const books = tradeBooks(context)
  await findMembers(context, books, searches)
  const found = new Map<string, NftRing[]>()
  for (const search of searches) {
    const known = found.get(search.address) ?? []
    // One ring per collection is enough.
    if (known.some(({ collection }) => collection === search.collection)) continue
    const ring = ringOf(search, books.tradesOf(search))
    if (ring) found.set(search.address, [...known, ring])
  }
  return found
}
