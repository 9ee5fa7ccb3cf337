/**
 * Owner powers by execution: every state-changing function is called, inside a simulation that is undone, as everyone
 * it might obey, and what holders feel afterwards is compared with before. Names play no part.
 */

import { PERMIT2 } from '../../../schema/registry/index.ts'
import type { Observation, Step, StepResult } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { addressOf } from '../code/abstract/facts.ts'
import { runScript, type SimulationSetup, withActors } from '../trade/simulation-setup.ts'
import { type Candidate, SELF_SERVICE, TRANSFERS } from './calls/arguments.ts'
import { candidatesOf } from './calls/candidates.ts'
import { probePlain } from './calls/plain-calls.ts'
import { poolCalls } from './calls/pool-calls.ts'
import { observeStep, probeResult, probeStep, sceneOf, withLightObservation } from './calls/steps.ts'
import type { BalancePlace } from './calls/storage-writes.ts'
import { insiderFunding, withStoredTriggers } from './calls/triggers.ts'
import { effectsOf, taxAfter } from './effects/effects.ts'
import { externallyAuthorized } from './effects/external-authorization.ts'
import { withoutLiquidityExits } from './effects/liquidity-exits.ts'
import { withoutPublicPowers } from './effects/public-powers.ts'
import { markSingleUse } from './effects/single-use-mints.ts'
import { withoutTemporaryFreezes } from './effects/temporary-freezes.ts'
import { unprovenPowers } from './effects/unproven.ts'
import { controlByUnresolved } from './effects/unresolved.ts'
import type { Power, PowerFacts, PowerInput } from './power.ts'
import { harmlessAfterListCall } from './sequences/access-lists.ts'
import { probeDelayed } from './sequences/delayed.ts'
import { probeOtherContracts } from './sequences/other-contracts.ts'
import { probeThreeCalls } from './sequences/three-calls.ts'
import { probeTwoCalls } from './sequences/two-calls.ts'

/** Work of one eth_call: a full probe tries nine trades and transfers, a light one none. */
const CHUNK = 120
const [LIGHT, FULL] = [1, 2]
/** Gas that sets the scene with what is kept in reserve, and that a full probe of an ordinary token takes. */
const [SCENE_GAS, PROBE_GAS] = [14_000_000, 1_200_000]
/** Scripts of another attempt at calls that ran out of gas. */
const MAX_AGAIN = 16
/** Accounts that helpers obey, which are played: each is a part of every request. */
const MAX_BOSSES = 64
/** Calls tried on one contract that transfers ask. */
const HELPER_LIMIT = 120
/** Calls tried that name the pool as the one whose tokens they take. */
const POOL_LIMIT = 40
/** PUSH1 0, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: zero, false and "no" to every call. */
const ANSWERS_ZERO = '600060005260206000f3'
/** PUSH20 itself, ADDRESS, EQ, PUSH1 place, JUMPI, then the given code, then JUMPDEST: runs it only where it is borrowed. */
const unlessItself = (refuser: string, code: string) =>
  `73${refuser.slice(2)}301460${(26 + code.length / 2).toString(16).padStart(2, '0')}57${code}5b`
/** PUSH1 0, PUSH32 slot, SSTORE, PUSH1 1, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: nothing is left there, "yes". */
const empties = (slot: string) => `60007f${slot.slice(2)}55600160005260206000f3`
const refuserCode = (refuser: string, slot: string | undefined) =>
  `0x${slot === undefined ? '' : unlessItself(refuser, empties(slot))}${ANSWERS_ZERO}`

/** CALLDATASIZE, PUSH1 5, JUMPI, STOP, JUMPDEST, PUSH1 0, PUSH1 0, REVERT. */
const FAILS = '0x36600557005b60006000fd'

/** PUSH1 1, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const AGREES = '0x600160005260206000f3'

const BALANCE_OF = '0x70a08231'

/** `light`: it names the pool, and nobody's trades are tried after it. */
type Targeted = Candidate & { target: string; light?: true }

/** Who actorIsOrigin the transaction, if it is not the usual person. */
const originOf = ({ actorIsOrigin, actor }: { actorIsOrigin: boolean; actor: string }): string =>
  actorIsOrigin ? actor : ''
const begunBy = (simulation: SimulationSetup, call: { actorIsOrigin: boolean; actor: string }): SimulationSetup =>
  call.actorIsOrigin ? { ...simulation, person: call.actor } : simulation

/** Where the token keeps balances, by what its getter reads. */
const balancesOf = (functions: readonly FunctionFacts[], slot: string | undefined): BalancePlace | undefined => {
  const list = functions.find(({ selector }) => selector === BALANCE_OF)?.maps.find((base) => base.startsWith('0x'))
  return slot === undefined ? undefined : { slot, list }
}

/** Probes all candidates in chunks of one eth_call each. */
export const probePowers = async (input: PowerInput): Promise<PowerFacts> => {
  const { chain, supply } = input
  const token = input.simulation.setup.token
  // What a helper obeys may be the token itself, which has to keep its code.
  const bosses = [...new Set(input.helpers.flatMap((helper) => helper.functions.flatMap(helper.actorsOf)))].filter(
    (who) => who !== token,
  )
  const acting = bosses.slice(0, MAX_BOSSES)
  const simulation = withActors(input.simulation, [...new Set([...input.insiders, ...acting, input.stranger])])
  // Contracts that refuse, that take coins and fail whatever else they are asked or told, and that say yes to everything.
  const { fresh } = simulation
  const [refuser, failer, agreer] = [fresh('refuser'), fresh('failer'), fresh('agreer')]
  simulation.overrides[refuser] = { code: refuserCode(refuser, simulation.victimSlot) }
  simulation.overrides[failer] = { code: FAILS }
  simulation.overrides[agreer] = { code: AGREES }
  simulation.overrides[token] = { ...simulation.overrides[token], balance: `0x${(10n ** 19n).toString(16)}` }
  const { victim } = simulation.setup
  const functions = await withStoredTriggers(chain, simulation.setup, input.functions)
  const scene = [...sceneOf(simulation, token, input.opening), ...insiderFunding(functions, input.insiders, victim)]
  const baselineSteps = (actors: string[]): Step[] => actors.map((actor) => observeStep(actor, token))

  const first = await runScript(chain, simulation, [...scene, ...baselineSteps([victim])], input.moment)
  const held = first?.at(-1)?.probe?.victim ?? 0n
  const { receiver, base } = simulation.setup
  const scope = { victim, held, supply, receiver, refuser, failer, agreer, base, token }
  const { actorsOf, limit } = input
  const balances = balancesOf(functions, input.balanceSlot)
  const pooled = first?.at(-1)?.probe?.pool ?? 0n
  const words = functions.filter(({ selector }) => TRANSFERS.has(selector)).flatMap((facts) => facts.wordConstants)
  const candidates: Targeted[] = [
    ...candidatesOf({ ...scope, functions, actorsOf, limit, balances }).map((item) => ({ ...item, target: token })),
    ...poolCalls({ ...scope, functions, actorsOf, limit: POOL_LIMIT }, simulation.setup.pool, pooled).map(
      (item): Targeted => ({ ...item, target: token, light: true }),
    ),
    ...input.helpers.flatMap((helper) =>
      candidatesOf({
        ...{ ...scope, words, functions: helper.functions, actorsOf: helper.actorsOf },
        limit: HELPER_LIMIT,
      }).map((item) => ({ ...item, target: helper.address })),
    ),
  ]

  const untouched = first?.at(-1)?.probe
  const movable = untouched?.victimMoves.ok === true
  input.onScene?.(movable)
  // What holders do for themselves takes or makes tokens, if anything: nobody's trades are tried after each such call.
  // Only where buying is closed they are, because a call of anybody's may open it.
  const isLight = ({ target, selector, light }: Targeted) =>
    light ||
    (target === token &&
      SELF_SERVICE.has(selector) &&
      (simulation.setup.kind === 'none' || untouched?.buys.ok === true))

  const expected = untouched ? controlByUnresolved(input, simulation, scene, untouched, FAILS) : undefined
  const powers: Power[] = []
  let accepted = 0
  const calls: PowerFacts['calls'] = []
  /** False when the call could not be run. */
  const judge = (candidate: Targeted, result: StepResult | undefined, baseline: Observation | undefined): boolean => {
    if (result?.ok === undefined || !baseline) return false
    if (!result.probe) return true
    const seen = isLight(candidate) ? withLightObservation(baseline, result.probe) : result.probe
    accepted++
    if (candidate.target === token) calls.push({ ...candidate, ownerAfter: seen.owner })
    for (const effect of effectsOf(baseline, seen, candidate, { victim, main: input.insiders[0] ?? '' })) {
      // A pool that is counted anew, as by tokens that reflect fees, changes what everybody has a little: that takes nothing from it.
      if (candidate.light && effect !== 'burn_other') continue
      powers.push({
        effect,
        target: candidate.target,
        selector: candidate.selector,
        actor: candidate.actor,
        anyone: candidate.actor === input.stranger,
        data: candidate.data,
        ...(candidate.value === undefined ? {} : { value: candidate.value }),
        actorIsOrigin: candidate.actorIsOrigin,
        kinds: candidate.kinds,
        args: candidate.args,
        tax: taxAfter(seen),
        singleUse: false,
      })
    }
    return true
  }
  /** Parts of one origin each. */
  const divided = (list: readonly Targeted[], size: number): Targeted[][] => {
    const chunks: Targeted[][] = []
    let room = 0
    let origin: string | undefined
    for (const candidate of list.toSorted((a, b) =>
      originOf(a) < originOf(b) ? -1 : originOf(a) > originOf(b) ? 1 : 0,
    )) {
      const weight = isLight(candidate) ? LIGHT : FULL
      if (room < weight || originOf(candidate) !== origin) {
        origin = originOf(candidate)
        chunks.push([])
        room = size
      }
      chunks.at(-1)?.push(candidate)
      room -= weight
    }
    return chunks
  }
  /** Tries them and returns what could not be run. */
  const attempt = async (chunks: readonly Targeted[][]): Promise<Targeted[]> => {
    const left: Targeted[] = []
    await Promise.all(
      chunks.map(async (chunk) => {
        const actors = [...new Set(chunk.map((candidate) => candidate.actor))]
        const steps = [
          ...scene,
          ...baselineSteps(actors),
          ...chunk.map((candidate) => probeStep(candidate, isLight(candidate))),
        ]
        const [first] = chunk
        const results = await runScript(chain, first ? begunBy(simulation, first) : simulation, steps, input.moment)
        const at = scene.length
        const baselines = new Map(actors.map((actor, i) => [actor, results?.[at + i]?.probe]))
        for (const [i, candidate] of chunk.entries()) {
          const done = judge(candidate, probeResult(results?.[at + actors.length + i]), baselines.get(candidate.actor))
          if (!done) left.push(candidate)
        }
      }),
    )
    return left
  }
  const affordable = FULL * Math.floor(((await chain.simulationGas()) - SCENE_GAS) / PROBE_GAS)
  const size = Math.max(FULL, Math.min(CHUNK, affordable))
  let left = await attempt(divided(candidates, size))
  // What ran out of gas has another chance in a smaller batch.
  for (let part = size >> 2; left.length > 0 && part >= FULL; part >>= 2) {
    const chunks = divided(left, part)
    const again = await attempt(chunks.slice(0, MAX_AGAIN))
    left = [...again, ...chunks.slice(MAX_AGAIN).flat()]
  }
  const sequels = {
    ...input,
    functions,
    simulation,
    scene,
    scope: { ...scope, balances },
    calls,
    owner: untouched?.owner,
    batchSize: size,
  }
  const chains = await probeTwoCalls({ ...sequels, powers })
  powers.push(...chains.powers)
  const { queried = [], stored = new Map() } = input
  const known = new Set(calls.map(({ selector }) => selector))
  const [triples, later, plain, settled, elsewhere, agreed] = await Promise.all([
    probeThreeCalls({ ...sequels, powers }),
    probeDelayed({ ...sequels, powers }),
    probePlain(sequels),
    harmlessAfterListCall({ ...sequels, powers }, new Set(chains.acceptedLast)),
    probeOtherContracts({ ...sequels, powers, queried, stored }),
    externallyAuthorized({ ...sequels, accepted: known, agrees: AGREES }),
  ])
  powers.push(...triples.powers)
  const skipped = left.length + chains.skipped
  const named = new Set(queried.flatMap(({ accounts }) => accounts))
  const own = await withoutPublicPowers(input, simulation, scene, powers, named)
  const [lasting] = await Promise.all([
    withoutTemporaryFreezes(input, simulation, scene, await withoutLiquidityExits(input, simulation, scene, own)),
    markSingleUse(input, simulation, scene, powers),
  ])
  return {
    token,
    refuser,
    failer,
    powers: [...lasting, ...later, ...plain.powers, ...elsewhere],
    accepted,
    calls,
    tried: candidates.length + chains.tried,
    skipped,
    sequencesCut: chains.cut,
    unproven: unprovenPowers({
      functions,
      accepted: known,
      externallyAuthorized: agreed,
      hasInsiders: input.insiders.length > 0,
      acceptedLast: new Set([...chains.acceptedLast, ...triples.acceptedLast, ...settled]),
      unresolved: (await expected) ?? plain.why,
    }),
    cut: candidates.filter(({ target, light }) => target === token && !light).length >= limit,
    // Whoever cannot be played was not tried.
    complete: input.complete && acting.length === bosses.length,
    movable,
    baseline: untouched,
  }
}

/**
 * Live addresses a function may obey: stored ones it compares with the caller, constants, then the usual insiders. Permit2
 * does nothing but what its caller's own tokens and signatures allow.
 */
export const actorsFor = (
  facts: FunctionFacts,
  known: { insiders: string[]; stored: Map<string, string>; stranger: string },
): string[] => {
  const own = facts.callerSlots.flatMap((ref) => known.stored.get(`${ref.slot}:${ref.shift}`) ?? [])
  const roles = facts.callerMaps.length > 0 ? known.insiders : known.insiders.slice(0, 1)
  const gated = facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length > 0
  const list = [...own, ...facts.callerConstants, ...roles, ...(gated ? [] : [known.stranger])]
  return [...new Set(list.filter((actor) => BigInt(actor) > 0xffffn && actor !== PERMIT2))]
}

/** The address in a stored word (hex) from bit `shift` on; `undefined` for numbers that are too small to be one. */
export const storedAddress = (word: string, shift: number): string | undefined => {
  const value = (BigInt(word) >> BigInt(shift)) & ((1n << 160n) - 1n)
  return value > 0xffffn ? addressOf(value) : undefined
}
