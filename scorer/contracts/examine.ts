/** One contract examined: subject, market, trades and powers, all from one pinned block. Holds no opinion. */
import { PERMIT2 } from '../../schema/registry/index.ts'
import type { ChainReader } from './chain/chain.ts'
import { type Step, ZERO } from './chain/simulator/script.ts'
import type { FunctionFacts } from './code/abstract/facts.ts'
import type { CodeReader } from './code/reader.ts'
import { findMarket, type KnownPools } from './market/choose.ts'
import type { Market } from './market/market.ts'
import type { CurveState } from './market/pools/curves.ts'
import { unreadMarket } from './market/pools/unread.ts'
import type { Prices } from './market/prices.ts'
import { type Admins, adminsOf } from './power/people/admins.ts'
import { askedBy } from './power/people/asked-by.ts'
import { helpersOf, reliedOn, roleHolders, toolsOf } from './power/people/holders.ts'
import { contractsAsked } from './power/people/named.ts'
import { askingOthers, shownPlaces } from './power/people/shown.ts'
import type { Awaited, Power, PowerFacts, PowerInput } from './power/power.ts'
import { actorsFor, probePowers } from './power/powers.ts'
import { RENOUNCE, regainLater } from './power/sequels/regain.ts'
import { isBlackhole } from './subject/blackhole.ts'
import type { BaseAsset, ContractRegistry } from './subject/registry.ts'
import { readSubject, type Subject } from './subject/subject.ts'
import { tradeOnCurve } from './trade/curve.ts'
import { type EoaSell, simulateEoaSell } from './trade/eoa-sell.ts'
import type { TradeFacts } from './trade/facts.ts'
import {
  type BalanceSlot,
  buildSetup,
  findBalanceSlot,
  freshAddress,
  merge,
  type SimulationSetup,
  withActors,
} from './trade/simulation-setup.ts'
import { madeByOne, tradeAt } from './trade/trade-at.ts'
import { variationOf } from './trade/variation.ts'

export type Examination = {
  subject: Subject
  /** The deepest market, however small. */
  market: Market | undefined
  /** Whether it is worth anything. */
  listed: boolean
  /** The same if it is, somebody vouches for the base asset, and it can be had: the one trades are simulated on. */
  traded: Market | undefined
  markets: Market[]
  /** What registered launchpads state of the token's curve. */
  curve: CurveState
  /** Why it may have other pools; `undefined` where it has none. */
  poolsMissing: string | undefined
  /** Dollars for a coin of the market's base asset. */
  usd: number | undefined
  /** The same for the base asset of each market, by address. */
  dollars: ReadonlyMap<string, number | undefined>
  trade: TradeFacts
  /** The same once trading is opened by a call of the owner's; only when buying is closed as things are. */
  opened: { trade: TradeFacts; by: Power } | undefined
  /** Sales of an account without code: tried where the simulator's own actors cannot sell, or where a label says so. */
  eoaSell: EoaSell | undefined
  powers: PowerFacts
  /** Powers left after the owner renounces, or, with no living owner, powers there are. */
  hidden: PowerFacts | undefined
  /** Places callers are compared with that getters show: `slot:shift`, or addresses of the code. */
  shown: ReadonlySet<string>
  /** Who administers roles that rule, although no owner is left. */
  admins: Admins | undefined
  /** How ownership given up for a time comes back; `undefined` when no way was found. */
  returned: string | undefined
  /** Addresses other than the owner the code obeys, live ones. */
  insiders: string[]
  /** Contracts that the code obeys and that nobody rules. */
  tools: ReadonlySet<string>
  /** Contracts that a transfer or a trade asks: hooks of pools, lists, and whom these obey. */
  asked: string[]
  creator: string
}

export type ExamineOptions = {
  /** Calls tried per contract at most. */
  limit: number
  holders: number
}

/** Addresses next to caller checks that are looked at. */
const MOST_GATES = 16
const TRANSFER_OWNERSHIP = '0xf2fde38b'
const DEAD = '0x000000000000000000000000000000000000dead'
/** Percent a sale loses in a trap. */
export const TRAP_TAX = 90

const mappingBases = (functions: FunctionFacts[]): string[] =>
  functions.find((facts) => facts.selector === '0x70a08231')?.maps.filter((base) => base !== 'other') ?? []

/** Everyone stored or hard-coded next to a caller check. */
const gatesOf = ({ functions, stored }: Subject): string[] => [
  ...new Set(
    functions.flatMap((facts) => [
      ...facts.callerSlots.flatMap((ref) => stored.get(`${ref.slot}:${ref.shift}`) ?? []),
      ...facts.callerConstants,
    ]),
  ),
]

/** Live insiders, most powerful first: owner, creator, then gates, then members of roles. */
const insidersOf = (subject: Subject, creator: string, members: string[], notPeople: Set<string>): string[] => {
  const gates = gatesOf(subject)
  const list = [subject.owner.address, creator, ...gates, ...members].filter(
    (address) => address !== '' && !isBlackhole(address) && !notPeople.has(address),
  )
  return [...new Set(list)].slice(0, 8)
}

const injectVictims = (simulation: SimulationSetup, balances: BalanceSlot, supply: bigint): SimulationSetup => {
  const amount = `0x${(supply > 0n ? supply / 500n : 10n ** 20n).toString(16).padStart(64, '0')}`
  const slots = [simulation.setup.victim, simulation.setup.bystander].map((who) => [balances.slotOf(who), amount])
  return {
    ...simulation,
    overrides: merge(simulation.overrides, { [balances.contract]: { stateDiff: Object.fromEntries(slots) } }),
  }
}

/** Vaults, farms and lockers have no market: wrapped coins are what their people may have left with them. */
const withAssets = (simulation: SimulationSetup, wrapped: string): SimulationSetup => ({
  ...simulation,
  setup: { ...simulation.setup, base: wrapped, small: 10n ** 15n },
  funding: [{ op: 'call', actor: simulation.director, target: wrapped, data: '0xd0e30db0', value: 10n ** 18n }],
})

export type ExamineInput = {
  chain: ChainReader
  registry: ContractRegistry
  codes: CodeReader
  asked: string
  /** Facts from elsewhere: tables or logs. */
  creatorOf: (token: string) => Promise<string>
  holdersOf: (token: string) => Promise<string[]>
  poolsOf: (token: string) => Promise<KnownPools>
  membersOf: (token: string) => Promise<string[]>
  givenUp: (token: string) => Promise<boolean>
  prices: Prices
  /** Told as soon as the market is known: what else depends on it need not wait for the simulations. */
  onMarket: (known: Pick<Examination, 'subject' | 'market' | 'markets' | 'usd' | 'dollars' | 'creator'>) => void
  /** Whether the token stands accused of refusing sales. */
  accused: (token: string) => Promise<boolean>
  options: ExamineOptions
}

/** `undefined` when there is no code at the address. */
export const examine = async (input: ExamineInput): Promise<Examination | undefined> => {
  const { chain, registry, codes: reader, options } = input
  const subject = await readSubject(chain, registry, reader, input.asked)
  if (!subject) return undefined
  const { token } = subject
  const marketOf = async () => {
    const pools: KnownPools = subject.isToken ? await input.poolsOf(token) : { v4: [], contracts: [] }
    return { pools, ...(await findMarket({ chain, registry, prices: input.prices, subject, pools })) }
  }
  const [creator, holders, balances, members, tools, found] = await Promise.all([
    input.creatorOf(token),
    input.holdersOf(token),
    findBalanceSlot(chain, token, mappingBases(subject.functions)),
    roleHolders(chain, subject, input.membersOf),
    toolsOf(chain, reader, gatesOf(subject).slice(0, MOST_GATES)),
    marketOf(),
  ])
  const { pools, market, trusted, markets, curve, dollars, worth } = found
  // Anybody can make a pool of a token with next to nothing in it: what happens there accuses nobody.
  const listed = worth(market) !== undefined
  const unread = listed || !subject.isToken ? undefined : await unreadMarket(chain, registry, token)
  // Nor what happens against an asset that may itself be made to refuse, or in a pool with rules of its own while there is another.
  const usd = market && dollars.get(market.base.address)
  input.onMarket({ subject, market, markets, usd, dollars, creator })
  const notPeople = new Set([
    token,
    ...registry.bases.map((base) => base.address),
    ...registry.exchanges.flatMap((exchange) => ('router' in exchange ? [exchange.router, exchange.factory] : [])),
    // A launchpad that owns what it launched is asked what it may do to it.
    ...markets.filter((item) => !item.curve).map((item) => item.pool),
  ])
  const makers = [creator, subject.owner.address].filter((who) => who !== '')
  const own = await madeByOne(chain, market, makers)
  // Who made the rules of the pool in which most trade rules them through the hook.
  const hooks = own && market && market.hooks !== ZERO ? [market.hooks] : []
  const { eip6780From } = registry
  const removesCode = eip6780From === null || chain.time < eip6780From
  const [{ helpers, awaited }, elsewhere] = await Promise.all([
    helpersOf(chain, reader, subject, notPeople, [...hooks, ...tools], removesCode),
    contractsAsked(chain, reader, subject, new Set([...notPeople, ...tools, PERMIT2])),
  ])
  // A contract that transfers ask keeps its code: whoever rules it acts through it.
  const asked = helpers.map((helper) => helper.address)
  const insiders = insidersOf(subject, creator, members, new Set([...notPeople, ...asked, ...tools, PERMIT2]))
  const baseBalances = (base: BaseAsset) => findBalanceSlot(chain, base.address, [])
  const setupOn = (on: Market | undefined) =>
    buildSetup({
      chain,
      token,
      market: on,
      wrappedNative: registry.wrappedNative,
      balances,
      supply: subject.supply,
      baseBalances,
    })
  // On a curve people trade, and no actor of the simulator's.
  const onCurve = trusted?.curve ? trusted : undefined
  const first = await setupOn(onCurve ? undefined : trusted)
  // Whoever has nothing to pay with is refused by every token.
  const traded = first.funded ? trusted : undefined
  const built = first.funded ? first : await setupOn(undefined)
  const simulation = traded && !onCurve ? built : withAssets(built, registry.wrappedNative)
  // Contracts that play a part of their own keep their code; only plain accounts are made to act for trades.
  const codes = await Promise.all(insiders.map((insider) => chain.code(insider)))
  const traders = insiders.filter((_, i) => (codes[i]?.length ?? 2) <= 2).slice(0, 2)
  const sellers = holders
    .filter((holder) => !notPeople.has(holder) && !insiders.includes(holder))
    .slice(0, options.holders)
  const tradeSetup = withActors(simulation, [...traders, ...sellers])
  const people = { insiders: traders, holders: sellers }
  // Code that stands before the token's own may look at the clock as well.
  const whole = subject.facts.complete && subject.proxy.hops.length === 0
  const variation = variationOf(subject.functions, whole)
  const tradeOn = (place: SimulationSetup, opening: Step[], on = traded): Promise<TradeFacts> =>
    on?.curve
      ? tradeOnCurve({ chain, token, market: on, curve: on.curve, simulation: place, baseBalances })
      : tradeAt({ chain, market: on, simulation: place, opening, own: own && on === market, variation, ...people })
  /** Where most trade, if that is another pool, whose rules those behind the token made. */
  const inOwnPool = async (): Promise<TradeFacts | undefined> => {
    if (!own || !listed || !market || market === traded || market.base.unvouched) return undefined
    const place = await setupOn(market)
    return place.funded ? tradeOn(withActors(place, [...traders, ...sellers]), [], market) : undefined
  }
  const moment = { number: chain.height + 1, time: chain.time + 1 }
  const stranger = freshAddress(`stranger ${token}`)
  const named = [...new Set(elsewhere.flatMap(({ people }) => people))].filter((who) => !insiders.includes(who))
  const actorsOf = (facts: FunctionFacts) => {
    const obeyed = actorsFor(facts, { insiders, stored: subject.stored, stranger })
    const through = askedBy(facts, subject.stored)
    const others = elsewhere.flatMap(({ address, people }) => (through.includes(address) ? people : []))
    return [...new Set([...obeyed.slice(0, 1), ...others, ...obeyed])]
  }
  const probe = (
    opening: Step[],
    probeSetup: SimulationSetup,
    people = insiders,
    who = actorsOf,
    through = helpers,
    onScene?: PowerInput['onScene'],
    unmet: readonly Awaited[] = [],
  ) =>
    probePowers({
      chain,
      // That code behind a proxy can be replaced is said by `is_proxy`.
      simulation: subject.proxy.hops.length > 0 ? { ...probeSetup, victimSlot: undefined } : probeSetup,
      opening,
      functions: subject.functions,
      supply: subject.supply,
      insiders: [...people, ...tools, ...(who === actorsOf ? named : [])],
      stranger,
      asked: who === actorsOf ? elsewhere : [],
      stored: subject.stored,
      actorsOf: who,
      helpers: through.map((helper) => ({
        address: helper.address,
        functions: helper.functions,
        actorsOf: (facts) => actorsFor(facts, { insiders, stored: helper.stored, stranger }).slice(0, 3),
      })),
      limit: options.limit,
      balanceSlot: probeSetup.victimSlot,
      complete: subject.facts.complete && helpers.every((helper) => helper.complete),
      moment,
      onScene,
      // A person has no code either.
      awaited: unmet.filter(({ address, how }) => how !== 'absent' || !people.includes(address)),
    })

  const fillable = balances !== undefined
  const hiddenIn = (opening: Step[], probeSetup: SimulationSetup) =>
    probeHidden({ subject, insiders, creator, opening, probeSetup, probe, stranger })
  /** What is hidden on the state as it is: asked for as soon as transfers are seen to work there. */
  let early: ReturnType<typeof hiddenIn> | undefined
  const onScene: PowerInput['onScene'] = (movable) => {
    if (movable) early = hiddenIn([], simulation)
  }
  const [tried, inOwn, firstPowers, accused] = await Promise.all([
    tradeOn(tradeSetup, []),
    inOwnPool(),
    probe([], simulation, insiders, actorsOf, helpers, onScene, awaited),
    traded ? input.accused(token) : false,
  ])
  const suspect = tried.canBuy === true && (tried.canSell === false || accused)
  const eoaSell = traded && !onCurve && suspect ? await simulateEoaSell(chain, simulation, traded, markets) : undefined
  const trade = inOwn && isTrap(inOwn) ? inOwn : withEoaSell(tried, eoaSell)
  let powers = firstPowers
  let opened: Examination['opened']
  let opening: Step[] = []
  let probeSetup = simulation
  if (traded && !onCurve && trade.canBuy === false) {
    const opener = firstPowers.powers.find((power) => power.effect === 'open_trading' && !power.anyone)
    if (opener) {
      opening = [{ op: 'call', actor: opener.actor, target: opener.target, data: opener.data }]
      const openedSetup = withActors(tradeSetup, [opener.actor])
      const [openedTrade, openedPowers] = await Promise.all([tradeOn(openedSetup, opening), probe(opening, simulation)])
      opened = { trade: openedTrade, by: opener }
      powers = openedPowers
    }
  }
  if (!powers.movable && fillable) {
    probeSetup = injectVictims(simulation, balances, subject.supply)
    powers = await probe(opening, probeSetup)
  }
  powers = await followUp(powers, (prefix) => probe([...opening, ...prefix], probeSetup))
  const [hidden, returned, admins] = await Promise.all([
    (opening.length === 0 && probeSetup === simulation && early) || hiddenIn(opening, probeSetup),
    regainLater({ chain, simulation: probeSetup, subject, insiders, powers }),
    adminsOf(chain, subject, insiders, powers.powers, input.givenUp),
  ])
  const asking = new Set(askingOthers(subject.functions).map(({ selector }) => selector))
  const guarded = ({ anyone, selector }: Power) => !anyone && asking.has(selector)
  const concealable = hidden?.powers.some((power) => !power.anyone) || powers.powers.some(guarded)
  const shown = concealable ? await shownPlaces(chain, subject) : new Set<string>()
  return {
    subject,
    // Pools without a price of their own are priced by a purchase.
    market: market?.price === 0 && market === traded && trade.price ? { ...market, price: trade.price } : market,
    listed,
    traded,
    markets,
    curve,
    poolsMissing: pools.missing ?? curve.missing ?? unread,
    usd,
    dollars,
    trade,
    opened,
    eoaSell,
    powers,
    hidden,
    shown,
    admins,
    returned,
    insiders,
    tools,
    asked: [
      ...new Set([
        ...markets.map((item) => item.hooks),
        ...helpers.flatMap(reliedOn),
        ...elsewhere.flatMap(({ address, behind, people }) => [address, ...behind, ...people]),
      ]),
    ].filter((one) => !isBlackhole(one)),
    creator,
  }
}

/** What was bought cannot be sold again, or for next to nothing. */
const isTrap = ({ canBuy, canSell, closesLater, lastingTax }: TradeFacts): boolean =>
  canBuy === true && (canSell === false || closesLater || (lastingTax.sell ?? 0) >= TRAP_TAX)

/** A token that refuses contracts only is sold by people: then the simulator's actors could not tell. */
const withEoaSell = (trade: TradeFacts, plain: EoaSell | undefined): TradeFacts => {
  if (plain?.outcome !== 'sold' || trade.canSell !== false) return trade
  const sell = plain.tax === undefined ? undefined : { ok: true, tax: plain.tax, reason: '' }
  const evidence = trade.evidence.filter((line) => !line.startsWith('selling is refused'))
  const lastingTax = { ...trade.lastingTax, sell: plain.lastingTax }
  return {
    ...trade,
    canSell: true,
    neverSold: false,
    sell,
    lastingTax,
    evidence: [...evidence, 'contracts may not sell'],
  }
}

/** Powers that need a mark first: whoever can be frozen is frozen, and everything is tried again on the frozen. */
const followUp = async (powers: PowerFacts, probe: (prefix: Step[]) => Promise<PowerFacts>): Promise<PowerFacts> => {
  const mark = powers.powers.find((power) => power.effect === 'freeze_one' && !power.anyone)
  if (!mark || powers.powers.some((power) => power.effect === 'burn_other' || power.effect === 'set_balance'))
    return powers
  const again = await probe([{ op: 'call', actor: mark.actor, target: mark.target, data: mark.data }])
  const taking = again.powers.filter((power) => power.effect === 'burn_other' || power.effect === 'set_balance')
  return {
    ...powers,
    powers: [...powers.powers, ...taking],
    tried: powers.tried + again.tried,
    accepted: powers.accepted + again.accepted,
  }
}

type HiddenInput = {
  subject: Subject
  insiders: string[]
  creator: string
  opening: Step[]
  probeSetup: SimulationSetup
  stranger: string
  probe: (
    opening: Step[],
    simulation: SimulationSetup,
    people: string[],
    who: (facts: FunctionFacts) => string[],
    through: [],
  ) => Promise<PowerFacts>
}

/** Renounces within the simulation and asks again what the former owner and everyone else the code knows can do. */
const probeHidden = async ({
  subject,
  insiders,
  opening,
  probeSetup,
  probe,
  stranger,
}: HiddenInput): Promise<PowerFacts | undefined> => {
  const { owner, token, functions } = subject
  const has = (selector: string) => functions.some((facts) => facts.selector === selector)
  const alive = owner.address !== '' && !isBlackhole(owner.address)
  const others = insiders.filter((insider) => insider !== owner.address)
  if (!alive && others.length === 0) return undefined
  const renouncing: Step[] = []
  if (alive) {
    if (owner.getter === 'proxyAdmin' || (!has(RENOUNCE) && !has(TRANSFER_OWNERSHIP))) return undefined
    const data = has(RENOUNCE) ? RENOUNCE : `${TRANSFER_OWNERSHIP}${DEAD.slice(2).padStart(64, '0')}`
    renouncing.push({ op: 'call', actor: owner.address, target: token, data })
  }
  const people = alive ? insiders : others
  const who = (facts: FunctionFacts) => {
    if (facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length === 0) return []
    const own = facts.callerSlots.flatMap((ref) => subject.stored.get(`${ref.slot}:${ref.shift}`) ?? [])
    const list = [
      ...own.filter((address) => people.includes(address)),
      ...facts.callerConstants,
      ...people.slice(0, 2),
      stranger,
    ]
    return [...new Set(list)]
  }
  return probe([...opening, ...renouncing], probeSetup, people.length > 0 ? people : [ZERO], who, [])
}
