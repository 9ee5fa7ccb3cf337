/**
 * Layering (semantics row 2): proceeds of thieves, phishers, blackmailers or sanctioned addresses make up at least half of the wallet's
 * inflow, and soon leave, by its own act, into a mixer, over a bridge, or down a chain of fresh addresses that forward nearly everything.
 * For a thief, receipts from its victims and from later sales are proceeds. Receiving alone is no offence.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Network } from '../../../../schema/networks.ts'
import { MIXER_POOLS, MIXER_ROUTERS, SERVICES } from '../../../../schema/registry/contracts.ts'
import { wrappedNative } from '../../../../schema/registry/index.ts'
import { MESSAGE_BRIDGES } from '../../../../schema/registry/message-bridges.ts'
import { protocolsOf } from '../../../../schema/registry/protocols.ts'
import type { Contact } from '../../../ledger/contacts.ts'
import { ACCUSATIONS } from '../../../ledger/labels/vocabulary.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { keepMatching, type Others } from '../../detector.ts'
import { loadAccused } from '../../shared/accused-parties.ts'
import { dustLimits } from '../../shared/dust.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import type { Drain } from '../../theft/approval-drain/drain.ts'
import { type Move, type MoveRow, movesOf, totalOf } from './movement.ts'
import { followPeels, HOPS, type Peel, WITHIN_S } from './peel-chains.ts'
import { type Descent, loadDescents } from './upstream.ts'

const MOVES = readSql(import.meta.url, './value-moves.sql')

/** Categories of labels whose payments are proceeds (semantics row 2). */
const PROCEEDS = new Set(['stolen', 'phishing', 'blackmail', 'sanctioned'])
const PROCEEDS_LABELS = Object.entries(ACCUSATIONS).flatMap(([label, category]) =>
  PROCEEDS.has(category) ? [label] : [],
)

/** Minimum share of proceeds in the inflow (semantics row 2). */
const PROCEEDS_SHARE = 0.5
/** Minimum proceeds, US dollars (semantics row 2). */
const LEAST_USD = 1_000
/** Maximum time from the arrival of proceeds to the exit, s (semantics row 2). */
const MIXED_WITHIN_S = 86_400
const BRIDGED_WITHIN_S = 3_600
/** Minimum share of a piece of proceeds that leaves over a bridge. Otherwise it is no pass-through. */
const BRIDGED_SHARE = 0.9
/**
 * People bridge what they are paid, so a bridge convicts only wallets that live on proceeds: this share of the total inflow, or
 * this amount in US dollars, the same as for exposure (`docs/verdicts/exposure.md`).
 */
const LIVING_SHARE = 0.9
const LIVING_USD = 10_000
/** An arrival is a return if the wallet had given at least this share of it to such parties before. Our choice. */
const RETURNED_SHARE = 0.5
/** Number of mixer deposits that count however late (semantics row 2b). */
const MIXER_DEPOSITS = 10
/** Movements examined per wallet, without dust. Wallets with more partners are services. */
const MAX_MOVES = 2_000
const MAX_PARTIES = 1_000

type Exit = {
  way: 'mixer' | 'bridge' | 'peel-chain'
  asset: string
  /** Base units. */
  amount: bigint
  to: string[]
  transactions: string[]
  time: number
}

type Laundering = {
  /** Share of the asset's inflow that is proceeds, 0 to 1. */
  share: number
  sources: string[]
  arrivals: { from: string; asset: string; amount: bigint; transaction: string; time: number }[]
  exits: Exit[]
  /** The links between the thief and the wallet, the thief first; absent if a direct party is the source. */
  upstream?: string[]
}

/** `livesOnProceeds`: the wallet is the thief itself, or lives on proceeds. */
export type Found = Laundering & { livesOnProceeds: boolean }

/** Whether the conduct is more than an honest payee would show. */
export const isConclusive = ({ livesOnProceeds, upstream, exits }: Found): boolean =>
  livesOnProceeds || upstream !== undefined || exits.some(({ way }) => way !== 'bridge')

/** Links of a chain whose ages were checked: all but the last. */
const linksOf = ({ way, to }: Exit): string[] => (way === 'peel-chain' ? to.slice(0, -1) : [])

/** How findings depend on the past of others: an address older than the index looks young in it, and a thief may have stolen before. */
export const LINKS: Others<Found> = {
  concerns: ({ native_in_count, token_in_count, native_out_count, token_out_own }) =>
    native_in_count + token_in_count > 0 && native_out_count + token_out_own > 0,
  parties: ({ exits, upstream = [] }) => [...exits.flatMap(linksOf), ...upstream.slice(1)],
  proven: (found, known) => {
    if (found.upstream?.slice(1).every(known) === false) return undefined
    const exits = keepMatching(found.exits, (exit) => linksOf(exit).every(known))
    return exits === found.exits ? found : exits && { ...found, exits }
  },
}

const isMixer = (network: Network, address: string): boolean =>
  MIXER_POOLS[network].has(address) || MIXER_ROUTERS[network].has(address)
const isBridge = (network: Network, address: string): boolean =>
  protocolsOf(network).get(address)?.kind === 'bridge' ||
  MESSAGE_BRIDGES[network].has(address) ||
  SERVICES[network].get(address)?.kind === 'bridge'

const exitOf = (way: Exit['way'], asset: string, moves: readonly Move[]): Exit => ({
  way,
  asset,
  amount: totalOf(moves),
  to: [...new Set(moves.map(({ counterparty }) => counterparty))].slice(0, 10),
  transactions: [...new Set(moves.map(({ tx_hash }) => tx_hash))].slice(0, 10),
  time: moves[0]?.time ?? 0,
})

/** Proceeds of one asset in one wallet: its arrivals, and what the wallet sent afterwards. */
type Proceeds = {
  address: string
  asset: string
  share: number
  threshold: number
  arrivals: Move[]
  sent: Move[]
  /** Whether the wallet is the thief itself. */
  thief: boolean
}

/** Arrivals that mostly return what was sent there before. A victim that is refunded launders nothing. */
const returnsOf = (moves: readonly Move[], sources: ReadonlySet<string>): Set<Move> => {
  const returned = new Set<Move>()
  let owed = 0n
  for (const move of moves) {
    if (!sources.has(move.counterparty)) continue
    if (move.direction === 1 && Number(owed) >= RETURNED_SHARE * Number(move.amount)) returned.add(move)
    owed -= BigInt(move.direction) * move.amount
    if (owed < 0n) owed = 0n
  }
  return returned
}

/** @param thiefSince time of the wallet's first drain; what its own transactions bring in afterwards is from selling proceeds */
const proceedsOfCrime = (
  network: Network,
  moves: readonly Move[],
  sources: ReadonlySet<string>,
  thiefSince: number | undefined,
): Proceeds[] =>
  [...usdThresholds(network, LEAST_USD)].flatMap(([asset, threshold]) => {
    const ofAsset = moves.filter((move) => move.asset === asset)
    const received = ofAsset.filter(({ direction }) => direction === 1)
    const returned = thiefSince === undefined ? returnsOf(ofAsset, sources) : new Set()
    const arrivals = received.filter(
      (move) =>
        (sources.has(move.counterparty) && !returned.has(move)) ||
        (thiefSince !== undefined && move.own === 1 && move.time >= thiefSince),
    )
    const [proceeds, total] = [totalOf(arrivals), totalOf(received)]
    if (proceeds < threshold || Number(proceeds) < PROCEEDS_SHARE * Number(total)) return []
    const sent = ofAsset.filter(({ direction, own }) => direction === -1 && own === 1)
    return [
      {
        address: ofAsset[0]?.address ?? '',
        asset,
        share: Number(proceeds) / Number(total),
        threshold,
        arrivals,
        sent,
        thief: thiefSince !== undefined,
      },
    ]
  })

/** Whether the wallet lives on its proceeds, over all examined assets. */
const isLivingOnProceeds = (network: Network, moves: readonly Move[], proceeds: readonly Proceeds[]): boolean => {
  const units = usdThresholds(network, LEAST_USD)
  const usdOf = (some: readonly Move[]) =>
    some.reduce(
      (sum, { asset, amount }) => sum + (Number(amount) * LEAST_USD) / (units.get(asset) ?? Number.POSITIVE_INFINITY),
      0,
    )
  const usd = usdOf(proceeds.flatMap(({ arrivals }) => arrivals))
  return usd >= LIVING_USD || usd >= LIVING_SHARE * usdOf(moves.filter(({ direction }) => direction === 1))
}

const sentWithin = (proceeds: Proceeds, within: number): Move[] =>
  proceeds.sent.filter(({ time }) =>
    proceeds.arrivals.some((arrival) => time >= arrival.time && time - arrival.time <= within),
  )

/** Exits into mixers and over bridges. */
const plainExits = (network: Network, proceeds: Proceeds): Exit[] => {
  const mixed = proceeds.sent.filter(
    ({ counterparty, time }) => isMixer(network, counterparty) && time >= (proceeds.arrivals[0]?.time ?? 0),
  )
  const soon = sentWithin(proceeds, MIXED_WITHIN_S).filter((move) => mixed.includes(move))
  const exits = [
    exitOf('mixer', proceeds.asset, soon),
    ...(mixed.length >= MIXER_DEPOSITS ? [exitOf('mixer', proceeds.asset, mixed)] : []),
  ]
  const bridged = proceeds.arrivals.flatMap((arrival) => {
    const bridgings = proceeds.sent.filter(
      ({ counterparty, time }) =>
        isBridge(network, counterparty) && time >= arrival.time && time - arrival.time <= BRIDGED_WITHIN_S,
    )
    return Number(totalOf(bridgings)) >= BRIDGED_SHARE * Number(arrival.amount) ? bridgings : []
  })
  const found = [...exits, exitOf('bridge', proceeds.asset, [...new Set(bridged)])].filter(
    ({ amount }) => amount >= proceeds.threshold,
  )
  return found.filter(({ way }, index) => found.findIndex((exit) => exit.way === way) === index)
}

const peelExit = (asset: string, chain: readonly Peel[]): Exit => ({
  way: 'peel-chain',
  asset,
  amount: chain[0]?.amount ?? 0n,
  to: chain.map(({ to }) => to),
  transactions: chain.map(({ tx_hash }) => tx_hash),
  time: chain[0]?.time ?? 0,
})

/** Wallets that received from a labelled source or a victim of their own, with those senders. */
const suspectsOf = async (
  context: LoadContext,
  contacts: ReadonlyMap<string, Contact[]>,
  drains: ReadonlyMap<string, Drain[]>,
): Promise<Map<string, Set<string>>> => {
  const { store, network } = context
  const spends = new Set(
    walletsWhere(
      context,
      (wallet) =>
        wallet.native_out_count + wallet.token_out_own > 0 && wallet.in_partners + wallet.out_partners <= MAX_PARTIES,
    ),
  )
  const giversOf = new Map(
    [...contacts].flatMap(([address, list]) => {
      const givers = list.filter(({ native_in, token_in }) => native_in > 0 || token_in > 0)
      return spends.has(address) && givers.length > 0
        ? [[address, givers.map(({ counterparty }) => counterparty)] as const]
        : []
    }),
  )
  const suspects = new Map<string, Set<string>>()
  const add = (address: string, source: string) =>
    suspects.set(address, (suspects.get(address) ?? new Set()).add(source))
  for (const [address, list] of drains)
    if (spends.has(address)) for (const { taker, victim } of list) if (taker === address) add(address, victim)
  const known = await inPieces([...giversOf.values()].flat(), (parties) =>
    loadAccused(store, network, parties, PROCEEDS_LABELS),
  )
  const sources = new Set(known)
  for (const [address, givers] of giversOf) for (const giver of givers) if (sources.has(giver)) add(address, giver)
  return suspects
}

/**
 * Number of forwardings that a chain still needs. Below a thief some were made already. At least the wallet's own and the next are
 * required, so that the deposit address of an exchange at the end of a chain does not count as a link.
 */
const missingHops = (descent: Descent | undefined): number =>
  descent === undefined ? HOPS : Math.max(2, HOPS - descent.path.length)

/** Pieces of proceeds that may be forwarded: each arrival, and for a thief also their total, because it sells first. */
const pieces = (arrivals: readonly Move[], thief: boolean): Move[] => {
  const last = arrivals.at(-1)
  return thief && last && arrivals.length > 1 ? [...arrivals, { ...last, amount: totalOf(arrivals) }] : [...arrivals]
}

/** @param drains drains that convict their wallets */
export const loadLaundering = async (
  context: LoadContext,
  contacts: ReadonlyMap<string, Contact[]>,
  drains: ReadonlyMap<string, Drain[]>,
): Promise<Map<string, Found>> => {
  const { store, network, now } = context
  const [suspects, descents] = await Promise.all([
    suspectsOf(context, contacts, drains),
    loadDescents(context, LEAST_USD),
  ])
  for (const [link, { path }] of descents) {
    const funder = path.at(-1)
    if (funder !== undefined) suspects.set(link, (suspects.get(link) ?? new Set()).add(funder))
  }
  if (suspects.size === 0) return new Map()
  const rows = await inPieces(suspects.keys(), (addresses) =>
    store.query<MoveRow>(
      MOVES,
      {
        network,
        addresses,
        ...dustLimits(network, [...usdThresholds(network, LEAST_USD).keys()]),
        wrapped: wrappedNative(network)?.address ?? '',
        since: 0,
        until: now,
        limit: MAX_MOVES,
      },
      { route: 'value_moves' },
    ),
  )
  const moves = movesOf(rows)
  const all = [...suspects].flatMap(([address, sources]) =>
    proceedsOfCrime(
      network,
      moves.filter((move) => move.address === address),
      sources,
      drains.get(address)?.[0]?.time,
    ),
  )
  const chains = await followPeels(
    context,
    all.flatMap(({ address, asset, arrivals, sent, thief }) =>
      pieces(arrivals, thief).map((proceeds) => ({
        asset,
        proceeds,
        sent,
        hops: missingHops(descents.get(address)),
        within: thief ? MIXED_WITHIN_S : WITHIN_S,
      })),
    ),
  )
  const found = new Map<string, Found>()
  for (const proceeds of all) {
    const peeled = [...chains].flatMap(([piece, chain]) =>
      piece.address === proceeds.address && piece.asset === proceeds.asset ? [peelExit(proceeds.asset, chain)] : [],
    )
    const exits = [
      ...plainExits(network, proceeds),
      ...peeled.filter(({ amount }) => amount >= proceeds.threshold).slice(0, 3),
    ]
    if (exits.length === 0) continue
    const previous = found.get(proceeds.address)
    const descent = descents.get(proceeds.address)
    const livesOnProceeds =
      proceeds.thief ||
      isLivingOnProceeds(
        network,
        moves.filter(({ address }) => address === proceeds.address),
        all.filter(({ address }) => address === proceeds.address),
      )
    found.set(proceeds.address, {
      livesOnProceeds,
      share: Math.max(previous?.share ?? 0, Math.round(proceeds.share * 1e4) / 1e4),
      sources: [
        ...new Set([...(previous?.sources ?? []), ...proceeds.arrivals.map(({ counterparty }) => counterparty)]),
      ].slice(0, 10),
      arrivals: [
        ...(previous?.arrivals ?? []),
        ...proceeds.arrivals.slice(0, 5).map(({ counterparty: from, asset, amount, tx_hash: transaction, time }) => ({
          from,
          asset,
          amount,
          transaction,
          time,
        })),
      ],
      exits: [...(previous?.exits ?? []), ...exits],
      ...(descent && { upstream: descent.path }),
    })
  }
  return found
}
