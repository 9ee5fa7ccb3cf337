/** Exits of a token's insiders: events of all its pools, who made them, and whose tokens those were. */
import { addressOf } from '../../code/abstract/facts.ts'
import { type Market, sharesOf } from '../../market/market.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { binToken } from '../positions/bins.ts'
import type { Stakeholders } from '../stakeholders.ts'
import { type Exit, type PoolEvent, soldBy, type WeightOf, withdrawnBy } from './exits.ts'
import { giftsOf, TRANSFER } from './gifts.ts'
import { byKeepers, depositorsFrom, type HeldBefore, hadPosition, positionKeeper } from './keepers.ts'
import { originsOf } from './origins.ts'
import { type ExitInput, readPoolEvents, readWorth } from './pool-events.ts'
import { gaveMuch, largeProviders, openersOf } from './providers.ts'
import { actingSellers, type Seller } from './sellers.ts'
import { NO_EXIT, shownExit } from './shown.ts'

/** Takers whose tokens are followed, those who took most: of liquidity, and of what tokens sold for. */
const [MOST_TAKERS, MOST_SELLERS] = [12, 40]
/** Part of what lay in the pools that has to be gone before anybody's tokens are followed. */
const LEAST_GONE = 0.3
/** Unix seconds before now from which gifts count where nobody knows when the token was made. */
const GIFTS_WITHIN = 90 * 86_400

/** Both kinds of exits, as the record and its explanation show them. */
export type Exits = Pick<Stakeholders, 'withdrawn' | 'sold'>

/** Accounts that took most on balance, of some events, and what they took. */
const takersOf = (events: readonly PoolEvent[], most = MOST_TAKERS): { actor: string; taken: number }[] => {
  const balances = new Map<string, number>()
  for (const { actor, value } of events) if (actor !== '') balances.set(actor, (balances.get(actor) ?? 0) - value)
  return [...balances]
    .map(([actor, taken]) => ({ actor, taken }))
    .filter(({ taken }) => taken > 0)
    .sort((a, b) => b.taken - a.taken)
    .slice(0, most)
}

/** Withdrawals of what the account itself had added to the pool are its own business. */
const ownLiquidity = (events: readonly PoolEvent[], actor: string): boolean => {
  const own = events.filter((event) => event.actor === actor && event.event !== 'swap')
  const added = own.reduce((sum, { value }) => sum + Math.max(0, value), 0)
  const removed = own.reduce((sum, { value }) => sum - Math.min(0, value), 0)
  return 2 * added >= removed
}

/** The same seen from the other side: what came in as what was taken. */
const reversed = (event: PoolEvent): PoolEvent => ({ ...event, value: -event.value })

/** Part (0..1) of what somebody added to pools that was not withdrawn again. */
const keptBy = (events: readonly PoolEvent[], who: string): number => {
  const own = events.filter(({ actor, event }) => actor === who && event !== 'swap').map(({ value }) => value)
  const added = own.reduce((sum, value) => sum + Math.max(0, value), 0)
  const left = own.reduce((sum, value) => sum + value, 0)
  return added > 0 ? Math.max(0, left) / added : 0
}

/** What the liquidity of a pool is held as: a token, NFTs, or shares of its bins. */
type Holding = 'token' | 'positions' | 'bins'
const holdingOf = (item: Market): Holding => {
  if (item.kind === 'infinity-bin') return 'bins'
  return sharesOf(item) === undefined ? 'positions' : 'token'
}

/** What insiders withdrew within a month, and what they sold within a day of it, summed over all pools of the token. */
export const findExits = async (input: ExitInput): Promise<Exits> => {
  const { chain, registry, store, network, known, creator } = input
  const { subject, market, markets } = known
  if (!market || registry.canonical.includes(subject.token)) return { withdrawn: NO_EXIT, sold: NO_EXIT }
  const worthOf = await readWorth(input)
  const reserves = new Map(markets.map((item) => [item.id, worthOf(item, item.baseReserve)]))
  const reserve = [...reserves.values()].reduce((sum, one) => sum + one, 0)
  const since = Math.max(0, input.createdAt ?? chain.time - GIFTS_WITHIN)
  const makers = new Set([creator, subject.owner.address].filter((who) => who !== '' && !isBlackhole(who)))
  const shareOf = new Map(markets.map((item) => [item.id, sharesOf(item)]))
  const heldAs = new Map(markets.map((item) => [item.id, holdingOf(item)]))
  const keeperOf = async ({ pool, txHash, time }: PoolEvent): Promise<string | undefined> => {
    const holding = heldAs.get(pool)
    if (holding === undefined || holding === 'bins') return undefined
    const logs = (await chain.receipt(txHash)) ?? []
    if (holding === 'positions') {
      const heldBefore: HeldBefore = (owner, position) => hadPosition(store, network, { owner, ...position, time })
      return positionKeeper(chain, registry.positions, pool, logs, heldBefore)
    }
    const back = logs.filter(
      ({ address, topics }) =>
        address.toLowerCase() === shareOf.get(pool) &&
        topics[0] === TRANSFER &&
        addressOf(BigInt(topics[2] ?? '0x0')) === pool,
    )
    return back.length === 1 ? addressOf(BigInt(back[0]?.topics[1] ?? '0x0')) : undefined
  }
  const depositors = depositorsFrom(store, network, registry.positions, input.createdAt !== undefined)
  const depositorsOf: typeof depositors = (some) =>
    depositors(some.filter(({ pool }) => heldAs.get(pool) === 'positions'))
  const pools = [...new Set(markets.flatMap((item) => sharesOf(item) ?? []))]
  const { giftsTo } = giftsOf({ chain, network, store, assets: [...pools, ...registry.positions], since })
  const events = await byKeepers({ keeperOf, giftsTo, depositorsOf }, await readPoolEvents(input, worthOf), makers)
  const gone = (takers: readonly { taken: number }[]) => {
    const taken = takers.reduce((sum, one) => sum + one.taken, 0)
    return taken >= LEAST_GONE * (taken + reserve)
  }
  const follow = async (
    takers: { actor: string; taken: number }[],
    insiders: Set<string>,
    assets: string[],
    numbers: readonly string[] = [],
  ) =>
    takers.length > 0 && insiders.size > 0 && gone(takers)
      ? originsOf(
          giftsOf({ chain, network, store, assets, numbers, since }),
          insiders,
          takers.map(({ actor }) => actor),
        )
      : new Map<string, number>()

  const ofTables = store ? [subject.token] : []
  const removing = (where: (pool: string) => boolean) =>
    takersOf(events.filter(({ event, pool }) => event === 'remove' && where(pool))).filter(
      ({ actor }) => !ownLiquidity(events, actor),
    )
  const readSellers = async (): Promise<Map<string, number>> => {
    const swaps = events.filter(({ event }) => event === 'swap')
    const takers = takersOf(swaps, MOST_SELLERS)
    const origins = await follow(takers, makers, ofTables)
    for (const maker of makers) origins.delete(maker)
    if (!store || origins.size === 0) return origins
    const sellers = takers.flatMap(({ actor: address, taken }): Seller[] => {
      const firstSale = swaps.find(({ actor, value }) => actor === address && value < 0)?.time ?? chain.time
      return origins.has(address) ? [{ address, share: origins.get(address) ?? 0, firstSale, taken }] : []
    })
    const gifts = await giftsOf({ chain, network, store, assets: ofTables, since }).giftsTo([...origins.keys()])
    const assets = new Map([...registry.bases, ...markets.map(({ base }) => base)].map((base) => [base.address, base]))
    const usdOf = (asset: string, amount: bigint) => {
      const base = asset === '' ? registry.bases[0] : assets.get(asset)
      return base ? worthOf({ base }, amount) : 0
    }
    const asked = { store, network, token: subject.token, insiders: [...makers], since }
    return actingSellers({ ...asked, sellers, gifts, usdOf, assets: [...assets.keys()] })
  }
  const inPools = (holding: Holding) => removing((pool) => heldAs.get(pool) === holding)
  const { launchers, guests } = openersOf(events, reserves)
  const candidates = largeProviders(events)
  const hosts = takersOf(events.filter(({ event, actor }) => event === 'remove' && candidates.has(actor)))
  const supplied = await follow(hosts, makers, ofTables)
  // Anybody may open a pool with a few tokens of somebody else's project, and take back what is theirs.
  const large = [...candidates].filter((who) => {
    const rules = supplied.has(who) || gaveMuch(events, who, subject.supply)
    const takes = launchers.has(who) || !ownLiquidity(events, who)
    return (rules && takes) || (guests.has(who) && supplied.has(who))
  })
  const providers = new Set([...makers, ...large])
  const [ofPools, ofPositions, ofToken, ...ofBins] = await Promise.all([
    follow(inPools('token'), providers, pools),
    follow(inPools('positions'), providers, [...registry.positions]),
    readSellers(),
    // Shares of bins of two pools cannot be added: each pool is followed by itself.
    ...markets.map(({ id, bins }) =>
      heldAs.get(id) === 'bins'
        ? follow(
            removing((pool) => pool === id),
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
  const dealt: WeightOf = (event) =>
    makers.has(event.actor) ? 1 : event.event === 'swap' ? (ofToken.get(event.actor) ?? 0) : provided(event)

  const left = withdrawnBy(provided, events, reserve)
  const others = takersOf(events.filter((event) => event.event !== 'swap' && provided(event) === 0).map(reversed))
  const partners = left.share < LEAST_GONE ? new Map<string, number>() : await follow(others, makers, ofTables)
  // What somebody added with tokens of the makers, and left there, makes up for what these took.
  const moved: WeightOf = (event) =>
    event.event === 'add' && partners.has(event.actor)
      ? (partners.get(event.actor) ?? 0) * keptBy(events, event.actor)
      : provided(event)

  const followed = new Set([ofPools, ofPositions, ofToken, ...ofBins].flatMap((one) => [...one.keys()]))
  const shown = (exit: Exit, verb: string) => shownExit(exit, { verb, known, market, followed, creator })
  return {
    withdrawn: shown(partners.size === 0 ? left : withdrawnBy(moved, events, reserve), 'took'),
    sold: shown(soldBy(dealt, events, reserve), 'sold for'),
  }
}
