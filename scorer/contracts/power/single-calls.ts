/** Runs candidate calls one by one against the scene, many in one `eth_call`, and derives powers from what each changed. */
import type { Observation, Step, StepResult } from '../chain/simulator/script.ts'
import { runScript, type SimulationSetup } from '../trade/simulation-setup.ts'
import { type Candidate, SELF_SERVICE } from './calls/arguments.ts'
import { observeStep, probeResult, probeStep, withLightObservation } from './calls/steps.ts'
import { effectsOf, taxAfter } from './effects/effects.ts'
import type { AcceptedCall, Power, PowerInput } from './power.ts'

/** Weight of the probes in one `eth_call`. A full probe tries nine trades and transfers, a light one none. */
const MAX_BATCH = 120
const [LIGHT, FULL] = [1, 2]
/** Gas of the scene with a reserve, and of a full probe of an ordinary token. */
const [SCENE_GAS, PROBE_GAS] = [14_000_000, 1_200_000]
/** Batches in each further attempt at calls that ran out of gas. */
const MAX_AGAIN = 16

/** A candidate and the contract it calls. `light`: it names the pool, and no trades are tried after it. */
export type Targeted = Candidate & { target: string; light?: true }

/** Input of the single calls. `baseline`: the victim's observation before any call. */
export type SingleCallsInput = Pick<PowerInput, 'chain' | 'insiders' | 'stranger' | 'moment'> & {
  simulation: SimulationSetup
  scene: readonly Step[]
  candidates: readonly Targeted[]
  baseline: Observation | undefined
}

/** Result of the single calls, in the terms of `PowerFacts`. `batchSize`: weight of the probes that one script has gas for. */
export type SingleCalls = {
  powers: Power[]
  accepted: number
  calls: AcceptedCall[]
  skipped: number
  batchSize: number
}

/** The actor if it must be the origin of the transaction; empty for the usual origin. */
const originOf = ({ actorIsOrigin, actor }: Candidate): string => (actorIsOrigin ? actor : '')

/** Probes all candidates in batches of one `eth_call` each. */
export const probeSingleCalls = async (input: SingleCallsInput): Promise<SingleCalls> => {
  const { chain, simulation, scene, moment } = input
  const { token, victim, kind } = simulation.setup
  const roles = { victim, main: input.insiders[0] ?? '' }
  // Functions that holders use for themselves can only take or create tokens, so no trades are tried after them. The
  // exception is a token that cannot be bought yet: any call may open trade.
  const isLight = ({ target, selector, light }: Targeted) =>
    light || (target === token && SELF_SERVICE.has(selector) && (kind === 'none' || input.baseline?.buys.ok === true))

  const powers: Power[] = []
  const calls: AcceptedCall[] = []
  let accepted = 0
  /** Returns false if the call could not run. */
  const judge = (candidate: Targeted, result: StepResult | undefined, baseline: Observation | undefined): boolean => {
    if (result?.ok === undefined || !baseline) return false
    if (!result.probe) return true
    const seen = isLight(candidate) ? withLightObservation(baseline, result.probe) : result.probe
    accepted++
    if (candidate.target === token) calls.push({ ...candidate, ownerAfter: seen.owner })
    for (const effect of effectsOf(baseline, seen, candidate, roles)) {
      // A call can change the pool's balance slightly without taking from it, as in tokens that reflect fees.
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
  /** Batches up to a weight, each with one origin. */
  const inBatches = (list: readonly Targeted[], size: number): Targeted[][] => {
    const batches: Targeted[][] = []
    let room = 0
    let origin: string | undefined
    for (const candidate of list.toSorted((a, b) =>
      originOf(a) < originOf(b) ? -1 : originOf(a) > originOf(b) ? 1 : 0,
    )) {
      const weight = isLight(candidate) ? LIGHT : FULL
      if (room < weight || originOf(candidate) !== origin) {
        origin = originOf(candidate)
        batches.push([])
        room = size
      }
      batches.at(-1)?.push(candidate)
      room -= weight
    }
    return batches
  }
  /** Runs the batches and returns the candidates that could not run. */
  const attempt = async (batches: readonly Targeted[][]): Promise<Targeted[]> => {
    const left: Targeted[] = []
    await Promise.all(
      batches.map(async (batch) => {
        const actors = [...new Set(batch.map(({ actor }) => actor))]
        const steps = [
          ...scene,
          ...actors.map((actor) => observeStep(actor, token)),
          ...batch.map((candidate) => probeStep(candidate, isLight(candidate))),
        ]
        const [first] = batch
        const begun = first?.actorIsOrigin ? { ...simulation, person: first.actor } : simulation
        const results = await runScript(chain, begun, steps, moment)
        const baselines = new Map(actors.map((actor, i) => [actor, results?.[scene.length + i]?.probe]))
        for (const [i, candidate] of batch.entries()) {
          const result = probeResult(results?.[scene.length + actors.length + i])
          if (!judge(candidate, result, baselines.get(candidate.actor))) left.push(candidate)
        }
      }),
    )
    return left
  }
  const affordable = FULL * Math.floor(((await chain.simulationGas()) - SCENE_GAS) / PROBE_GAS)
  const batchSize = Math.max(FULL, Math.min(MAX_BATCH, affordable))
  let left = await attempt(inBatches(input.candidates, batchSize))
  // Calls that ran out of gas are tried again in smaller batches.
  for (let size = batchSize >> 2; left.length > 0 && size >= FULL; size >>= 2) {
    const batches = inBatches(left, size)
    const again = await attempt(batches.slice(0, MAX_AGAIN))
    left = [...again, ...batches.slice(MAX_AGAIN).flat()]
  }
  return { powers, accepted, calls, skipped: left.length, batchSize }
}
