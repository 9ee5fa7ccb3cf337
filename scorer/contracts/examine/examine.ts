/** One contract examined: subject, market, trades and powers, all from one pinned block. Holds no opinion. */
import type { Step } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { findMarket, type KnownPools } from '../market/choose.ts'
import { unreadMarket } from '../market/pools/unread.ts'
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
import type { Examination, ExamineInput } from './examination.ts'
import { probeHidden } from './hidden.ts'
import { type People, peopleOf, toolsObeyed } from './people.ts'
import { createProbe, withFrozen, withVictims } from './probe.ts'
import { believed, type Trades, tradesOf } from './trades.ts'

const mappingBases = (functions: FunctionFacts[]): string[] =>
  functions.find((facts) => facts.selector === '0x70a08231')?.maps.filter((base) => base !== 'other') ?? []

/** What the contract is, where it trades, and who is behind it: all that is read before anything is simulated. */
const survey = async (input: ExamineInput, subject: Subject) => {
  const { chain, registry, codes: reader } = input
  const { token } = subject
  const marketOf = async () => {
    const pools: KnownPools = subject.isToken ? await input.poolsOf(token) : { v4: [], contracts: [] }
    return { pools, ...(await findMarket({ chain, registry, prices: input.prices, subject, pools })) }
  }
  const [creator, holders, balances, members, tools, { worth, ...found }] = await Promise.all([
    input.creatorOf(token),
    input.holdersOf(token),
    findBalanceSlot(chain, token, mappingBases(subject.functions)),
    roleHolders(chain, subject, input.membersOf),
    toolsObeyed(chain, reader, subject),
    marketOf(),
  ])
  const { pools, market, markets, curve, dollars } = found
  // Anybody can make a pool of a token with next to nothing in it: what happens there accuses nobody.
  const listed = worth(market) !== undefined
  const unread = listed || !subject.isToken ? undefined : await unreadMarket(chain, registry, token)
  const poolsMissing = pools.missing ?? curve.missing ?? unread
  // Nor what happens against an asset that may itself be made to refuse, or in a pool with rules of its own while there is another.
  const usd = market && dollars.get(market.base.address)
  input.onMarket({ subject, market, markets, usd, dollars, creator })
  const people = await peopleOf({ chain, registry, reader, subject, creator, members, tools, market, markets })
  return { creator, holders, balances, tools, ...found, listed, poolsMissing, usd, people }
}
type Survey = Awaited<ReturnType<typeof survey>>

/** What became of simulated trades and calls, and the state they were made in. */
type Played = Pick<Examination, 'trade' | 'opened' | 'eoaSell' | 'powers'> & {
  opening: Step[]
  setup: SimulationSetup
  /** What is hidden on the state as it is, where that was asked for early. */
  hidden: Promise<PowerFacts | undefined> | undefined
}

/** The first call by which an insider opens trading, what comes of trades then, and the powers of that state. */
const openedBy = async (
  powers: PowerFacts,
  { tradeSetup, simulation, trade }: Trades,
  probe: ReturnType<typeof createProbe>,
  awaited: Survey['people']['awaited'],
): Promise<{ by: Power; trade: TradeFacts; powers: PowerFacts; opening: Step[] } | undefined> => {
  const by = powers.powers.find((power) => power.effect === 'open_trading' && !power.anyone)
  if (!by) return undefined
  const opening: Step[] = [{ op: 'call', actor: by.actor, target: by.target, data: by.data }]
  const setup = withActors(tradeSetup, [by.actor])
  const [opened, powersThen] = await Promise.all([trade(setup, opening), probe(opening, simulation, { awaited })])
  return { by, trade: opened, powers: powersThen, opening }
}

/** Plays trades and calls side by side, on the state as it is; then once it is opened, with tokens given, and on the frozen. */
const play = async (
  input: ExamineInput,
  subject: Subject,
  { people, markets, balances }: Survey,
  trades: Trades,
  probe: ReturnType<typeof createProbe>,
): Promise<Played> => {
  const { chain } = input
  const { traded, onCurve, simulation } = trades
  const { awaited } = people
  /** Asked for as soon as transfers are seen to work. */
  let hidden: Played['hidden']
  const onScene: PowerInput['onScene'] = (movable) => {
    if (movable) hidden = probeHidden({ subject, insiders: people.insiders, opening: [], setup: simulation, probe })
  }
  const [tried, inOwn, first, accused] = await Promise.all([
    trades.trade(trades.tradeSetup, []),
    trades.inOwnPool(),
    probe([], simulation, { onScene, awaited }),
    traded ? input.accused(subject.token) : false,
  ])
  const suspect = tried.canBuy === true && (tried.canSell === false || accused)
  const eoaSell = traded && !onCurve && suspect ? await simulateEoaSell(chain, simulation, traded, markets) : undefined
  const trade = believed(tried, inOwn, eoaSell)
  const opened =
    traded && !onCurve && trade.canBuy === false ? await openedBy(first, trades, probe, awaited) : undefined
  const opening = opened?.opening ?? []
  const met = opened?.powers ?? first
  const given = !met.movable && balances ? withVictims(simulation, balances, subject.supply) : undefined
  const setup = given ?? simulation
  const powers = given ? await probe(opening, given, { awaited }) : met
  return {
    trade,
    opened: opened && { trade: opened.trade, by: opened.by },
    eoaSell,
    powers: await withFrozen(powers, (prefix) => probe([...opening, ...prefix], setup)),
    opening,
    setup,
    hidden: opened || given ? undefined : hidden,
  }
}

/** Contracts that a transfer or a trade asks: hooks of pools, lists, and whom these obey. */
const askedIn = (markets: Survey['markets'], { helpers, elsewhere }: People): string[] => {
  const all = [
    ...markets.map((item) => item.hooks),
    ...helpers.flatMap(dependenciesOf),
    ...elsewhere.flatMap(({ address, indirect, accounts }) => [address, ...indirect, ...accounts]),
  ]
  return [...new Set(all)].filter((one) => !isBlackhole(one))
}

/** Examines the contract at an address. `undefined` when there is no code. */
export const examine = async (input: ExamineInput): Promise<Examination | undefined> => {
  const { chain, registry, options } = input
  const subject = await readSubject(chain, registry, input.codes, input.asked)
  if (!subject) return undefined
  const known = await survey(input, subject)
  const { people, market, markets, curve, dollars, listed, poolsMissing, usd, creator, tools } = known
  const { insiders } = people
  const trades = await tradesOf({ chain, registry, subject, ...known, most: options.holders })
  const probe = createProbe({ chain, subject, people, tools, limit: options.limit })
  const { opening, setup, hidden: early, ...played } = await play(input, subject, known, trades, probe)
  const { powers, trade } = played
  const [hidden, returned, admins] = await Promise.all([
    early ?? probeHidden({ subject, insiders, opening, setup, probe }),
    regainLater({ chain, simulation: setup, subject, insiders, powers }),
    adminsOf(chain, subject, insiders, powers.powers, input.givenUp),
  ])
  const asking = new Set(externallyGuarded(subject.functions).map(({ selector }) => selector))
  const guarded = ({ anyone, selector }: Power) => !anyone && asking.has(selector)
  const concealable = hidden?.powers.some((power) => !power.anyone) || powers.powers.some(guarded)
  const { traded } = trades
  return {
    subject,
    // Pools without a price of their own are priced by a purchase.
    market: market?.price === 0 && market === traded && trade.price ? { ...market, price: trade.price } : market,
    listed,
    traded,
    markets,
    curve,
    poolsMissing,
    usd,
    dollars,
    ...played,
    hidden,
    shown: concealable ? await publicPlaces(chain, subject) : new Set<string>(),
    admins,
    returned,
    insiders,
    tools,
    asked: askedIn(markets, people),
    creator,
    timeStep: chain.timeStep,
  }
}
