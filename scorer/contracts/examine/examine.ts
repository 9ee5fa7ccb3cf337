/**
 * Examines one contract at one pinned block: subject, market, trades and powers. Collects facts only; `verdict/`
 * interprets them.
 */
import type { Step } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { findMarket, type KnownPools } from '../market/choose.ts'
import { unsupportedMarket } from '../market/pools/unsupported.ts'
import { adminsOf } from '../power/accounts/admins.ts'
import { dependenciesOf } from '../power/accounts/helpers.ts'
import { externallyGuarded, publicPlaces } from '../power/accounts/public-getters.ts'
import { roleHolders } from '../power/accounts/roles.ts'
import type { Power, PowerFacts, PowerInput } from '../power/power.ts'
import { regainLater } from '../power/sequences/regain.ts'
import { isBlackhole } from '../subject/blackhole.ts'
import { readSubject, type Subject } from '../subject/subject.ts'
import { simulateEoaSell } from '../trade/eoa-sell.ts'
import type { TradeFacts } from '../trade/facts.ts'
import { findBalanceSlot, type SimulationSetup, withActors } from '../trade/simulation-setup.ts'
import { type Actors, readActors, toolsObeyed } from './actors.ts'
import type { Examination, ExamineInput } from './examination.ts'
import { excessOf } from './excess.ts'
import { probeHidden } from './hidden.ts'
import { createProbe, type Probe, withFrozen, withVictims } from './probe.ts'
import { combineTrades, type Trades, tradesOf } from './trades.ts'

const mappingBases = (functions: FunctionFacts[]): string[] =>
  functions.find((facts) => facts.selector === '0x70a08231')?.maps.filter((base) => base !== 'other') ?? []

/** Reads everything that needs no simulation: the creator, holders, markets and insiders. */
const survey = async (input: ExamineInput, subject: Subject) => {
  const { chain, registry, codes: reader } = input
  const { token } = subject
  const marketOf = async () => {
    const pools: KnownPools = subject.isToken ? await input.poolsOf(token) : { v4: [], contracts: [] }
    return { pools, ...(await findMarket({ chain, registry, prices: input.prices, subject, pools })) }
  }
  const [creator, holders, balances, members, tools, { ifAboveDust, ...found }] = await Promise.all([
    input.creatorOf(token),
    input.holdersOf(token),
    findBalanceSlot(chain, token, mappingBases(subject.functions)),
    roleHolders(chain, subject, input.membersOf),
    toolsObeyed(chain, reader, subject),
    marketOf(),
  ])
  const { pools, market, markets, curve, usdPrices } = found
  // Anyone can create a pool with next to nothing in it, so trades there prove nothing.
  const listed = ifAboveDust(market) !== undefined
  const unsupported = listed || !subject.isToken ? undefined : await unsupportedMarket(chain, registry, token)
  const poolsMissing = pools.missing ?? curve.missing ?? unsupported
  const usd = market && usdPrices.get(market.base.address)
  input.onMarket({ subject, market, markets, usd, usdPrices, creator })
  const people = await readActors({ chain, registry, reader, subject, creator, members, tools, market, markets })
  return { creator, holders, balances, tools, ...found, listed, poolsMissing, usd, people }
}
type Survey = Awaited<ReturnType<typeof survey>>

/** Results of simulated trades and calls, and the state they ran on. */
type Simulated = Pick<Examination, 'trade' | 'opened' | 'eoaSell' | 'powers'> & {
  opening: Step[]
  setup: SimulationSetup
  probe: Probe
  /** Hidden powers on the unmodified state, when they were probed early. */
  hidden: Promise<PowerFacts | undefined> | undefined
}

/** The first call by which an insider opens trading, and the trades and powers after it. */
const openedBy = async (
  powers: PowerFacts,
  { tradeSetup, simulation, trade }: Trades,
  probe: Probe,
  unresolved: Survey['people']['unresolved'],
): Promise<{ by: Power; trade: TradeFacts; powers: PowerFacts; opening: Step[] } | undefined> => {
  const by = powers.powers.find((power) => power.effect === 'open_trading' && !power.anyone)
  if (!by) return undefined
  const opening: Step[] = [{ op: 'call', actor: by.actor, target: by.target, data: by.data }]
  const setup = withActors(tradeSetup, [by.actor])
  const [opened, powersThen] = await Promise.all([trade(setup, opening), probe(opening, simulation, { unresolved })])
  return { by, trade: opened, powers: powersThen, opening }
}

/**
 * Simulates trades and calls in parallel: on the state as it is, then after trading is opened, with tokens given to the
 * victims, and with a victim frozen.
 */
const simulate = async (
  input: ExamineInput,
  subject: Subject,
  { people, tools, markets, balances }: Survey,
  trades: Trades,
): Promise<Simulated> => {
  const { chain, options } = input
  const probe = createProbe({ chain, subject, people, tools, limit: options.limit })
  const { traded, onCurve, simulation } = trades
  const { unresolved } = people
  /** Started as soon as transfers are seen to work. */
  let hidden: Simulated['hidden']
  const onScene: PowerInput['onScene'] = (movable) => {
    if (movable) hidden = probeHidden({ subject, insiders: people.insiders, opening: [], setup: simulation, probe })
  }
  const [tried, inOwn, atFirst, isLabelled] = await Promise.all([
    trades.trade(trades.tradeSetup, []),
    trades.inOwnPool(),
    probe([], simulation, { onScene, unresolved }),
    traded ? input.hasHoneypotLabel(subject.token) : false,
  ])
  // While sales are refused, no call can be seen to refuse or tax them.
  const moment = tried.opensAt
  const probeThen: Probe = moment ? (steps, actors, more) => probe(steps, actors, { moment, ...more }) : probe
  const first = moment ? await probeThen([], simulation, { unresolved }) : atFirst
  const suspect = tried.canBuy === true && (tried.canSell === false || isLabelled)
  const eoaSell = traded && !onCurve && suspect ? await simulateEoaSell(chain, simulation, traded, markets) : undefined
  const trade = combineTrades(tried, inOwn, eoaSell)
  const opened =
    traded && !onCurve && trade.canBuy === false ? await openedBy(first, trades, probeThen, unresolved) : undefined
  const opening = opened?.opening ?? []
  const currentPowers = opened?.powers ?? first
  const funded = !currentPowers.movable && balances ? withVictims(simulation, balances, subject.supply) : undefined
  const setup = funded ?? simulation
  const powers = funded ? await probeThen(opening, funded, { unresolved }) : currentPowers
  return {
    trade,
    opened: opened && { trade: opened.trade, by: opened.by },
    eoaSell,
    powers: await withFrozen(powers, (prefix) => probeThen([...opening, ...prefix], setup)),
    opening,
    setup,
    probe: probeThen,
    hidden: opened || funded || moment ? undefined : hidden,
  }
}

/** Contracts that transfers or trades depend on (pool hooks, lists), and the accounts that control those. */
const dependenciesIn = (markets: Survey['markets'], { helpers, queried }: Actors): string[] => {
  const all = [
    ...markets.map((item) => item.hooks),
    ...helpers.flatMap(dependenciesOf),
    ...queried.flatMap(({ address, indirect, accounts }) => [address, ...indirect, ...accounts]),
  ]
  return [...new Set(all)].filter((one) => !isBlackhole(one))
}

/** Examines the contract at an address. `undefined` when there is no code. */
export const examine = async (input: ExamineInput): Promise<Examination | undefined> => {
  const { chain, registry, options } = input
  const subject = await readSubject(chain, registry, input.codes, input.asked)
  if (!subject) return undefined
  const known = await survey(input, subject)
  const { people, market, markets, curve, usdPrices, listed, poolsMissing, usd, creator, tools } = known
  const { insiders } = people
  const trades = await tradesOf({ chain, registry, subject, ...known, most: options.holders })
  const [{ opening, setup, probe, hidden: early, ...simulated }, excess] = await Promise.all([
    simulate(input, subject, known, trades),
    excessOf({ chain, subject, insiders, markets, simulation: trades.simulation }),
  ])
  const { powers, trade } = simulated
  const [hidden, ownershipReturns, admins] = await Promise.all([
    early ?? probeHidden({ subject, insiders, opening, setup, probe }),
    regainLater({ chain, simulation: setup, subject, insiders, powers }),
    adminsOf(chain, subject, insiders, powers.powers, input.isRenounced),
  ])
  const asking = new Set(externallyGuarded(subject.functions).map(({ selector }) => selector))
  const guarded = ({ anyone, selector }: Power) => !anyone && asking.has(selector)
  const isSpender = ({ actor }: Power) => powers.spenders.some(({ address }) => address === actor)
  const concealable =
    hidden?.powers.some((power) => !power.anyone) || powers.powers.some((power) => guarded(power) || isSpender(power))
  const { traded } = trades
  return {
    subject,
    // Pools that state no price get the price of a simulated purchase.
    market: market?.price === 0 && market === traded && trade.price ? { ...market, price: trade.price } : market,
    listed,
    traded,
    markets,
    curve,
    poolsMissing,
    usd,
    usdPrices,
    ...simulated,
    hidden,
    visibleGuards: concealable ? await publicPlaces(chain, subject) : new Set<string>(),
    admins,
    ownershipReturns,
    excess,
    insiders,
    tools,
    dependencies: dependenciesIn(markets, people),
    creator,
    timeStep: chain.timeStep,
  }
}
