/**
 * Address poisoning: an address that looks like one the victim pays is put into the victim's history by a transfer of nothing, of dust,
 * or of a counterfeit token, so that the next payment is copied from there. After Tsuchiya et al. (USENIX Security 2025) and Guan and
 * Li (CCS 2024). The victim and the imitated address did nothing: a suspect moved something that the other side did not sign.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { type Network, networkInfo } from '../../../../schema/networks.ts'
import { ASSETS } from '../../../../schema/registry/contracts.ts'
import type { WalletFeatures } from '../../../ledger/features/wallet.ts'
import { readByTier, type TieredStore } from '../../../ledger/reading/tiers.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import type { OwnContract } from '../../shared/contracts/own-contracts.ts'
import { loadCalls } from '../../shared/outflows/outflows.ts'
import { imitated } from '../counterfeit-token/names.ts'
import { endsOf, looksLike } from './address-similarity.ts'
import { startedBy, supplies } from './suppliers.ts'

const MOVES = readSql(import.meta.url, './sql/movements.sql')
const CARRIES = readSql(import.meta.url, './sql/carried-transfers.sql')
const CONTACTS = readSql(import.meta.url, './sql/contacts.sql')
const PAID_BY = readSql(import.meta.url, './sql/paid-by.sql')
const SYMBOLS = readSql(import.meta.url, './sql/token-symbols.sql')
const HOLDERS = readSql(import.meta.url, '../../shared/sql/token-holders.sql')
const FORGERIES = readSql(import.meta.url, './sql/counterfeit-transfers.sql')

/** Dust of a dollar coin, whole coins (risk science B5: below $10). */
const DUST_USD = 10
/** Wallets with more movements than this are services. */
const MOST_ROWS = 20_000
/** A look-alike that others put into histories signs fewer transactions than this: our choice, to spare busy wallets. */
const MOST_SENT = 200
/** Part of its movements that is dust, nothing or pulled, at least; with busy wallets it is less: our choice. */
const DUST_SHARE = 0.25
/** Transactions by which a sender is known who calls contracts of others. Our choice. */
const MIN_CARRIES = 3
/** Addresses of a counterfeit's history looked at. */
const MOST_HOLDERS = 200

export type PoisonPair = {
  mode: 'dust' | 'zero' | 'counterfeit'
  lookalike: string
  imitated: string
  victim: string
  asset: string
  amount: string
  transaction: string
  time: number
}

export type Poisoning = { role: 'lookalike' | 'sender' | 'supplier' | 'token-maker'; pairs: PoisonPair[] }

type Suspicion = { suspect: string; role: Poisoning['role'] } & Omit<PoisonPair, 'imitated'>
type Suspected = { suspicions: Suspicion[]; started: Map<string, Set<string>> }
type Move = { address: string; victim: string; direction: 1 | -1 } & Sent
type Carry = { address: string; giver: string; taker: string } & Sent
type Sent = { asset: string; amount: string; tx_hash: string; time: number }
type Contact = { victim: string; counterparty: string; given: number; own: number; first_seen: number }

/** Largest amount that is dust, by asset; 0 where no price is known. */
const dustOf = (network: Network): Map<string, bigint> =>
  new Map([
    ['', networkInfo(network).nativeCoin.poisoningDust],
    ...[...ASSETS[network].values()].map(
      ({ address, decimals, flags }) =>
        [address, flags.includes('stable') ? BigInt(DUST_USD) * 10n ** BigInt(decimals) : 0n] as const,
    ),
  ])

const mayBeLookalike =
  (network: Network) =>
  (wallet: WalletFeatures): boolean => {
    const { native_out_count, native_in_count, token_in_count, token_out_count, sent_max } = wallet
    if (native_in_count + native_out_count + token_in_count + token_out_count > MOST_ROWS) return false
    const { poisoningDust, decimals } = networkInfo(network).nativeCoin
    const coinDust = Number(poisoningDust) / 10 ** decimals
    const sendsCoinDust = sent_max !== null && sent_max > 0 && sent_max <= coinDust
    // A look-alike exists to be seen: it signs little, and much of what it moves is dust, nothing, or not moved by it.
    const tokens = token_in_count + token_out_count
    const pulled =
      token_in_count > 0 && wallet.pulled_in > 0 && wallet.pulled_in >= DUST_SHARE * (token_in_count + native_in_count)
    const appears =
      wallet.sent <= MOST_SENT && ((wallet.token_zero > 0 && wallet.token_zero >= DUST_SHARE * tokens) || pulled)
    const sendsDust = wallet.token_dust_out > 0 && wallet.token_dust_out >= DUST_SHARE * token_out_count
    // `token_dust_out` counts amounts up to the network's `tokenDust`. Who may have sent dust of finer coins is told by giving no coins.
    const mayDust = wallet.token_out_own > 0 && wallet.sent_total === 0 && wallet.sent <= MOST_SENT
    return appears || sendsDust || sendsCoinDust || mayDust
  }

const namesOf = async ({ store, network }: LoadContext, tokens: readonly string[]): Promise<Set<string>> => {
  if (tokens.length === 0) return new Set()
  const rows = await store.query<{ contract: string; symbol: string; name: string }>(
    SYMBOLS,
    { network, tokens },
    { route: 'token_symbols' },
  )
  return new Set(rows.filter((row) => imitated(network, row)).map((row) => row.contract))
}

/** What look-alikes moved, in their own name; who supplied them with dust and coins is suspected beside them. */
const seenByThemselves = async (context: LoadContext, dust: ReadonlyMap<string, bigint>): Promise<Suspected> => {
  const { store, network } = context
  const addresses = walletsWhere(context, mayBeLookalike(network))
  if (addresses.length === 0) return { suspicions: [], started: new Map() }
  const known = [...dust.keys()]
  const limits = { known, dust: known.map((asset) => String(dust.get(asset))) }
  const ask = (tiered: TieredStore, addresses: string[]) =>
    tiered.query<Move>(MOVES, { network, addresses, ...limits }, { route: 'poison_moves' })
  const own = await readByTier(store, context.tiers, addresses, ask)
  const isDust = ({ asset, amount, direction }: Move) => direction === -1 && amount !== '0' && dust.has(asset)
  const started = await startedBy(context, own.filter(isDust))
  const fed = [...started.values()].flatMap((addresses) => [...addresses])
  const theirs = await inPieces(fed, (addresses) => ask(store, addresses))
  const unknown = [...own, ...theirs].map((move) => move.asset).filter((asset) => !dust.has(asset))
  const counterfeits = await namesOf(context, [...new Set(unknown)])
  const seen = (moves: readonly Move[]) =>
    moves.flatMap(({ address: lookalike, victim, asset, amount, tx_hash: transaction, time }) => {
      const dusty = dust.has(asset) ? ('dust' as const) : undefined
      const mode = counterfeits.has(asset) ? ('counterfeit' as const) : amount === '0' ? ('zero' as const) : dusty
      return mode ? [{ mode, lookalike, victim, asset, amount, transaction, time }] : []
    })
  const shown = seen(theirs)
  return {
    started,
    suspicions: [
      ...seen(own).map((one) => ({ suspect: one.lookalike, role: 'lookalike' as const, ...one })),
      ...[...started].flatMap(([suspect, addresses]) =>
        shown
          .filter(({ lookalike, mode }) => mode === 'dust' && addresses.has(lookalike))
          .map((one) => ({ suspect, role: 'supplier' as const, ...one })),
      ),
    ],
  }
}

const seenBySenders = async (context: LoadContext, dust: ReadonlyMap<string, bigint>): Promise<Suspicion[]> => {
  const { store, network } = context
  const addresses = walletsWhere(context, (wallet) => wallet.third_party_dust > 0)
  if (addresses.length === 0) return []
  const carries = await store.query<Carry>(CARRIES, { network, addresses }, { route: 'poison_carries' })
  return carries.flatMap(({ address: suspect, giver, taker, asset, amount, tx_hash: transaction, time }) => {
    const zero = amount === '0'
    if (!zero && BigInt(amount) > (dust.get(asset) ?? 0n)) return []
    const common = { suspect, role: 'sender' as const, mode: zero ? ('zero' as const) : ('dust' as const) }
    const seen = { asset, amount, transaction, time }
    return [
      { ...common, lookalike: giver, victim: taker, ...seen },
      ...(zero ? [{ ...common, lookalike: taker, victim: giver, ...seen }] : []),
    ]
  })
}

/** Holders of the wallets' counterfeits: any of them may be the look-alike in the history of any other. */
const holdersOf = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, string[]>> => {
  const tokens = own.filter((token) => token.symbol !== '' && imitated(network, token)).map(({ contract }) => contract)
  const holders = new Map<string, string[]>()
  if (tokens.length === 0) return holders
  const rows = await store.query<{ token: string; address: string }>(
    HOLDERS,
    { network, tokens, limit: MOST_HOLDERS },
    { route: 'token_holders' },
  )
  for (const { token, address } of rows) holders.set(token, [...(holders.get(token) ?? []), address])
  return holders
}

/**
 * Whom a victim pays that looks like an address put into its history later, and by nothing but the suspicious transfer.
 * @param suspectSince when the suspect was first seen, Unix seconds: an address that existed before the victim paid its model imitates
 * nobody; somebody may have ground the model to look like it
 */
const pairsOf = (
  network: Network,
  suspicion: Suspicion,
  contacts: readonly Contact[],
  suspectSince: number | null | undefined,
): PoisonPair[] => {
  const { suspect: _, role, ...seen } = suspicion
  const arrived = contacts.find(({ counterparty }) => counterparty === seen.lookalike)
  if (!arrived || arrived.first_seen < seen.time) return []
  return contacts
    .filter(({ given, own, first_seen }) => given > 0 && own > 0 && first_seen < arrived.first_seen)
    .filter(({ first_seen }) => role !== 'lookalike' || suspectSince == null || first_seen <= suspectSince)
    .filter(({ counterparty }) => looksLike(network, counterparty, seen.lookalike))
    .map(({ counterparty }) => ({ ...seen, imitated: counterparty }))
}

type Found = { suspicion: Suspicion; pair: PoisonPair }
type Forgery = { victim: string; lookalike: string; asset: string; amount: string; tx_hash: string; time: number }

/** Gives makers' pairs the movement of their token that put the look-alike there; without one it came by something else. */
const witnessed = async ({ store, network }: LoadContext, pairs: readonly Found[]): Promise<Found[]> => {
  const forged = pairs.flatMap(({ suspicion, pair }) => (suspicion.role === 'token-maker' ? [pair] : []))
  if (forged.length === 0) return [...pairs]
  const rows = await store.query<Forgery>(
    FORGERIES,
    {
      network,
      victims: [...new Set(forged.map(({ victim }) => victim))],
      lookalikes: [...new Set(forged.map(({ lookalike }) => lookalike))],
      tokens: [...new Set(forged.map(({ asset }) => asset))],
    },
    { route: 'poison_forgeries' },
  )
  const first = new Map(rows.map((row) => [`${row.victim} ${row.lookalike} ${row.asset}`, row]))
  return pairs.flatMap(({ suspicion, pair }) => {
    if (suspicion.role !== 'token-maker') return [{ suspicion, pair }]
    const row = first.get(`${pair.victim} ${pair.lookalike} ${pair.asset}`)
    if (!row || row.time > pair.time) return []
    return [{ suspicion, pair: { ...pair, amount: row.amount, transaction: row.tx_hash } }]
  })
}

/**
 * Senders by their own will: they called the token, or a contract they made, or did so time and again. Who once calls a
 * contract of somebody else signs for whatever that moves on the way.
 */
const acting = async (
  context: LoadContext,
  own: readonly OwnContract[],
  pairs: readonly Found[],
): Promise<ReadonlySet<string>> => {
  const sent = pairs.flatMap(({ suspicion: { role, suspect: initiator }, pair: { transaction: tx_hash, ...pair } }) =>
    role === 'sender' ? [{ initiator, tx_hash, time: pair.time, asset: pair.asset }] : [],
  )
  if (sent.length === 0) return new Set()
  const calls = await loadCalls(context, sent)
  const made = new Set(own.map(({ address, contract }) => `${address} ${contract}`))
  const often = new Map<string, Set<string>>()
  for (const { initiator, tx_hash } of sent) often.set(initiator, (often.get(initiator) ?? new Set()).add(tx_hash))
  const willing = sent.filter(({ initiator, tx_hash, asset }) => {
    const called = calls.get(tx_hash)?.receiver ?? ''
    return called === asset || made.has(`${initiator} ${called}`) || (often.get(initiator)?.size ?? 0) >= MIN_CARRIES
  })
  return new Set(willing.map(({ initiator }) => initiator))
}

export const loadPoisoning = async (
  context: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Poisoning[]>> => {
  const { store, network } = context
  const found = new Map<string, Poisoning[]>()
  if (!endsOf(network, [])) return found
  const dust = dustOf(network)
  const [themselves, senders, holders] = await Promise.all([
    seenByThemselves(context, dust),
    seenBySenders(context, dust),
    holdersOf(context, own),
  ])
  const seen = [...themselves.suspicions, ...senders]
  const held = [...holders.values()].flat()
  const victims = [...new Set([...seen.map(({ victim }) => victim), ...held])]
  const ends = endsOf(network, [...seen.map(({ lookalike }) => lookalike), ...held])
  if (victims.length === 0 || !ends) return found
  const rows = await store.query<Contact>(CONTACTS, { network, victims, ...ends }, { route: 'poison_contacts' })
  const contacts = new Map<string, Contact[]>()
  for (const row of rows) {
    const list = contacts.get(row.victim)
    if (list) list.push(row)
    else contacts.set(row.victim, [row])
  }
  const made = own.flatMap(({ address, contract, symbol: _ }) => {
    const members = new Set(holders.get(contract))
    return [...members].flatMap((victim) =>
      (contacts.get(victim) ?? [])
        .filter(({ counterparty }) => members.has(counterparty))
        .map(
          ({ counterparty: lookalike, first_seen: time }): Suspicion => ({
            suspect: address,
            role: 'token-maker',
            mode: 'counterfeit',
            lookalike,
            victim,
            asset: contract,
            amount: '',
            transaction: '',
            time,
          }),
        ),
    )
  })
  const pairs = await witnessed(
    context,
    [...seen, ...made].flatMap((suspicion) =>
      pairsOf(
        network,
        suspicion,
        contacts.get(suspicion.victim) ?? [],
        context.wallets.get(suspicion.suspect)?.first_seen,
      ).map((pair) => ({ suspicion, pair })),
    ),
  )
  if (pairs.length === 0) return found
  // Who is paid by the imitated address belongs to it: two addresses of one owner may well look alike.
  const related = await store.query<{ payer: string; payee: string }>(
    PAID_BY,
    { network, payers: pairs.map(({ pair }) => pair.imitated), payees: pairs.map(({ pair }) => pair.lookalike) },
    { route: 'paid_by' },
  )
  const paid = new Set(related.map(({ payer, payee }) => `${payer}:${payee}`))
  const acted = await acting(context, own, pairs)
  for (const { suspicion, pair } of pairs) {
    if (suspicion.role === 'sender' && !acted.has(suspicion.suspect)) continue
    if (paid.has(`${pair.imitated}:${pair.lookalike}`) || suspicion.suspect === pair.imitated) continue
    const list = found.get(suspicion.suspect) ?? []
    const same = list.find(({ role }) => role === suspicion.role)
    if (same) same.pairs.push(pair)
    else found.set(suspicion.suspect, [...list, { role: suspicion.role, pairs: [pair] }])
  }
  for (const [suspect, list] of found) {
    const started = themselves.started.get(suspect) ?? new Set()
    const proven = ({ role, pairs }: Poisoning) =>
      role !== 'supplier' || supplies(started, new Set(pairs.map(({ lookalike }) => lookalike)))
    const kept = list.filter(proven)
    if (kept.length > 0) found.set(suspect, kept)
    else found.delete(suspect)
  }
  return found
}
