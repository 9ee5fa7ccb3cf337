/**
 * Finds functions that also admit callers approved by another contract. If every account that the code names was refused,
 * the other contract is replaced by one that returns 1 to every call, and a stranger tries the function.
 */
import type { Step } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { merge, runScript, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { calleesOf } from '../accounts/callees.ts'
import { SELF_SERVICE } from '../calls/arguments.ts'
import { type CandidateInput, candidatesOf } from '../calls/candidates.ts'
import { probeResult, probeStep } from '../calls/steps.ts'
import type { PowerInput } from '../power.ts'
import { RETURNS_ONE } from '../probe-contracts.ts'

/** Functions tried, and calls of each. */
const [MAX_FUNCTIONS, MAX_CALLS] = [4, 4]

type AuthorizationInput = Pick<PowerInput, 'chain' | 'moment' | 'stranger' | 'queried' | 'stored'> & {
  functions: readonly FunctionFacts[]
  /** Selectors of functions that some account could call. */
  accepted: ReadonlySet<string>
  simulation: SimulationSetup
  scene: readonly Step[]
  scope: Omit<CandidateInput, 'functions' | 'actorsOf' | 'limit'>
}

/** Selectors of functions that another contract can authorize a stranger for. */
export const externallyAuthorized = async (input: AuthorizationInput): Promise<ReadonlySet<string>> => {
  const { chain, moment, stranger, queried = [], stored = new Map(), simulation, scene, scope } = input
  const known = new Set(queried.map(({ address }) => address))
  const others = (facts: FunctionFacts) => calleesOf(facts, stored).filter((address) => known.has(address))
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
      const replaced = Object.fromEntries(others(facts).map((address) => [address, { code: RETURNS_ONE }]))
      const changed = { ...simulation, overrides: merge(simulation.overrides, replaced) }
      const calls = candidatesOf({
        ...scope,
        functions: [facts],
        actorsOf: () => [stranger],
        limit: MAX_CALLS,
        brief: true,
      })
      const steps = calls.map((call) => probeStep({ ...call, target: scope.token }))
      const results = await runScript(chain, changed, [...scene, ...steps], moment)
      return steps.some((_, i) => probeResult(results?.[scene.length + i])?.probe !== undefined) ? [facts.selector] : []
    }),
  )
  return new Set(found.flat())
}
