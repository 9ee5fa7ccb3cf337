/**
 * Owner powers by execution: every state-changing function is called, inside a simulation that is undone, as everyone
 * it might obey, and what holders feel afterwards is compared with before. Names play no part.
 */

import type { ChainReader } from '../chain/chain.ts'
import { type Observation, type Step, type StepResult, ZERO } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { addressOf } from '../code/abstract/facts.ts'
import { freshAddress, runScript, type SimulationSetup, withActors } from '../trade/simulation-setup.ts'
import { type Argument, type Candidate, candidatesOf, encodeArguments, SELF_SERVICE } from './candidates.ts'
import { type Effect, effectsOf, taxAfter } from './effects.ts'

export type Power = {
  effect: Effect
  /** The contract called: the token, or one that its transfers ask. */
  target: string
  selector: string
  actor: string
  /** Whether nobody in particular can do it. */
  anyone: boolean
  data: string
  kinds: string[]
  args: Argument[]
  /** Percent lost after a tax power. */
  tax: number
  /** A mint that is refused the second time. */
  once: boolean
}

export type PowerFacts = {
  token: string
  powers: Power[]
  /** Calls that were accepted, and all that were tried. */
  accepted: number
  calls: { selector: string; data: string; actor: string; ownerAfter: bigint | undefined }[]
  tried: number
  /** Tried calls that could not be run for lack of gas, time or an answering node. */
  skipped: number
  /** There was more to try than may be tried. */
  cut: boolean
  /** Whether all functions were read, and each tried in several ways. */
  complete: boolean
  /** A transfer between wallets worked to begin with; without it freezes cannot be told. */
  movable: boolean
  baseline: Observation | undefined
}

export type PowerInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps after funding that set the scene: openers, renouncing. */
  opening: Step[]
  functions: FunctionFacts[]
  supply: bigint
  /** Everyone with a claim: owner first, then roles, creator, stored and hard-coded addresses. */
  insiders: string[]
  /** Nobody in particular: what this address can do, anyone can. */
  stranger: string
  actorsOf: (facts: FunctionFacts) => string[]
  /** Contracts that transfers ask, with the people they obey. */
  helpers: { address: string; functions: FunctionFacts[]; actorsOf: (facts: FunctionFacts) => string[] }[]
  limit: number
  /** Whether all code was read. */
  complete: boolean
  moment: { number: number; time: number }
}

/** Work of one eth_call: a full probe tries nine trades and transfers, a light one none. */
const CHUNK = 120
const [LIGHT, FULL] = [1, 2]
/** Gas that sets the scene with what is kept in reserve, and that a full probe of an ordinary token takes. */
const [SCENE_GAS, PROBE_GAS] = [14_000_000, 1_200_000]
/** Scripts of another attempt at calls that ran out of gas. */
const MOST_AGAIN = 16
/** Calls tried on one contract that transfers ask. */
const HELPER_LIMIT = 120
/** PUSH1 0, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: zero, false and "no" to every call. */
const ANSWERS_ZERO = '0x600060005260206000f3'
/** A contract in the simulation that refuses. */
export const REFUSER = freshAddress('refuser')
const APPROVE = '0x095ea7b3'
const MAX = 'f'.repeat(64)

/** Victim and bystander get tokens, the token contract something to take, and the victim's allowances. */
const sceneOf = (simulation: SimulationSetup, token: string, opening: Step[]): Step[] => {
  const { victim, bystander, small, base, kind } = simulation.setup
  const approve = (asset: string): Step => ({
    op: 'call',
    actor: victim,
    target: asset,
    data: `${APPROVE}${token.slice(2).padStart(64, '0')}${MAX}`,
  })
  const steps: Step[] = [...simulation.funding, ...opening]
  if (base !== ZERO) {
    steps.push(
      { op: 'fund', target: token, amount: small * 20n },
      { op: 'fund', target: victim, amount: small * 20n },
      approve(base),
    )
  }
  if (kind !== 'none')
    steps.push({ op: 'buy', actor: victim, amount: small * 2n }, { op: 'buy', actor: bystander, amount: small * 2n })
  return steps
}

type Targeted = Candidate & { target: string }

type Call = { actor: string; target: string; data: string }
const probeStep = ({ actor, target, data }: Call, light = false): Step => ({ op: 'probe', actor, target, data, light })

/** What a light probe saw; everything holders could do before counts as unchanged. */
const unmoved = (before: Observation, after: Observation): Observation => {
  const { supply, victim, bystander, actor, pool, self, owner, native, base, victimBase } = after
  return { ...before, supply, victim, bystander, actor, pool, self, owner, native, base, victimBase }
}

/** Probes all candidates in chunks of one eth_call each. */
export const probePowers = async (input: PowerInput): Promise<PowerFacts> => {
  const { chain, supply } = input
  const token = input.simulation.setup.token
  const bosses = input.helpers.flatMap((helper) => helper.functions.flatMap(helper.actorsOf))
  const simulation = withActors(input.simulation, [...new Set([...input.insiders, ...bosses, input.stranger])])
  simulation.overrides[REFUSER] = { code: ANSWERS_ZERO }
  simulation.overrides[token] = { ...simulation.overrides[token], balance: `0x${(10n ** 19n).toString(16)}` }
  const { victim } = simulation.setup
  const scene = sceneOf(simulation, token, input.opening)
  const baselineSteps = (actors: string[]): Step[] =>
    actors.map((actor) => probeStep({ actor, target: token, data: '0x' }))

  const first = await runScript(chain, simulation, [...scene, ...baselineSteps([victim])], input.moment)
  const held = first?.at(-1)?.probe?.victim ?? 0n
  const { receiver, base } = simulation.setup
  const scope = { victim, held, supply, receiver, refuser: REFUSER, base }
  const { functions, actorsOf, limit } = input
  const candidates: Targeted[] = [
    ...candidatesOf({ ...scope, functions, actorsOf, limit }).map((item) => ({ ...item, target: token })),
    ...input.helpers.flatMap((helper) =>
      candidatesOf({ ...scope, functions: helper.functions, actorsOf: helper.actorsOf, limit: HELPER_LIMIT }).map(
        (item) => ({ ...item, target: helper.address }),
      ),
    ),
  ]

  const untouched = first?.at(-1)?.probe
  // What holders do for themselves takes or makes tokens, if anything: nobody's trades are tried after each such call.
  // Only where buying is closed they are, because a call of anybody's may open it.
  const isLight = ({ target, selector }: Targeted) =>
    target === token && SELF_SERVICE.has(selector) && (simulation.setup.kind === 'none' || untouched?.buys.ok === true)

  const powers: Power[] = []
  let accepted = 0
  const calls: PowerFacts['calls'] = []
  /** False when the call could not be run. */
  const judge = (candidate: Targeted, result: StepResult | undefined, baseline: Observation | undefined): boolean => {
    if (result?.ok === undefined || !baseline) return false
    if (!result.probe) return true
    const seen = isLight(candidate) ? unmoved(baseline, result.probe) : result.probe
    accepted++
    if (candidate.target === token)
      calls.push({
        selector: candidate.selector,
        data: candidate.data,
        actor: candidate.actor,
        ownerAfter: seen.owner,
      })
    for (const effect of effectsOf(baseline, seen, candidate, { victim, main: input.insiders[0] ?? '' })) {
      powers.push({
        effect,
        target: candidate.target,
        selector: candidate.selector,
        actor: candidate.actor,
        anyone: candidate.actor === input.stranger,
        data: candidate.data,
        kinds: candidate.kinds,
        args: candidate.args,
        tax: taxAfter(seen),
        once: false,
      })
    }
    return true
  }
  const divided = (list: readonly Targeted[], size: number): Targeted[][] => {
    const chunks: Targeted[][] = []
    let room = 0
    for (const candidate of list) {
      const weight = isLight(candidate) ? LIGHT : FULL
      if (room < weight) {
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
        const results = await runScript(chain, simulation, steps, input.moment)
        const at = scene.length
        const baselines = new Map(actors.map((actor, i) => [actor, results?.[at + i]?.probe]))
        for (const [i, candidate] of chunk.entries()) {
          const done = judge(candidate, results?.[at + actors.length + i], baselines.get(candidate.actor))
          if (!done) left.push(candidate)
        }
      }),
    )
    return left
  }
  const affordable = FULL * Math.floor(((await chain.simulationGas()) - SCENE_GAS) / PROBE_GAS)
  const size = Math.max(FULL, Math.min(CHUNK, affordable))
  let left = await attempt(divided(candidates, size))
  // What ran out of gas has another chance in smaller company.
  for (let part = size >> 2; left.length > 0 && part >= FULL; part >>= 2) {
    const chunks = divided(left, part)
    const again = await attempt(chunks.slice(0, MOST_AGAIN))
    left = [...again, ...chunks.slice(MOST_AGAIN).flat()]
  }
  const skipped = left.length
  await markSingle(input, simulation, scene, powers)
  return {
    token,
    powers,
    accepted,
    calls,
    tried: candidates.length,
    skipped,
    cut: candidates.filter(({ target }) => target === token).length >= limit,
    complete: input.complete,
    movable: untouched?.victimMoves.ok === true,
    baseline: untouched,
  }
}

const sizeOf = (power: Power): bigint => power.args.find((arg) => typeof arg === 'bigint') ?? 0n

/** The same call with every number three times as large. */
const thrice = (power: Power): Power => {
  const args = power.args.map((arg) => (typeof arg === 'bigint' ? arg * 3n : arg))
  return { ...power, args, data: encodeArguments(power.selector, args) }
}

/**
 * Marks mints that work a single time: the smallest is made within the simulation, then others of the same function,
 * larger ones too, so that one that sets a balance is not taken for used up.
 */
const markSingle = async (
  input: PowerInput,
  simulation: SimulationSetup,
  scene: Step[],
  powers: Power[],
): Promise<void> => {
  const { token, victim } = simulation.setup
  const mints = powers.filter((power) => power.effect === 'mint')
  const tries = [...new Set(mints.map((power) => power.selector))].slice(0, 6).flatMap((selector) => {
    const own = mints.filter((power) => power.selector === selector).sort((a, b) => (sizeOf(a) < sizeOf(b) ? -1 : 1))
    const [first] = own
    const last = own.at(-1)
    return first && last ? [{ first, others: [...new Set([thrice(last), last, first])] }] : []
  })
  if (tries.length === 0) return
  const steps = tries.map(
    ({ first, others }): Step => ({
      op: 'branch',
      steps: [
        { op: 'call', actor: first.actor, target: first.target, data: first.data },
        ...others.flatMap((power) => [probeStep({ actor: power.actor, target: token, data: '0x' }), probeStep(power)]),
      ],
    }),
  )
  const results = await runScript(input.chain, simulation, [...scene, ...steps], input.moment)
  for (const [i, { first, others }] of tries.entries()) {
    const seen = results?.[scene.length + i]?.steps ?? []
    const repeated = others.some((power, k) => {
      const [before, after] = [seen[1 + 2 * k], seen[2 + 2 * k]]
      if (after?.ok === undefined || !before?.probe) return true
      const cast = { victim, main: input.insiders[0] ?? '' }
      return after.probe !== undefined && effectsOf(before.probe, after.probe, power, cast).includes('mint')
    })
    if (!repeated) for (const power of mints) if (power.selector === first.selector) power.once = true
  }
}

/** Live addresses a function may obey: stored ones it compares with the caller, constants, then the usual insiders. */
export const actorsFor = (
  facts: FunctionFacts,
  known: { insiders: string[]; stored: Map<string, string>; stranger: string },
): string[] => {
  const own = facts.callerSlots.flatMap((ref) => known.stored.get(`${ref.slot}:${ref.shift}`) ?? [])
  const roles = facts.callerMaps.length > 0 ? known.insiders : known.insiders.slice(0, 1)
  const gated = facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length > 0
  const list = [...own, ...facts.callerConstants, ...roles, ...(gated ? [] : [known.stranger])]
  return [...new Set(list.filter((actor) => actor !== ZERO && BigInt(actor) > 0xffffn))]
}

export const storedAddress = (word: string, shift: number): string | undefined => {
  const value = (BigInt(word) >> BigInt(shift)) & ((1n << 160n) - 1n)
  return value > 0xffffn ? addressOf(value) : undefined
}
