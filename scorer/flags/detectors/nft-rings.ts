/**
 * Rings that pass an NFT around (semantics row 5, organised wash trading; after von Wachter et al., FC 2022 workshops, and
 * Chainalysis' test for sales to self-financed accounts): wallets that funded one another, or were funded by one purse, sell each
 * other the same NFT again and again, and hardly anybody else. Traders who buy back from strangers are nobody's funders; an
 * escrow is a contract and funds nobody; and what moves for nothing, as in games, is no sale.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import { readTiers } from '../../features/tiers.ts'
import { isContract, loadWallets, type WalletFeatures } from '../../features/wallet.ts'
import { type LoadContext, those } from './context.ts'
import { floorsOf } from './worth.ts'

const ROUNDS = readSql(import.meta.url, '../sql/nft-rounds.sql')
const TRADES = readSql(import.meta.url, '../sql/nft-trades.sql')

/** Times the same NFT was bought and sold within the ring: once or twice may be a change of mind. */
const MIN_ROUNDS = 3
/**
 * Wallets of one ring that we look for. Semantics row 5 speaks of five, as of wallets that share a pool with the world; here all
 * sell one NFT to their own kin three times each, and a dozen of those are no less a ring. Our choice.
 */
const MOST_MEMBERS = 12
/** The ring's part of the members' trade in the collection, and its least volume, US dollars (semantics row 5). */
const VOLUME_SHARE = 0.6
const LEAST_USD = 10_000
/** A purse pays its own wallets; who paid more parties than this (exchanges, faucets) makes nobody kin. Our choice. */
const MOST_FUNDED = 50
/** Trades of one wallet looked at, oldest first. */
const MOST_TRADES = 2_000

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

export type NftRing = {
  collection: string
  token: string
  members: string[]
  /** Part of what the members traded in the collection, 0 to 1. */
  share: number
  /** US dollars, by the low fixed prices of `worth.ts`. */
  volume: number
  trades: number
  transactions: string[]
}

/** Sales in chain order, out of what both sides saw; one that either side paid nothing for, or got nothing for, is none. */
const tradesOf = (rows: readonly Row[]): Trade[] => {
  const trades = new Map<string, Trade>()
  const gifts = new Set<string>()
  for (const { address, direction, counterparty, token_id, tx_hash, position, own, usd } of rows) {
    const [seller, buyer] = direction === 1 ? [counterparty, address] : [address, counterparty]
    const key = `${tx_hash} ${token_id} ${seller} ${buyer}`
    if (direction * usd >= 0) gifts.add(key)
    // What the seller got is the price; a buyer's fees are not.
    else if (direction === -1 || !trades.has(key))
      trades.set(key, { token_id, seller, buyer, tx_hash, position, own, usd: Math.abs(usd) })
  }
  return [...trades]
    .flatMap(([key, trade]) => (gifts.has(key) ? [] : [trade]))
    .sort((a, b) => (BigInt(a.position) < BigInt(b.position) ? -1 : 1))
}

/** Loads wallets once, as they come to be asked for. */
const acquaintances = ({ store, network, tiers }: LoadContext) => {
  const met = new Map<string, WalletFeatures>()
  return async (addresses: Iterable<string>): Promise<ReadonlyMap<string, WalletFeatures>> => {
    const asked = [...new Set(addresses)].filter((address) => !met.has(address))
    const hot = new Set(tiers.anyHot ? asked : [])
    const found = asked.length === 0 ? [] : await loadWallets(store, network, asked, { anyHot: tiers.anyHot, hot })
    for (const [address, wallet] of found) met.set(address, wallet)
    return met
  }
}

/** Whether one of two wallets funded the other, or one purse both. */
const kin = (
  wallets: ReadonlyMap<string, WalletFeatures>,
  services: ReadonlyMap<string, unknown>,
  a: string,
  b: string,
) => {
  const [one, other] = [wallets.get(a), wallets.get(b)]
  if (!one || !other) return false
  if (one.funder === b || other.funder === a) return true
  if (one.funder === null || one.funder !== other.funder || services.has(one.funder)) return false
  const purse = wallets.get(one.funder)
  return purse !== undefined && purse.sent > 0 && !isContract(purse) && purse.out_counterparties <= MOST_FUNDED
}

type Asked = { address: string; collection: string; token: string }

/** The ring one wallet passes one NFT around in: who trades it with the members and is their kin joins them. */
const findRing = async (context: LoadContext, { address, collection, token }: Asked): Promise<NftRing | undefined> => {
  const { store, network } = context
  const services = infrastructureOf(network)
  const units = floorsOf(network, 1)
  const meet = acquaintances(context)
  const rows: Row[] = []
  const members = new Set<string>()
  let joining = [address]
  while (joining.length > 0) {
    for (const one of joining) members.add(one)
    const asked = {
      addresses: joining,
      collections: [collection],
      money: [...units.keys()],
      units: [...units.values()],
    }
    rows.push(...(await store.query<Row>(TRADES, { network, ...asked, limit: MOST_TRADES }, { route: 'nft_trades' })))
    const partners = new Map<string, number>()
    for (const { token_id, seller, buyer, usd } of tradesOf(rows)) {
      const partner = members.has(seller) ? buyer : seller
      if (token_id === token && !members.has(partner)) partners.set(partner, (partners.get(partner) ?? 0) + usd)
    }
    const people = await meet([...members, ...partners.keys()])
    const wallets = await meet([...people.values()].flatMap(({ funder }) => (funder === null ? [] : [funder])))
    joining = [...partners]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([partner]) => partner)
      .filter((partner) => {
        const wallet = wallets.get(partner)
        const signs = wallet !== undefined && wallet.sent > 0 && !isContract(wallet) && !services.has(partner)
        return signs && [...members].some((member) => kin(wallets, services, member, partner))
      })
      .slice(0, MOST_MEMBERS - members.size)
  }
  const trades = tradesOf(rows)
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
    share: Math.round((volume / sum(trades)) * 1e4) / 1e4,
    volume: Math.round(volume),
    trades: inside.length,
    transactions: [...new Set(rounds.map(({ tx_hash }) => tx_hash))].slice(0, 10),
  }
}

/** Rings of the wallets that bought and sold the same NFT within one several times. Nothing is asked about others. */
export const loadNftRings = async (context: LoadContext): Promise<Map<string, NftRing[]>> => {
  const { store, network, tiers } = context
  const traders = those(
    context,
    (one) => one.nft_in_count >= MIN_ROUNDS && one.nft_out_count >= MIN_ROUNDS && one.sent > 0 && !isContract(one),
  )
  const rounds = await readTiers(tiers, traders, { final: 'ledger', all: 'ledger_all' }, (ledger, addresses) =>
    store.query<{ address: string; asset: string; token_id: string }>(
      ROUNDS,
      { ledger, network, addresses, least: MIN_ROUNDS },
      { route: 'nft_rounds' },
    ),
  )
  const found = new Map<string, NftRing[]>()
  for (const { address, asset, token_id } of rounds) {
    const known = found.get(address) ?? []
    // One ring of a collection says it.
    if (known.some(({ collection }) => collection === asset)) continue
    const ring = await findRing(context, { address, collection: asset, token: token_id })
    if (ring) found.set(address, [...known, ring])
  }
  return found
}
