/**
 * Powers that take two calls: one that is accepted and changes nothing yet (an amount, a member, a proposal), and one that
 * reads what the first wrote and moves tokens, at once or when time has passed. Which calls belong together is told by the
 * places in storage they share; whether they do harm is told by running them.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { Observation, Step, StepResult } from '../../chain/simulator/script.ts'
import { addressOf, type FunctionFacts } from '../../code/abstract/facts.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { runScript, runSequence, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { type Candidate, SELF_SERVICE } from '../calls/arguments.ts'
import { type CandidateInput, candidatesOf } from '../calls/candidates.ts'
import { callStep, observeStep, probeResult, probeStep } from '../calls/steps.ts'
import { hasTrigger, usesTrigger } from '../calls/triggers.ts'
import { type Effect, effectsOf } from '../effects/effects.ts'
import type { AcceptedCall, Power } from '../power.ts'
import { balancePlaces, readersByPlace } from './places.ts'

/** First calls tried, those of them after which time passes, and second calls after each and in all. */
const [MAX_FIRST, MAX_WAITS, MAX_SECOND, MAX_CHAINS] = [16, 4, 24, 192]
/** Transfers and approvals among them. */
const MAX_PLAIN = 6
/** Functions that are called again when time has passed. */
const MAX_DATED = 2
/** Second calls of one function after one first call. */
const MAX_OF_FUNCTION = 8
const TRANSFER_FROM = '0x23b872dd'
/** Seconds that pass: beyond usual delays, and beyond any. Blocks are few, because nodes simulate 256 at most. */
export const DELAYS = [
  { blocks: 60, seconds: 8 * 86_400 },
  { blocks: 120, seconds: 365 * 86_400 },
]
/** What a second call may do that the first did not. */
export const TOKEN_MOVES: readonly Effect[] = [
  'mint',
  'burn_other',
  'set_balance',
  'withdraw',
  'withdraw_native',
  'spend_allowance',
]

/** What a search for powers of several calls needs, first of all the calls that were accepted alone. */
export type SequenceInput = {
  chain: ChainReader
  simulation: SimulationSetup
  scene: Step[]
  functions: FunctionFacts[]
  scope: Omit<CandidateInput, 'functions' | 'actorsOf' | 'limit'>
  actorsOf: (facts: FunctionFacts) => string[]
  insiders: string[]
  stranger: string
  calls: readonly AcceptedCall[]
  powers: readonly Power[]
  owner: bigint | undefined
  moment: { number: number; time: number }
  /** Probes one script has gas for. */
  batchSize: number
}

/** What came of such a search, in the terms of `PowerFacts`. */
export type SequenceFacts = {
  powers: Power[]
  tried: number
  skipped: number
  cut: boolean
  /** Functions that were accepted as the last of several calls, whatever came of it. */
  acceptedLast: string[]
}

/** Without a first call, only time passes. */
type CallPair = { first?: AcceptedCall; lastCalls: Candidate[]; delayed: boolean }

/** The largest number among a call's arguments. */
export const largest = ({ args }: Pick<Candidate, 'args'>): bigint =>
  args.reduce((most: bigint, arg) => (typeof arg === 'bigint' && arg > most ? arg : most), 0n)

/** Order of calls that may begin something: those that switch on, those with most, those in favour of the caller. */
const tells = (a: AcceptedCall, b: AcceptedCall): number => {
  const byFlag = Number(a.args.includes(false)) - Number(b.args.includes(false))
  const byMost = Number(largest(b) - largest(a))
  const byCaller = Number(b.args.includes(b.actor)) - Number(a.args.includes(a.actor))
  // Which of them were answered first must not matter.
  return byFlag || byMost || byCaller || Number(sumOf(b) - sumOf(a)) || (a.data < b.data ? -1 : 1)
}
const sumOf = ({ args }: AcceptedCall): bigint =>
  args.reduce((sum: bigint, arg) => (typeof arg === 'bigint' ? sum + arg : sum), 0n)

/** Of the accepted calls of a function one that names the actor and one that names the victim, each with most. */
export const representativeCalls = (calls: readonly AcceptedCall[], victim: string): AcceptedCall[] => {
  const best = (list: AcceptedCall[]) => list.toSorted(tells)[0]
  const naming = (who: (call: AcceptedCall) => string) =>
    best(calls.filter((call) => call.args.find((arg) => typeof arg === 'string') === who(call)))
  const found = [naming(({ actor }) => actor), naming(() => victim)].flatMap((call) => call ?? [])
  const any = found.length === 0 ? best([...calls]) : undefined
  return any ? [any] : found
}

/** Functions that may move tokens, but those that do by one call. */
export const tokenMovers = ({ functions, powers }: SequenceInput, held: ReadonlySet<string>): FunctionFacts[] => {
  const known = new Set(powers.filter(({ effect }) => TOKEN_MOVES.includes(effect)).map(({ selector }) => selector))
  return functions.filter(
    (facts) =>
      !known.has(facts.selector) &&
      (SELF_SERVICE.has(facts.selector) ||
        facts.calls ||
        facts.delegates ||
        facts.stores.some((place) => held.has(place) || place.endsWith('other'))),
  )
}

/**
 * Accepted calls of insiders that do no harm by themselves and leave a living owner as it was, by function. Of transfers and approvals
 * those that the code recognises, in the end.
 */
export const firstCallsOf = ({
  calls,
  insiders,
  powers,
  owner,
  functions,
}: SequenceInput): Map<string, AcceptedCall[]> => {
  const known = new Set(powers.filter(({ effect }) => TOKEN_MOVES.includes(effect)).map(({ selector }) => selector))
  const ownerless = owner !== undefined && isBlackhole(addressOf(owner))
  const passwords = functions.filter(hasTrigger)
  const begins = ({ selector, args }: AcceptedCall) =>
    !SELF_SERVICE.has(selector) || passwords.some((facts) => facts.selector === selector && usesTrigger(facts, args))
  const bySelector = new Map<string, AcceptedCall[]>()
  for (const call of calls) {
    if (!insiders.includes(call.actor) || call.actorIsOrigin || known.has(call.selector) || !begins(call)) continue
    if (call.ownerAfter !== owner && !ownerless) continue
    bySelector.set(call.selector, [...(bySelector.get(call.selector) ?? []), call])
  }
  return new Map([...bySelector].sort(([a], [b]) => Number(SELF_SERVICE.has(a)) - Number(SELF_SERVICE.has(b))))
}

/** First calls with the calls worth trying after each; `cut` when there are more than may be tried. */
export const callPairs = (input: SequenceInput): { links: CallPair[]; cut: boolean } => {
  const { functions, scope } = input
  const held = balancePlaces(functions)
  const links: CallPair[] = []
  let [cut, left, waits] = [false, MAX_CHAINS, MAX_WAITS]
  const readersOf = readersByPlace(tokenMovers(input, held))
  for (const [selector, accepted] of firstCallsOf(input)) {
    const writers = functions.filter((facts) => facts.selector === selector)
    const written = new Set(writers.flatMap((facts) => facts.stores).filter((place) => !held.has(place)))
    const plain = SELF_SERVICE.has(selector)
    const linked = readersOf(written).filter(
      (one) => !plain || one.selector === TRANSFER_FROM || !SELF_SERVICE.has(one.selector),
    )
    const later = [...writers, ...linked].some((facts) => facts.readsTime)
    // Who names the contract that others pay with names one that takes nothing.
    const paid = linked.some(
      (facts) => (facts.calls || facts.staticCalls) && facts.calledSlots.some(({ slot }) => written.has(slot)),
    )
    const agreed = paid ? accepted.filter(({ args }) => args[0] === scope.agreer).slice(0, 1) : []
    const telling = plain ? accepted.toSorted(tells).slice(0, MAX_PLAIN) : representativeCalls(accepted, scope.victim)
    for (const first of linked.length > 0 ? [...agreed, ...telling] : []) {
      if (links.length >= MAX_FIRST || left === 0) return { links, cut: true }
      if (later && waits-- <= 0) {
        cut = true
        continue
      }
      const actorsOf = (facts: FunctionFacts) => [...new Set([first.actor, ...input.actorsOf(facts)])].slice(0, 2)
      // One more function than there is room for shows that there was more.
      const all = linked.slice(0, MAX_SECOND + 1).flatMap((facts) => {
        // transferFrom is tried in both directions.
        const both = facts.args.filter((kind) => kind === 'address').length > 1
        const limit = SELF_SERVICE.has(facts.selector) ? (both ? 4 : 2) : MAX_OF_FUNCTION
        return candidatesOf({ ...scope, functions: [facts], actorsOf, limit, brief: true })
      })
      const seconds = all.slice(0, Math.min(MAX_SECOND, left))
      cut ||= seconds.length < all.length
      left -= seconds.length
      if (seconds.length > 0) links.push({ first, lastCalls: seconds, delayed: later })
    }
  }
  return { links, cut }
}

/** Functions that ask for the time, may move tokens, and were refused to everybody now. */
const datedOf = (input: SequenceInput): CallPair[] => {
  const { functions, scope, calls } = input
  const accepted = new Set(calls.map(({ selector }) => selector))
  const dated = tokenMovers(input, balancePlaces(functions)).filter(
    ({ selector, readsTime, bySignature, signerMaps }) =>
      readsTime && !bySignature && signerMaps.length === 0 && !accepted.has(selector) && !SELF_SERVICE.has(selector),
  )
  const actorsOf = (facts: FunctionFacts) => input.actorsOf(facts).slice(0, 2)
  return dated.slice(0, MAX_DATED).flatMap((facts) => {
    const lastCalls = candidatesOf({ ...scope, functions: [facts], actorsOf, limit: MAX_OF_FUNCTION, brief: true })
    return lastCalls.length > 0 ? [{ lastCalls, delayed: true }] : []
  })
}

/** Calls before, and what is tried after them. */
export type CallSequence = { first?: AcceptedCall; middle?: Candidate; lastCalls: Candidate[] }

/** Who makes the calls that are tried. */
export const actorsIn = ({ lastCalls }: Pick<CallSequence, 'lastCalls'>): string[] => [
  ...new Set(lastCalls.map(({ actor }) => actor)),
]

/** The first call, where there is one. */
const callsBefore = ({ first }: CallPair, token: string): Step[] =>
  first ? [callStep({ ...first, target: token })] : []

/** Looks as each actor, then every second call. */
export const lastSteps = (link: Pick<CallSequence, 'lastCalls'>, token: string): Step[] => [
  ...actorsIn(link).map((actor) => observeStep(actor, token, true)),
  ...link.lastCalls.map((second) => probeStep({ ...second, target: token }, true)),
]

/** What follows, which would not have followed before the first call nor right before the last one; and what could not be run. */
export const judgeSequence = (
  input: SequenceInput,
  sequel: CallSequence,
  untouched: ReadonlyMap<string, Observation | undefined>,
  results: readonly StepResult[] | undefined,
  later: boolean,
): Pick<SequenceFacts, 'powers' | 'skipped' | 'acceptedLast'> => {
  const { token, victim } = input.simulation.setup
  const roles = { victim, main: input.insiders[0] ?? '' }
  const actors = actorsIn(sequel)
  const { first, middle } = sequel
  const powers: Power[] = []
  const made: string[] = []
  let skipped = 0
  for (const [i, second] of sequel.lastCalls.entries()) {
    const result = probeResult(results?.[actors.length + i])
    const before = untouched.get(second.actor)
    const between = results?.[actors.indexOf(second.actor)]?.probe
    if (result?.ok === undefined || !before || !between) {
      skipped++
      continue
    }
    if (!result.probe) continue
    made.push(second.selector)
    const now = new Set(effectsOf(between, result.probe, second, roles))
    for (const effect of effectsOf(before, result.probe, second, roles)) {
      if (!now.has(effect) || !TOKEN_MOVES.includes(effect)) continue
      powers.push({
        ...second,
        effect,
        target: token,
        anyone: second.actor === input.stranger,
        after: { ...(first && { first: first.selector }), ...(middle && { middle: middle.selector }), delayed: later },
        tax: 0,
        singleUse: false,
      })
    }
  }
  return { powers, skipped, acceptedLast: made }
}

/** Parts of what one script has gas for. */
export const inBatches = <T extends Pick<CallSequence, 'lastCalls'>>(sequels: readonly T[], size: number): T[][] => {
  const chunks: T[][] = []
  let room = 0
  for (const sequel of sequels) {
    if (room < sequel.lastCalls.length) {
      chunks.push([])
      room = size
    }
    chunks.at(-1)?.push(sequel)
    room -= sequel.lastCalls.length
  }
  return chunks
}

/** Runs the first call and what may follow it, and reports what follows then and would not have followed without. */
export const probeTwoCalls = async (input: SequenceInput): Promise<SequenceFacts> => {
  const { chain, simulation, scene, moment } = input
  const { token } = simulation.setup
  const { links: linked, cut } = callPairs(input)
  const links = [...linked, ...datedOf(input)]
  const powers: Power[] = []
  const made: string[] = []
  let skipped = 0
  const judge = (
    link: CallPair,
    untouched: ReadonlyMap<string, Observation | undefined>,
    results: readonly StepResult[] | undefined,
    after: boolean,
  ) => {
    const found = judgeSequence(input, link, untouched, results, after)
    powers.push(...found.powers)
    made.push(...found.acceptedLast)
    skipped += found.skipped
  }
  const untouchedBy = (actors: readonly string[], results: readonly StepResult[] | undefined) =>
    new Map(actors.map((actor, i) => [actor, results?.[scene.length + i]?.probe]))

  const runNow = async (some: CallPair[]) => {
    const actors = [...new Set(some.flatMap(actorsIn))]
    const steps = some.map(
      (link): Step => ({
        op: 'branch',
        steps: [...callsBefore(link, token), ...lastSteps(link, token)],
      }),
    )
    const looks = actors.map((actor) => observeStep(actor, token, true))
    const results = await runScript(chain, simulation, [...scene, ...looks, ...steps], moment)
    const untouched = untouchedBy(actors, results)
    for (const [i, link] of some.entries())
      judge(link, untouched, results?.[scene.length + actors.length + i]?.steps?.slice(1), false)
  }
  const runLater = async (link: CallPair) => {
    const actors = actorsIn(link)
    const looks = actors.map((actor) => observeStep(actor, token, true))
    const steps = lastSteps(link, token)
    const results = await runSequence(chain, simulation, [
      { steps: [...scene, ...looks, ...callsBefore(link, token)], moment },
      ...DELAYS.map(({ blocks, seconds }) => ({
        steps,
        moment: { number: moment.number + blocks, time: moment.time + seconds },
      })),
    ])
    const untouched = untouchedBy(actors, results?.[0])
    for (const [i] of DELAYS.entries()) judge(link, untouched, results?.[1 + i], true)
  }

  await Promise.all([
    ...inBatches(linked, input.batchSize).map(runNow),
    ...links.filter(({ delayed }) => delayed).map(runLater),
  ])
  return {
    powers,
    tried: links.reduce((sum, { lastCalls }) => sum + lastCalls.length, 0),
    skipped,
    cut,
    acceptedLast: made,
  }
}
