/**
 * Address poisoning: an address that looks like one the victim pays is put into the victim's history by a transfer of zero, of
 * dust, or of a counterfeit token, so that the victim copies it for the next payment. After Tsuchiya et al. (USENIX Security 2025)
 * and Guan and Li (CCS 2024). The victim and the imitated address did nothing: a suspect moved something that the other side did
 * not sign.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { type Network, networkInfo } from '../../../../schema/networks.ts'
import type { WalletFeatures } from '../../../ledger/features/wallet.ts'
import { readByTier, type TieredStore } from '../../../ledger/reading/tiers.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import type { OwnContract } from '../../shared/contracts/own-contracts.ts'
import { loadDealings } from '../../shared/dealings/dealings.ts'
import { dustOf } from '../../shared/dust.ts'
import { imitated } from '../counterfeit-token/names.ts'
import { endsOf, looksLike } from './address-similarity.ts'
import { type Carried, classifySenders, senderSuspicions } from './senders.ts'
import { suppliedBy, supplies } from './suppliers.ts'
import {
  DUST_SHARE,
  type Found,
  fullOf,
  MAX_MOVES,
  type Poisoning,
  type Sent,
  type Suspected,
  type Suspicion,
} from './suspicion.ts'

const MOVES = readSql(import.meta.url, './sql/movements.sql')
const CONTACTS = readSql(import.meta.url, './sql/contacts.sql')
const FIRST_SEEN = readSql(import.meta.url, '../../shared/sql/first-seen.sql')
const PAID_BY = readSql(import.meta.url, './sql/paid-by.sql')
const SYMBOLS = readSql(import.meta.url, './sql/token-symbols.sql')
const HOLDERS = readSql(import.meta.url, '../../shared/sql/token-holders.sql')
const FORGERIES = readSql(import.meta.url, './sql/counterfeit-transfers.sql')

/** Wallets that dealt with more parties are services. */
const MAX_PARTIES = 20_000
/** Maximum number of transactions signed by a look-alike that others put into histories. Our choice, to skip busy wallets. */
const MAX_SENT = 200
/** Addresses examined per counterfeit. */
const MAX_HOLDERS = 200
/** Findings about a wallet, and what is open: more movements than are examined, or transfers that it signed for others. */
export type Poisonings = { found: Poisoning[]; open: 'overlooked' | 'carried' | undefined }

type Move = { address: string; victim: string; direction: 1 | -1 } & Sent
type Contact = { victim: string; counterparty: string; paid: 0 | 1 }

/** Largest dust amounts as query parameters. */
const limitsOf = (dust: ReadonlyMap<string, bigint>) => ({
  known: [...dust.keys()],
  dust: [...dust.values()].map(String),
})

const mayBeLookalike =
  (network: Network) =>
  (wallet: WalletFeatures): boolean => {
    const { in_partners, out_partners, sent, sent_max } = wallet
    if (in_partners + out_partners > MAX_PARTIES) return false
    const { poisoningDust, decimals } = networkInfo(network).nativeCoin
    const coinDust = Number(poisoningDust) / 10 ** decimals
    const sendsCoinDust = sent_max !== null && sent_max > 0 && sent_max <= coinDust
    // A look-alike exists to be seen: it signs little, and much of what it moves is dust, zero, or moved by others.
    const much = (movements: number): boolean =>
      movements > 0 && movements >= DUST_SHARE * (sent + in_partners + out_partners)
    const appears = sent <= MAX_SENT && (much(wallet.token_zero) || much(wallet.pulled_in))
    const sendsDust = wallet.token_dust_out > 0 && wallet.token_dust_out >= DUST_SHARE * wallet.token_out_own
    // `token_dust_out` counts amounts up to the network's `tokenDust`. For coins with smaller units, a wallet that sends no coins
    // is a candidate.
    const mayDust = wallet.token_out_own > 0 && wallet.sent_total === 0 && sent <= MAX_SENT
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

/** Movements in the look-alikes' own name, and suspicions against those who supplied them with dust and coins. */
const lookalikeSuspicions = async (
  context: LoadContext,
  dust: ReadonlyMap<string, bigint>,
): Promise<Suspected & { supplied: Map<string, Set<string>> }> => {
  const { store, network } = context
  const addresses = walletsWhere(context, mayBeLookalike(network))
  if (addresses.length === 0) return { suspicions: [], overlooked: [], supplied: new Map() }
  const limits = limitsOf(dust)
  const ask = (tiered: TieredStore, addresses: string[]) =>
    tiered.query<Move>(MOVES, { network, addresses, ...limits, limit: MAX_MOVES }, { route: 'poison_moves' })
  const own = await readByTier(store, context.tiers, addresses, ask)
  const isDust = ({ asset, amount, direction }: Move) => direction === -1 && amount !== '0' && dust.has(asset)
  const supplied = await suppliedBy(context, own.filter(isDust))
  const receivers = [...supplied.values()].flatMap((addresses) => [...addresses])
  const theirs = await inPieces(receivers, (addresses) => ask(store, addresses))
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
    supplied,
    overlooked: fullOf(own, MAX_MOVES),
    suspicions: [
      ...seen(own).map((one) => ({ suspect: one.lookalike, role: 'lookalike' as const, ...one })),
      ...[...supplied].flatMap(([suspect, addresses]) =>
        shown
          .filter(({ lookalike, mode }) => mode === 'dust' && addresses.has(lookalike))
          .map((one) => ({ suspect, role: 'supplier' as const, ...one })),
      ),
    ],
  }
}

/** Holders of the wallets' counterfeits. Any of them may be a look-alike in the history of any other. */
const holdersOf = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<{ holders: Map<string, string[]>; overlooked: string[] }> => {
  const tokens = own.filter((token) => token.symbol !== '' && imitated(network, token)).map(({ contract }) => contract)
  const holders = new Map<string, string[]>()
  if (tokens.length === 0) return { holders, overlooked: [] }
  const rows = await store.query<{ token: string; address: string }>(
    HOLDERS,
    { network, tokens, limit: MAX_HOLDERS },
    { route: 'token_holders' },
  )
  for (const { token, address } of rows) holders.set(token, [...(holders.get(token) ?? []), address])
  const full = new Set([...holders].flatMap(([token, held]) => (held.length >= MAX_HOLDERS ? [token] : [])))
  return { holders, overlooked: own.flatMap(({ address, contract }) => (full.has(contract) ? [address] : [])) }
}

type Forgery = { victim: string; lookalike: string; asset: string; amount: string; tx_hash: string; time: number }

/** Pairs of a suspicion with addresses that the victim pays and that look like the suspect. */
const pairsOf = (network: Network, suspicion: Suspicion, contacts: readonly Contact[]): Found[] => {
  const { suspect: _, role: _role, ...seen } = suspicion
  return contacts
    .filter(({ paid, counterparty }) => paid > 0 && looksLike(network, counterparty, seen.lookalike))
    .map(({ counterparty }) => ({ suspicion, pair: { ...seen, imitated: counterparty } }))
}

/**
 * Keeps pairs whose victim had paid the imitated address and had no earlier dealings with the look-alike. An address that existed
 * before the imitated one, and before the victim paid that, imitates nobody: the imitated one may have been generated to look like
 * it.
 */
const imitations = async (context: LoadContext, pairs: readonly Found[]): Promise<Found[]> => {
  const { store, network } = context
  if (pairs.length === 0) return []
  const [between, seen] = await Promise.all([
    loadDealings(
      context,
      pairs.flatMap(({ pair: { victim, lookalike, imitated } }) => [
        [victim, lookalike],
        [victim, imitated],
      ]),
    ),
    inPieces(
      pairs.flatMap(({ pair }) => [pair.lookalike, pair.imitated]),
      (addresses) =>
        store.query<{ address: string; first_seen: number }>(
          FIRST_SEEN,
          { network, addresses },
          { route: 'poison_first_seen' },
        ),
    ),
  ])
  const firstSeen = new Map(seen.map(({ address, first_seen }) => [address, first_seen]))
  return pairs.filter(({ pair: { victim, lookalike, imitated, time } }) => {
    const known = between(victim, lookalike)
    const { paid_since: paid = 0 } = between(victim, imitated) ?? {}
    if ((known && known.since < time) || paid === 0 || paid >= time) return false
    return Math.min(paid, firstSeen.get(imitated) ?? paid) <= (firstSeen.get(lookalike) ?? Number.POSITIVE_INFINITY)
  })
}

/** Adds to token makers' pairs the movement of their token between the two. Drops pairs without one. */
const withTokenMovement = async ({ store, network }: LoadContext, pairs: readonly Found[]): Promise<Found[]> => {
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
    return row ? [{ suspicion, pair: { ...pair, amount: row.amount, transaction: row.tx_hash, time: row.time } }] : []
  })
}

const poisoningsOf = async (
  context: LoadContext,
  own: readonly OwnContract[],
  seen: readonly Suspicion[],
  holders: ReadonlyMap<string, string[]>,
  supplied: ReadonlyMap<string, Set<string>>,
  carried: Carried,
): Promise<{ found: Map<string, Poisoning[]>; unsure: ReadonlySet<string> }> => {
  const { store, network } = context
  const found = new Map<string, Poisoning[]>()
  const nothing = { found, unsure: new Set<string>() }
  const held = [...holders.values()].flat()
  const victims = [...new Set([...seen.map(({ victim }) => victim), ...held])]
  const ends = endsOf(network, [...seen.map(({ lookalike }) => lookalike), ...held])
  if (victims.length === 0 || !ends) return nothing
  const rows = await store.query<Contact>(CONTACTS, { network, victims, ...ends }, { route: 'poison_contacts' })
  const contacts = new Map<string, Contact[]>()
  for (const row of rows) {
    const list = contacts.get(row.victim)
    if (list) list.push(row)
    else contacts.set(row.victim, [row])
  }
  const made = own.flatMap(({ address, contract }) => {
    const members = new Set(holders.get(contract))
    return [...members].flatMap((victim) =>
      (contacts.get(victim) ?? [])
        .filter(({ counterparty }) => members.has(counterparty))
        .map(
          ({ counterparty: lookalike }): Suspicion => ({
            suspect: address,
            role: 'token-maker',
            mode: 'counterfeit',
            lookalike,
            victim,
            asset: contract,
            amount: '',
            transaction: '',
            time: 0,
          }),
        ),
    )
  })
  const alike = [...seen, ...made].flatMap((suspicion) =>
    pairsOf(network, suspicion, contacts.get(suspicion.victim) ?? []),
  )
  const pairs = await imitations(context, await withTokenMovement(context, alike))
  if (pairs.length === 0) return nothing
  // A look-alike that the imitated address pays belongs to the same owner.
  const related = await store.query<{ payer: string; payee: string }>(
    PAID_BY,
    { network, payers: pairs.map(({ pair }) => pair.imitated), payees: pairs.map(({ pair }) => pair.lookalike) },
    { route: 'paid_by' },
  )
  const paid = new Set(related.map(({ payer, payee }) => `${payer}:${payee}`))
  const { willing, unsure } = await classifySenders(context, own, pairs, carried)
  for (const { suspicion, pair } of pairs) {
    if (suspicion.role === 'sender' && !willing.has(suspicion.suspect)) continue
    if (paid.has(`${pair.imitated}:${pair.lookalike}`) || suspicion.suspect === pair.imitated) continue
    const list = found.get(suspicion.suspect) ?? []
    const same = list.find(({ role }) => role === suspicion.role)
    if (same) same.pairs.push(pair)
    else found.set(suspicion.suspect, [...list, { role: suspicion.role, pairs: [pair] }])
  }
  for (const [suspect, list] of found) {
    const receivers = supplied.get(suspect) ?? new Set()
    const proven = ({ role, pairs }: Poisoning) =>
      role !== 'supplier' || supplies(receivers, new Set(pairs.map(({ lookalike }) => lookalike)))
    const kept = list.filter(proven)
    if (kept.length > 0) found.set(suspect, kept)
    else found.delete(suspect)
  }
  return { found, unsure }
}

/** Loads poisonings by participating wallet: the look-alike, the signer of the transfers, its supplier, or the maker of the token. */
export const loadPoisoning = async (
  context: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Poisonings>> => {
  const { network } = context
  if (!endsOf(network, [])) return new Map()
  const dust = dustOf(network)
  const [themselves, senders, { holders, overlooked }] = await Promise.all([
    lookalikeSuspicions(context, dust),
    senderSuspicions(context, dust),
    holdersOf(context, own),
  ])
  const { found, unsure } = await poisoningsOf(
    context,
    own,
    [...themselves.suspicions, ...senders.suspicions],
    holders,
    themselves.supplied,
    senders.carried,
  )
  const more = new Set([...themselves.overlooked, ...senders.overlooked, ...overlooked])
  const openOf = (address: string) => (more.has(address) ? 'overlooked' : unsure.has(address) ? 'carried' : undefined)
  return new Map(
    [...new Set([...found.keys(), ...more, ...unsure])].map((address) => [
      address,
      { found: found.get(address) ?? [], open: openOf(address) },
    ]),
  )
}
