/** Exits of a token's insiders: events of all its pools, who made them, and whose tokens those were. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { swapParameters } from '../../../../schema/pairs.ts'
import { decimalText } from '../../../ledger/prices/amounts.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { announcedAs, coins, isWorth, type Market, sharesOf } from '../../market/market.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import type { ContractRegistry } from '../../subject/registry.ts'
import type { LiquidityRow } from '../liquidity.ts'
import { binToken } from '../positions/bins.ts'
import type { Known, MovedAmount, ShownExit, Stakeholders } from '../stakeholders.ts'
import { type Exit, type PoolEvent, soldBy, type WeightOf, withdrawnBy } from './exits.ts'
import { giftsOf, TRANSFER } from './gifts.ts'
import { byKeepers, positionKeeper } from './keepers.ts'
import { originsOf } from './origins.ts'
import { largeProviders, openersOf } from './providers.ts'
import { type EventRow, eventsFrom } from './rows.ts'

const EVENTS = readSql(import.meta.url, '../sql/pool-events.sql')
const MONTH = 30 * 86_400
/** Newest events of all pools together: a rug shows in few, a market of thousands a day is none. */
const MOST_EVENTS = 5_000
/** Takers whose tokens are followed, those who took most. */
const MOST_TAKERS = 12
/** Part of what lay in the pools that has to be gone before anybody's tokens are followed. */
const LEAST_GONE = 0.3
/** Dollars of a native coin of unknown price, for comparisons only. */
const UNPRICED = 1_000
/** Takes that are shown as evidence. */
const MOST_SHOWN = 5
/** Unix seconds before now from which gifts count where nobody knows when the token was made. */
const GIFTS_WITHIN = 90 * 86_400

/** What exits are looked for by. */
export type ExitInput = {
  chain: ChainReader
  registry: ContractRegistry
  store: Store | undefined
  network: Network
  known: Known
  /** Root creator, empty when unknown, and when the token was made (Unix seconds). */
  creator: string
  createdAt: number | undefined
  /** Liquidity events of the market, newest first, for what the tables do not know. */
  rows: readonly LiquidityRow[]
}

/** Both kinds of exits, as the record and its explanation show them. */
export type Exits = Pick<Stakeholders, 'withdrawn' | 'sold'>

const NOTHING: ShownExit = { share: 0, evidence: [], amounts: [] }

const eventsOf = async (input: ExitInput, usdOf: (market: Market) => number): Promise<PoolEvent[]> => {
  const { chain, store, network, known, rows } = input
  const { subject, market, markets } = known
  const worthOf = (item: Market, base: bigint) => coins(base, item.base.decimals) * usdOf(item)
  const since = Math.max(0, chain.time - MONTH)
  const stored =
    (await store?.query<EventRow>(
      EVENTS,
      {
        network,
        ...swapParameters(markets.map((item) => announcedAs(subject.token, item))),
        since,
        limit: MOST_EVENTS,
      },
      { route: 'contract_pool_events' },
    )) ?? []
  const events = eventsFrom(stored.reverse(), { token: subject.token, pools: markets, traded: market?.id, worthOf })
  if (!market || events.some(({ event, pool }) => event !== 'swap' && pool === market.id)) return events
  const other = rows
    .filter(({ time }) => time >= since)
    .map(({ event, provider, txHash, base, time }): PoolEvent => {
      const signed = event === 'add' ? base : -base
      return { pool: market.id, event, actor: provider, txHash, time, base: signed, value: worthOf(market, signed) }
    })
  return [...events, ...other.reverse()].sort((a, b) => a.time - b.time)
}

/** Accounts that took most on balance, of some events, and what they took. */
const takersOf = (events: readonly PoolEvent[]): { actor: string; taken: number }[] => {
  const balances = new Map<string, number>()
  for (const { actor, value } of events) balances.set(actor, (balances.get(actor) ?? 0) - value)
  return [...balances]
    .map(([actor, taken]) => ({ actor, taken }))
    .filter(({ taken }) => taken > 0)
    .sort((a, b) => b.taken - a.taken)
    .slice(0, MOST_TAKERS)
}

/** Withdrawals of what the account itself had added to the pool are its own business. */
const ownLiquidity = (events: readonly PoolEvent[], actor: string): boolean => {
  const own = events.filter((event) => event.actor === actor && event.event !== 'swap')
  const added = own.reduce((sum, { value }) => sum + Math.max(0, value), 0)
  const removed = own.reduce((sum, { value }) => sum - Math.min(0, value), 0)
  return 2 * added >= removed
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
  const { subject, market, markets, dollars } = known
  if (!market || registry.canonical.includes(subject.token)) return { withdrawn: NOTHING, sold: NOTHING }
  const usdOf = (item: Market) => dollars.get(item.base.address) ?? UNPRICED
  const reserves = new Map(markets.map((item) => [item.id, coins(item.baseReserve, item.base.decimals) * usdOf(item)]))
  const reserve = [...reserves.values()].reduce((sum, one) => sum + one, 0)
  const since = Math.max(0, input.createdAt ?? chain.time - GIFTS_WITHIN)
  const makers = new Set([creator, subject.owner.address].filter((who) => who !== '' && !isBlackhole(who)))
  const shareOf = new Map(markets.map((item) => [item.id, sharesOf(item)]))
  const heldAs = new Map(markets.map((item) => [item.id, holdingOf(item)]))
  const keeperOf = async ({ pool, txHash }: PoolEvent): Promise<string | undefined> => {
    const holding = heldAs.get(pool)
    if (holding === undefined || holding === 'bins') return undefined
    const logs = (await chain.receipt(txHash)) ?? []
    if (holding === 'positions') return positionKeeper(chain, registry.positions, pool, logs)
    const back = logs.filter(
      ({ address, topics }) =>
        address.toLowerCase() === shareOf.get(pool) &&
        topics[0] === TRANSFER &&
        addressOf(BigInt(topics[2] ?? '0x0')) === pool,
    )
    return back.length === 1 ? addressOf(BigInt(back[0]?.topics[1] ?? '0x0')) : undefined
  }
  const pools = [...new Set(markets.flatMap((item) => sharesOf(item) ?? []))]
  const { giftsTo } = giftsOf({ chain, network, store, assets: [...pools, ...registry.positions], since })
  const events = await byKeepers({ keeperOf, giftsTo }, await eventsOf(input, usdOf), makers)
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

  const removing = (where: (pool: string) => boolean) =>
    takersOf(events.filter(({ event, pool }) => event === 'remove' && where(pool))).filter(
      ({ actor }) => !ownLiquidity(events, actor),
    )
  const inPools = (holding: Holding) => removing((pool) => heldAs.get(pool) === holding)
  const { launchers, guests } = openersOf(events, reserves)
  const hosts = takersOf(events.filter(({ event, actor }) => event === 'remove' && guests.has(actor)))
  const supplied = await follow(hosts, makers, store ? [subject.token] : [])
  const large = [...largeProviders(events)].filter(
    (who) => launchers.has(who) || supplied.has(who) || !ownLiquidity(events, who),
  )
  const providers = new Set([...makers, ...large])
  const [ofPools, ofPositions, ofToken, ...ofBins] = await Promise.all([
    follow(inPools('token'), providers, pools),
    follow(inPools('positions'), providers, [...registry.positions]),
    follow(takersOf(events.filter(({ event }) => event === 'swap')), makers, store ? [subject.token] : []),
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

  const shown = ({ share, events: taken }: Exit, verb: string): ShownExit => {
    const byPool = new Map(markets.map((item) => [item.id, item]))
    const usdFor = (asset: Market['base']) => dollars.get(asset.address)
    const worth = markets.some(({ id, base: asset }) => {
      const here = taken.reduce((sum, { base, pool }) => (pool === id ? sum - base : sum), 0n)
      return isWorth(here, asset, usdFor(asset))
    })
    if (!worth) return NOTHING
    const amounts = taken.slice(0, MOST_SHOWN).map(({ actor, txHash, base, pool }): MovedAmount => {
      const { base: asset } = byPool.get(pool) ?? market
      const amount = decimalText(-base, asset.decimals)
      const usd = usdFor(asset)
      return {
        ...{ address: actor, transaction: txHash, amount, unit: asset.symbol },
        usd: usd === undefined ? null : (usd * coins(-base, asset.decimals)).toFixed(2),
      }
    })
    const evidence = amounts.map(
      ({ address, amount, unit, transaction }) => `${address} ${verb} ${amount} ${unit} in ${transaction}`,
    )
    const followed = new Map([ofPools, ofPositions, ofToken, ...ofBins].flatMap((one) => [...one]))
    const receivers = [...new Set(amounts.map(({ address }) => address))].filter((who) => followed.has(who))
    return {
      share,
      evidence: [...evidence, ...receivers.map((who) => `${who} had it from ${creator || 'an insider'}`)],
      amounts,
    }
  }
  return {
    withdrawn: shown(withdrawnBy(provided, events, reserve), 'took'),
    sold: shown(soldBy(dealt, events, reserve), 'sold for'),
  }
}
