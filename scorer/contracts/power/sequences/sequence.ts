/** Sequences of calls: input and result of their searches, their simulation steps, and the powers they prove. */
import type { ChainReader } from '../../chain/chain.ts'
import type { Observation, Step, StepResult } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import type { SimulationSetup } from '../../trade/simulation-setup.ts'
import type { Candidate } from '../calls/arguments.ts'
import type { CandidateInput } from '../calls/candidates.ts'
import { observeStep, probeResult, probeStep } from '../calls/steps.ts'
import { type Effect, effectsOf, taxAfter } from '../effects/effects.ts'
import type { AcceptedCall, Power } from '../power.ts'

/** Delays to simulate: longer than usual timelocks, and longer than any. Blocks are few, because nodes simulate at most 256. */
export const DELAYS = [
  { blocks: 60, seconds: 8 * 86_400 },
  { blocks: 120, seconds: 365 * 86_400 },
]
/** Effects that the last call of a sequence is checked for. */
export const TOKEN_MOVES: readonly Effect[] = [
  'mint',
  'burn_other',
  'set_balance',
  'withdraw',
  'withdraw_native',
  'spend_allowance',
]

/** Input of the searches for powers that take several calls. */
export type SequenceInput = {
  chain: ChainReader
  simulation: SimulationSetup
  scene: Step[]
  functions: FunctionFacts[]
  scope: Omit<CandidateInput, 'functions' | 'actorsOf' | 'limit'>
  actorsOf: (facts: FunctionFacts) => string[]
  insiders: string[]
  stranger: string
  /** Calls that were accepted alone. */
  calls: readonly AcceptedCall[]
  powers: readonly Power[]
  /** The word that `owner()` returns before any call. */
  owner: bigint | undefined
  moment: { number: number; time: number }
  /** Probes that one script has gas for. */
  batchSize: number
}

/** Result of such a search, in the terms of `PowerFacts`. */
export type SequenceFacts = {
  powers: Power[]
  tried: number
  skipped: number
  cut: boolean
  /** Selectors of functions that were accepted as the last call, with or without an effect. */
  acceptedLast: string[]
}

/** Calls that come first, and the calls tried after them. */
export type CallSequence = { first?: AcceptedCall; middle?: Candidate; lastCalls: Candidate[] }

/** Actors of the last calls. */
export const actorsIn = ({ lastCalls }: Pick<CallSequence, 'lastCalls'>): string[] => [
  ...new Set(lastCalls.map(({ actor }) => actor)),
]

/** Steps that observe the token as each actor, then probe every last call. */
export const lastSteps = (sequence: Pick<CallSequence, 'lastCalls'>, token: string, light = true): Step[] => [
  ...actorsIn(sequence).map((actor) => observeStep(actor, token, light)),
  ...sequence.lastCalls.map((call) => probeStep({ ...call, target: token }, light)),
]

/**
 * Powers that a sequence proves: effects that appear both against the state before the first call (`baselines`, by actor)
 * and against the state right before the last call. `results`: those of `lastSteps`. `effects`: those that count.
 */
export const judgeSequence = (
  input: SequenceInput,
  sequence: CallSequence,
  baselines: ReadonlyMap<string, Observation | undefined>,
  results: readonly StepResult[] | undefined,
  delayed: boolean,
  effects: readonly Effect[] = TOKEN_MOVES,
): Pick<SequenceFacts, 'powers' | 'skipped' | 'acceptedLast'> => {
  const { token, victim } = input.simulation.setup
  const roles = { victim, main: input.insiders[0] ?? '' }
  const actors = actorsIn(sequence)
  const { first, middle } = sequence
  const powers: Power[] = []
  const acceptedLast: string[] = []
  let skipped = 0
  for (const [i, call] of sequence.lastCalls.entries()) {
    const result = probeResult(results?.[actors.length + i])
    const before = baselines.get(call.actor)
    const between = results?.[actors.indexOf(call.actor)]?.probe
    if (result?.ok === undefined || !before || !between) {
      skipped++
      continue
    }
    if (!result.probe) continue
    acceptedLast.push(call.selector)
    const now = new Set(effectsOf(between, result.probe, call, roles))
    for (const effect of effectsOf(before, result.probe, call, roles)) {
      if (!now.has(effect) || !effects.includes(effect)) continue
      powers.push({
        ...call,
        effect,
        target: token,
        anyone: call.actor === input.stranger,
        after: { ...(first && { first: first.selector }), ...(middle && { middle: middle.selector }), delayed },
        tax: taxAfter(result.probe),
        singleUse: false,
      })
    }
  }
  return { powers, skipped, acceptedLast }
}

/** Splits sequences into batches of at most `size` last calls; one sequence stays whole. */
export const inBatches = <T extends Pick<CallSequence, 'lastCalls'>>(sequences: readonly T[], size: number): T[][] => {
  const chunks: T[][] = []
  let room = 0
  for (const sequence of sequences) {
    if (room < sequence.lastCalls.length) {
      chunks.push([])
      room = size
    }
    chunks.at(-1)?.push(sequence)
    room -= sequence.lastCalls.length
  }
  return chunks
}
