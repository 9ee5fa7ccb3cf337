/**
 * Functions that obey whomever another contract agrees to, beside those the code names. If everybody it names was refused, such a contract may
 * still let somebody in: it is replaced by one that says yes to everything, and a stranger tries.
 */

import type { Step } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { merge, runScript, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { calleesOf } from '../accounts/callees.ts'
import { SELF_SERVICE } from '../calls/arguments.ts'
import { type CandidateInput, candidatesOf } from '../calls/candidates.ts'
import { probeResult, probeStep } from '../calls/steps.ts'
import type { PowerInput } from '../power.ts'

/** Functions that are tried, and calls of each. */
const [MAX_FUNCTIONS, MAX_CALLS] = [4, 4]

type AgreedInput = Pick<PowerInput, 'chain' | 'moment' | 'stranger' | 'queried' | 'stored'> & {
  functions: readonly FunctionFacts[]
  /** Selectors of calls that somebody made. */
  accepted: ReadonlySet<string>
  simulation: SimulationSetup
  scene: readonly Step[]
  scope: Omit<CandidateInput, 'functions' | 'actorsOf' | 'limit'>
  /** Code that says yes to everything. */
  agrees: string
}

/** Selectors of those functions. */
export const externallyAuthorized = async (input: AgreedInput): Promise<ReadonlySet<string>> => {
  const { chain, moment, stranger, queried = [], stored = new Map(), simulation, scene, scope } = input
  const places = new Set(queried.map(({ address }) => address))
  const others = (facts: FunctionFacts) => calleesOf(facts, stored).filter((address) => places.has(address))
  const refused = input.functions.filter(
    (facts) =>
      facts.writes &&
      !input.accepted.has(facts.selector) &&
      !SELF_SERVICE.has(facts.selector) &&
      facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length > 0 &&
      others(facts).length > 0,
  )
  const found = await Promise.all(
    refused.slice(0, MAX_FUNCTIONS).map(async (facts) => {
      const instead = Object.fromEntries(others(facts).map((address) => [address, { code: input.agrees }]))
      const place = { ...simulation, overrides: merge(simulation.overrides, instead) }
      const calls = candidatesOf({
        ...scope,
        functions: [facts],
        actorsOf: () => [stranger],
        limit: MAX_CALLS,
        brief: true,
      })
      const steps = calls.map((call) => probeStep({ ...call, target: scope.token }))
      const results = await runScript(chain, place, [...scene, ...steps], moment)
      return steps.some((_, i) => probeResult(results?.[scene.length + i])?.probe !== undefined) ? [facts.selector] : []
    }),
  )
  return new Set(found.flat())
}
