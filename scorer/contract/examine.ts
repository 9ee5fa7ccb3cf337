/** One contract examined: subject, market, trades and powers, all from one pinned block. Holds no opinion. */
import type { ChainReader } from './chain.ts'
import type { FunctionFacts } from './code/interpret.ts'
import { balanceOf, baseUsd, deepest, findMarkets, type Market, type V4Pool } from './market.ts'
import { actorsFor, type Power, type PowerFacts, probePowers } from './power/powers.ts'
import type { BaseAsset, ContractRegistry } from './registry.ts'
import { type Step, ZERO } from './simulator/script.ts'
import { type BalanceSlot, buildStage, findBalanceSlot, freshAddress, merge, type Stage } from './stage.ts'
import { isBlackhole, readSubject, type Subject } from './subject.ts'
import { simulateTrades, type TradeFacts } from './trade.ts'

export type Examination = {
  subject: Subject
  market: Market | undefined
  markets: Market[]
  usd: number | undefined
  trade: TradeFacts
  /** The same once trading is opened by a call of the owner's; only when buying is closed as things are. */
  opened: { trade: TradeFacts; by: Power } | undefined
  powers: PowerFacts
  /** Powers left after the owner renounces, or, with no living owner, powers there are. */
  hidden: PowerFacts | undefined
  /** Addresses other than the owner the code obeys, live ones. */
  insiders: string[]
  creator: string
}

export type ExamineOptions = {
  /** Calls tried per contract at most. */
  limit: number
  holders: number
}

const RENOUNCE = '0x715018a6'
const TRANSFER_OWNERSHIP = '0xf2fde38b'
const DEAD = '0x000000000000000000000000000000000000dead'

const mappingBases = (functions: FunctionFacts[]): string[] =>
  functions.find((facts) => facts.selector === '0x70a08231')?.maps.filter((base) => base !== 'other') ?? []

/** Live insiders, most powerful first: owner, creator, then everyone stored or hard-coded next to a caller check. */
const insidersOf = (subject: Subject, creator: string, notPeople: Set<string>): string[] => {
  const gates = subject.functions.flatMap((facts) => [
    ...facts.callerSlots.flatMap((ref) => subject.stored.get(`${ref.slot}:${ref.shift}`) ?? []),
    ...facts.callerConstants,
  ])
  const list = [subject.owner.address, creator, ...gates].filter(
    (address) => address !== '' && !isBlackhole(address) && !notPeople.has(address),
  )
  return [...new Set(list)].slice(0, 8)
}

const injectVictims = (stage: Stage, balances: BalanceSlot, supply: bigint): Stage => {
  const amount = `0x${(supply > 0n ? supply / 500n : 10n ** 20n).toString(16).padStart(64, '0')}`
  const slots = [stage.setup.victim, stage.setup.bystander].map((who) => [balances.slotOf(who), amount])
  return { ...stage, overrides: merge(stage.overrides, { [balances.contract]: { stateDiff: Object.fromEntries(slots) } }) }
}

export type ExamineInput = {
  chain: ChainReader
  registry: ContractRegistry
  asked: string
  /** Facts from elsewhere: tables or logs. */
  creatorOf: (token: string) => Promise<string>
  holdersOf: (token: string) => Promise<string[]>
  v4PoolsOf: (token: string) => Promise<V4Pool[]>
  options: ExamineOptions
}

/** `undefined` when there is no code at the address. */
export const examine = async (input: ExamineInput): Promise<Examination | undefined> => {
  const { chain, registry, options } = input
  const subject = await readSubject(chain, registry, input.asked)
  if (!subject) return undefined
  const { token } = subject
  const [creator, holders, v4Pools, balances, nativeUsd] = await Promise.all([
    input.creatorOf(token),
    input.holdersOf(token),
    input.v4PoolsOf(token),
    findBalanceSlot(chain, token, mappingBases(subject.functions)),
    registry.bases[0] ? baseUsd(chain, registry, registry.bases[0]) : undefined,
  ])
  const markets = subject.isToken ? await findMarkets(chain, registry, token, v4Pools) : []
  const market = markets.find((item) => item.id === subject.askedPool && item.baseReserve > 0n) ?? deepest(markets, nativeUsd)
  const usd = market?.base.stable ? 1 : nativeUsd
  const notPeople = new Set([
    token,
    ...registry.bases.map((base) => base.address),
    ...registry.exchanges.flatMap((exchange) => ('router' in exchange ? [exchange.router, exchange.factory] : [])),
    ...markets.map((item) => item.pool),
  ])
  const insiders = insidersOf(subject, creator, notPeople)
  const stage = await buildStage({
    chain,
    token,
    market,
    wrappedNative: registry.wrappedNative,
    balances,
    supply: subject.supply,
    baseBalances: (base: BaseAsset) => findBalanceSlot(chain, base.address, []),
  })
  // Contracts that play a part of their own keep their code; only plain accounts are made to act for trades.
  const codes = await Promise.all(insiders.map((insider) => chain.code(insider)))
  const traders = insiders.filter((_, i) => (codes[i]?.length ?? 2) <= 2).slice(0, 2)
  const sellers = holders.filter((holder) => !notPeople.has(holder) && !insiders.includes(holder)).slice(0, options.holders)
  const tradeStage: Stage = {
    ...stage,
    overrides: merge(
      stage.overrides,
      Object.fromEntries([...traders, ...sellers].map((who) => [who, stage.overrides[stage.director] ?? {}])),
    ),
  }
  const tradeOf = (opening: Step[]) => simulateTrades({ chain, stage: tradeStage, opening, insiders: traders, holders: sellers })
  const moment = { number: chain.height + 1, time: chain.time + 1 }
  const stranger = freshAddress(`stranger ${token}`)
  const actorsOf = (facts: FunctionFacts) => actorsFor(facts, { insiders, stored: subject.stored, stranger })
  const probe = (opening: Step[], powerStage: Stage, people = insiders, who = actorsOf) =>
    probePowers({
      chain,
      stage: powerStage,
      opening,
      functions: subject.functions,
      supply: subject.supply,
      insiders: people,
      stranger,
      actorsOf: who,
      limit: options.limit,
      moment,
    })

  const fillable = balances !== undefined
  const [trade, firstPowers] = await Promise.all([tradeOf([]), probe([], stage)])
  let powers = firstPowers
  let opened: Examination['opened']
  let opening: Step[] = []
  let powerStage = stage
  if (market && trade.canBuy === false) {
    const opener = firstPowers.powers.find((power) => power.effect === 'open_trading' && !power.anyone)
    if (opener) {
      opening = [{ op: 'call', actor: opener.actor, target: token, data: opener.data }]
      const openStage = { ...tradeStage, overrides: merge(tradeStage.overrides, { [opener.actor]: stage.overrides[stage.director] ?? {} }) }
      const [openedTrade, openedPowers] = await Promise.all([
        simulateTrades({ chain, stage: openStage, opening, insiders: traders, holders: sellers }),
        probe(opening, stage),
      ])
      opened = { trade: openedTrade, by: opener }
      powers = openedPowers
    }
  }
  if (!powers.movable && fillable) {
    powerStage = injectVictims(stage, balances, subject.supply)
    powers = await probe(opening, powerStage)
  }
  const hidden = await probeHidden({ subject, insiders, creator, opening, powerStage, probe, stranger })
  return { subject, market, markets, usd, trade, opened, powers, hidden, insiders, creator }
}

type HiddenInput = {
  subject: Subject
  insiders: string[]
  creator: string
  opening: Step[]
  powerStage: Stage
  stranger: string
  probe: (opening: Step[], stage: Stage, people: string[], who: (facts: FunctionFacts) => string[]) => Promise<PowerFacts>
}

/** Renounces within the simulation and asks again what the former owner and everyone else the code knows can do. */
const probeHidden = async ({ subject, insiders, opening, powerStage, probe, stranger }: HiddenInput): Promise<PowerFacts | undefined> => {
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
  return probe([...opening, ...renouncing], powerStage, people.length > 0 ? people : [ZERO], (facts) => {
    if (facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length === 0) return []
    const own = facts.callerSlots.flatMap((ref) => subject.stored.get(`${ref.slot}:${ref.shift}`) ?? [])
    const list = [...own.filter((address) => people.includes(address)), ...facts.callerConstants, ...people.slice(0, 2), stranger]
    return [...new Set(list)]
  })
}
