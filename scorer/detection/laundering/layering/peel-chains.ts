/** Peel chains: value that passes through fresh addresses, each of which soon forwards nearly all of it to the next. */
import { readSql } from '../../../../platform/store/sql.ts'
import { SERVICES } from '../../../../schema/registry/contracts.ts'
import { wrappedNative } from '../../../../schema/registry/index.ts'
import { groupedBy, inPieces, type LoadContext } from '../../context.ts'
import { dustLimits } from '../../shared/dust.ts'
import { type Move, type MoveRow, movesOf as withAmounts } from './movement.ts'

const MOVES = readSql(import.meta.url, './peel-moves.sql')
const AGES = readSql(import.meta.url, './link-ages.sql')

/** Forwardings of a chain, share forwarded each time, and below: maximum time and age of a link (semantics row 2). */
export const HOPS = 3
const FORWARDED_SHARE = 0.9
/** Maximum time from an arrival to its forwarding, s (semantics row 2: an hour). */
export const WITHIN_S = 3_600
const YOUNG_S = 7 * 86_400
/** Movements examined per link after each arrival; fresh pass-through addresses have few. */
const MAX_MOVES = 50
/** Chains followed per wallet, those of its oldest proceeds. */
const MAX_CHAINS = 50

/** One transfer of a chain. `amount` in base units of the chain's asset, `time` in Unix seconds. */
export type Peel = { to: string; amount: bigint; tx_hash: string; time: number }

/** Start of a chain that needs `hops` more forwardings, the first `within` so many seconds. */
type Start = { asset: string; proceeds: Move; sent: readonly Move[]; hops: number; within: number }
type Chain = { proceeds: Move; asset: string; hops: number; peels: Peel[] }

/** The movement that forwards nearly all of an arrival. */
const forwarding = (
  sent: readonly Move[],
  asset: string,
  amount: bigint,
  time: number,
  within = WITHIN_S,
): Peel | undefined => {
  const move = sent.find(
    (one) =>
      one.asset === asset &&
      one.direction === -1 &&
      one.own === 1 &&
      one.time >= time &&
      one.time - time <= within &&
      Number(one.amount) >= FORWARDED_SHARE * Number(amount) &&
      one.amount <= amount,
  )
  return move && { to: move.counterparty, amount: move.amount, tx_hash: move.tx_hash, time: move.time }
}

/** Key of an account and the time from which its movements are needed, which differs by chain. */
const spanOf = (account: string, since: number): string => `${account} ${since}`

const lastOf = ({ peels }: Chain): Peel | undefined => peels.at(-1)

/** Follows chains from pieces of proceeds. Returns complete ones by piece. Two queries per hop for all chains together. */
export const followPeels = async (
  { store, network }: LoadContext,
  starts: readonly Start[],
): Promise<Map<Move, Peel[]>> => {
  const begun = new Map<string, Chain[]>()
  for (const { asset, proceeds, sent, hops, within } of starts) {
    const list = begun.get(proceeds.address) ?? []
    const first = list.length < MAX_CHAINS && forwarding(sent, asset, proceeds.amount, proceeds.time, within)
    if (first) begun.set(proceeds.address, [...list, { proceeds, asset, hops, peels: [first] }])
  }
  let chains = [...begun.values()].flat()
  const done: Chain[] = []
  for (let hop = 1; hop <= HOPS && chains.length > 0; hop++) {
    done.push(...chains.filter(({ hops }) => hops <= hop))
    chains = chains.filter(({ hops }) => hops > hop)
    if (chains.length === 0) break
    const ends = new Map(
      chains.flatMap((chain) => {
        const { to, time } = lastOf(chain) ?? { to: '', time: 0 }
        return to === '' || SERVICES[network].has(to) ? [] : [[spanOf(to, time), { account: to, since: time }] as const]
      }),
    )
    const links = [...new Set([...ends.values()].map(({ account }) => account))]
    if (links.length === 0) break
    const wrapped = wrappedNative(network)?.address ?? ''
    const assets = [...new Set(chains.flatMap(({ asset }) => (asset === '' ? [asset, wrapped] : [asset])))]
    const [moves, ages] = await Promise.all([
      inPieces(ends.values(), (some) =>
        store.query<MoveRow & { since: number }>(
          MOVES,
          {
            network,
            accounts: some.map(({ account }) => account),
            since: some.map(({ since }) => since),
            ...dustLimits(network, assets),
            wrapped,
            from: Math.min(...some.map(({ since }) => since)),
            until: Math.max(...some.map(({ since }) => since)) + WITHIN_S,
            within: WITHIN_S,
            limit: MAX_MOVES,
          },
          { route: 'peel_moves' },
        ),
      ),
      inPieces(links, (addresses) =>
        store.query<{ address: string; since: number; contract: 0 | 1 }>(
          AGES,
          { network, addresses },
          { route: 'peel_ages' },
        ),
      ),
    ])
    const movesOf = groupedBy(withAmounts(moves), ({ address, since }) => spanOf(address, since))
    const ageOf = new Map(ages.map((row) => [row.address, row]))
    chains = chains.flatMap((chain) => {
      const last = lastOf(chain)
      const age = last && ageOf.get(last.to)
      if (!last || !age || age.contract === 1 || last.time - age.since > YOUNG_S) return []
      const sent = movesOf.get(spanOf(last.to, last.time)) ?? []
      const next = forwarding(sent, chain.asset, last.amount, last.time)
      return next && ![chain.proceeds.address, ...chain.peels.map(({ to }) => to)].includes(next.to)
        ? [{ ...chain, peels: [...chain.peels, next] }]
        : []
    })
  }
  return new Map(done.map(({ proceeds, peels }) => [proceeds, peels]))
}
