/** Finds exits of a token's insiders: events of all its pools, who caused them, and where their tokens came from. */
import { addressOf } from '../../code/abstract/facts.ts'
import { type Market, sharesOf } from '../../market/market.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { binToken } from '../positions/bins.ts'
import type { Stakeholders } from '../stakeholders.ts'
import { exitEvidence, NO_EXIT } from './evidence.ts'
import { type Exit, type PoolEvent, soldBy, type WeightOf, withdrawnBy } from './exits.ts'
import { inflowsOf, TRANSFER } from './inflows.ts'
import {
  byLiquidityOwner,
  depositorsFrom,
  type HeldBefore,
  hadPosition,
  type LiquidityOwnersDeps,
  positionHolder,
} from './liquidity-owners.ts'
import { originsOf } from './origins.ts'
import { type ExitInput, readPoolEvents, readUsdValues, type UsdValueOf } from './pool-events.ts'
import { addedMuchSupply, largeProviders, openersOf } from './providers.ts'
import { type Seller, sellersForInsiders } from './sellers.ts'

/** Maximum number of takers whose tokens are followed, by value taken: of liquidity, and by sales. */
const [MAX_TAKERS, MAX_SELLERS] = [12, 40]
/** Share of the pools' value that must be gone before tokens are followed. */
const MIN_GONE = 0.3
/** How far back transfers count when the token's creation time is unknown, seconds. */
const INFLOWS_WITHIN = 90 * 86_400

/** Both kinds of exits, for the record and its explanation. */
export type Exits = Pick<Stakeholders, 'withdrawn' | 'sold'>

/** An account, and the value it took on balance. */
type Taker = { actor: string; taken: number }
/** Accounts that took most on balance, and the value they took. */
const takersOf = (events: readonly PoolEvent[], most = MAX_TAKERS): Taker[] => {
  const balances = new Map<string, number>()
  for (const { actor, value } of events) if (actor !== '') balances.set(actor, (balances.get(actor) ?? 0) - value)
  return [...balances]
    .map(([actor, taken]) => ({ actor, taken }))
    .filter(({ taken }) => taken > 0)
    .sort((a, b) => b.taken - a.taken)
    .slice(0, most)
}

/** Whether the account withdrew liquidity that it had mostly added itself. */
const ownLiquidity = (events: readonly PoolEvent[], actor: string): boolean => {
  const own = events.filter((event) => event.actor === actor && event.event !== 'swap')
  const added = own.reduce((sum, { value }) => sum + Math.max(0, value), 0)
  const removed = own.reduce((sum, { value }) => sum - Math.min(0, value), 0)
  return 2 * added >= removed
}

/** The event with the opposite sign: additions count as taken. */
const reversed = (event: PoolEvent): PoolEvent => ({ ...event, value: -event.value })

/** Share (0..1) of an account's added liquidity that it did not withdraw. */
const keptBy = (events: readonly PoolEvent[], who: string): number => {
  const own = events.filter(({ actor, event }) => actor === who && event !== 'swap').map(({ value }) => value)
  const added = own.reduce((sum, value) => sum + Math.max(0, value), 0)
  const left = own.reduce((sum, value) => sum + value, 0)
  return added > 0 ? Math.max(0, left) / added : 0
}

/** How liquidity of a pool is held: as a token, NFTs, or shares of bins. */
type Holding = 'token' | 'positions' | 'bins'
const holdingOf = (item: Market): Holding => {
  if (item.kind === 'infinity-bin') return 'bins'
  return sharesOf(item) === undefined ? 'positions' : 'token'
}

/** Look-up of who held withdrawn liquidity: who returned the pool's token in the transaction, or held the position. */
const holdersFrom = (
  { chain, registry, store, network, known }: ExitInput,
  heldAs: ReadonlyMap<string, Holding>,
): LiquidityOwnersDeps['holderOf'] => {
  const tokenOf = new Map(known.markets.map((item) => [item.id, sharesOf(item)]))
  return async ({ pool, txHash, time }) => {
    const holding = heldAs.get(pool)
    if (holding === undefined || holding === 'bins') return undefined
    const logs = (await chain.receipt(txHash)) ?? []
    if (holding === 'positions') {
      const heldBefore: HeldBefore = (owner, position) => hadPosition(store, network, { owner, ...position, time })
      return positionHolder(chain, registry.positions, pool, logs, heldBefore)
    }
    const back = logs.filter(
      ({ address, topics }) =>
        address.toLowerCase() === tokenOf.get(pool) &&
        topics[0] === TRANSFER &&
        addressOf(BigInt(topics[2] ?? '0x0')) === pool,
    )
    return back.length === 1 ? addressOf(BigInt(back[0]?.topics[1] ?? '0x0')) : undefined
  }
}

/** Share (0..1) of the takers' tokens that comes from insiders. `numbers`: ids of ERC-1155 tokens. */
type OriginsOfTakers = (
  takers: readonly Taker[],
  insiders: ReadonlySet<string>,
  assets: readonly string[],
  numbers?: readonly string[],
) => Promise<Map<string, number>>

/** Follows the tokens of takers, if together they took enough of the pools. `reserve`: current value of all pools. */
const followTakers =
  ({ chain, network, store }: ExitInput, since: number, reserve: number): OriginsOfTakers =>
  async (takers, insiders, assets, numbers = []) => {
    const taken = takers.reduce((sum, one) => sum + one.taken, 0)
    if (takers.length === 0 || insiders.size === 0 || taken < MIN_GONE * (taken + reserve)) return new Map()
    const inflows = inflowsOf({ chain, network, store, assets, numbers, since })
    return originsOf(
      inflows,
      insiders,
      takers.map(({ actor }) => actor),
    )
  }

/** Share (0..1) of each seller's sales that is attributed to the token's makers. */
const readSellers = async (of: {
  input: ExitInput
  events: readonly PoolEvent[]
  makers: ReadonlySet<string>
  since: number
  usdValueOf: UsdValueOf
  originsOfTakers: OriginsOfTakers
}): Promise<Map<string, number>> => {
  const { input, events, makers, since, usdValueOf, originsOfTakers } = of
  const { chain, registry, store, network, known } = input
  const { token } = known.subject
  const swaps = events.filter(({ event }) => event === 'swap')
  const takers = takersOf(swaps, MAX_SELLERS)
  const origins = await originsOfTakers(takers, makers, store ? [token] : [])
  for (const maker of makers) origins.delete(maker)
  if (!store || origins.size === 0) return origins
  const sellers = takers.flatMap(({ actor: address, taken }): Seller[] => {
    const share = origins.get(address)
    if (share === undefined) return []
    const firstSale = swaps.find(({ actor, value }) => actor === address && value < 0)?.time ?? chain.time
    return [{ address, share, firstSale, taken }]
  })
  const inflows = await inflowsOf({ chain, network, store, assets: [token], since }).inflowsTo([...origins.keys()])
  const bases = [...registry.bases, ...known.markets.map(({ base }) => base)]
  const assets = new Map(bases.map((base) => [base.address, base]))
  const usdOf = (asset: string, amount: bigint) => {
    const base = asset === '' ? registry.bases[0] : assets.get(asset)
    return base ? usdValueOf({ base }, amount) : 0
  }
  const asked = { store, network, token, insiders: [...makers], since }
  return sellersForInsiders({ ...asked, sellers, inflows, usdOf, assets: [...assets.keys()] })
}

/** Finds what insiders withdrew within a month, and what they sold within a day of it, over all pools of the token. */
export const findExits = async (input: ExitInput): Promise<Exits> => {
  const { chain, registry, store, network, known, creator } = input
  const { subject, market, markets } = known
  if (!market || registry.canonical.includes(subject.token)) return { withdrawn: NO_EXIT, sold: NO_EXIT }
  const usdValueOf = await readUsdValues(input)
  const reserves = new Map(markets.map((item) => [item.id, usdValueOf(item, item.baseReserve)]))
  const reserve = [...reserves.values()].reduce((sum, one) => sum + one, 0)
  const since = Math.max(0, input.createdAt ?? chain.time - INFLOWS_WITHIN)
  const makers = new Set([creator, subject.owner.address].filter((who) => who !== '' && !isBlackhole(who)))
  const heldAs = new Map(markets.map((item) => [item.id, holdingOf(item)]))
  const holderOf = holdersFrom(input, heldAs)
  const depositors = depositorsFrom(store, network, registry.positions, input.createdAt !== undefined)
  const depositorsOf: typeof depositors = (some) =>
    depositors(some.filter(({ pool }) => heldAs.get(pool) === 'positions'))
  const pools = [...new Set(markets.flatMap((item) => sharesOf(item) ?? []))]
  const { inflowsTo } = inflowsOf({ chain, network, store, assets: [...pools, ...registry.positions], since })
  const events = await byLiquidityOwner(
    { holderOf, inflowsTo, depositorsOf },
    await readPoolEvents(input, usdValueOf),
    makers,
  )
  const originsOfTakers = followTakers(input, since, reserve)
  const ofTables = store ? [subject.token] : []
  const withdrawers = (where: (pool: string) => boolean) =>
    takersOf(events.filter(({ event, pool }) => event === 'remove' && where(pool))).filter(
      ({ actor }) => !ownLiquidity(events, actor),
    )
  const withdrawersFrom = (holding: Holding) => withdrawers((pool) => heldAs.get(pool) === holding)
  // Providers who control liquidity like the makers do.
  const { launchers, guests } = openersOf(events, reserves)
  const candidates = largeProviders(events)
  const largeTakers = takersOf(events.filter(({ event, actor }) => event === 'remove' && candidates.has(actor)))
  const supplied = await originsOfTakers(largeTakers, makers, ofTables)
  // Anyone may open a pool with a few tokens of another project and withdraw what is theirs.
  const large = [...candidates].filter((who) => {
    const controls = supplied.has(who) || addedMuchSupply(events, who, subject.supply)
    const takes = launchers.has(who) || !ownLiquidity(events, who)
    return (controls && takes) || (guests.has(who) && supplied.has(who))
  })
  const providers = new Set([...makers, ...large])
  // Tokens, positions and bin shares of other takers that come from these.
  const [ofPools, ofPositions, ofToken, ...ofBins] = await Promise.all([
    originsOfTakers(withdrawersFrom('token'), providers, pools),
    originsOfTakers(withdrawersFrom('positions'), providers, [...registry.positions]),
    readSellers({ input, events, makers, since, usdValueOf, originsOfTakers }),
    // Bin shares of different pools cannot be added, so each pool is followed separately.
    ...markets.map(({ id, bins }) =>
      heldAs.get(id) === 'bins'
        ? originsOfTakers(
            withdrawers((pool) => pool === id),
            providers,
            [...registry.bins],
            (bins ?? []).map((bin) => binToken(id, bin.id).toString()),
          )
        : new Map<string, number>(),
    ),
  ])
  const receivedIn = new Map(
    markets.map(({ id }, i) => {
      const holding = heldAs.get(id)
      return [id, holding === 'token' ? ofPools : holding === 'bins' ? ofBins[i] : ofPositions]
    }),
  )
  const provided: WeightOf = ({ actor, pool }) => (providers.has(actor) ? 1 : (receivedIn.get(pool)?.get(actor) ?? 0))
  const takenBy: WeightOf = (event) =>
    makers.has(event.actor) ? 1 : event.event === 'swap' ? (ofToken.get(event.actor) ?? 0) : provided(event)

  const withdrawn = withdrawnBy(provided, events, reserve)
  const others = takersOf(events.filter((event) => event.event !== 'swap' && provided(event) === 0).map(reversed))
  const partners =
    withdrawn.share < MIN_GONE ? new Map<string, number>() : await originsOfTakers(others, makers, ofTables)
  // Liquidity added with the makers' tokens, and left there, offsets what they took.
  const moved: WeightOf = (event) =>
    event.event === 'add' && partners.has(event.actor)
      ? (partners.get(event.actor) ?? 0) * keptBy(events, event.actor)
      : provided(event)

  const followed = new Set([ofPools, ofPositions, ofToken, ...ofBins].flatMap((one) => [...one.keys()]))
  const shown = (exit: Exit, verb: string) => exitEvidence(exit, { verb, known, market, followed, creator })
  return {
    withdrawn: shown(partners.size === 0 ? withdrawn : withdrawnBy(moved, events, reserve), 'withdrew'),
    sold: shown(soldBy(takenBy, events, reserve), 'sold tokens for'),
  }
}
