/**
 * Powers that start in another contract: an account that it obeys makes it name another account or other code, after which
 * a function of the token that calls it moves tokens. A sequence that a stranger can make too is no power.
 */
import type { Step } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { runScript } from '../../trade/simulation-setup.ts'
import { calleesOf } from '../accounts/callees.ts'
import { type Candidate, encodeArguments, TRANSFERS } from '../calls/arguments.ts'
import { candidatesOf } from '../calls/candidates.ts'
import { callStep, observeStep, probeResult, probeStep } from '../calls/steps.ts'
import { asOtherActor } from '../effects/public-powers.ts'
import type { AcceptedCall, Power, QueriedContract } from '../power.ts'
import { representativeCalls } from './first-calls.ts'
import { type CallSequence, judgeSequence, lastSteps, type SequenceInput, TOKEN_MOVES } from './sequence.ts'

/** Calls tried of the other contract, those that are followed by calls of the token, and such calls in all and of one function. */
const [MAX_CALLS, MAX_FIRST, MAX_LAST, MAX_OF_FUNCTION] = [48, 6, 12, 4]

/** Input of the search, with the contracts that the token calls instead of accepted calls. */
export type OtherContractsInput = Omit<SequenceInput, 'calls'> & {
  queried: readonly QueriedContract[]
  stored: ReadonlyMap<string, string>
}

/** Other tokens are left out: whoever mints them mints what others pay with. */
const isNoToken = ({ functions }: QueriedContract): boolean =>
  !functions.some(({ selector }) => TRANSFERS.has(selector))

/** Functions of the token that call the contract and prove no power alone. `is_proxy` covers fallbacks that delegate. */
const readersOf = (
  { functions, stored, powers }: OtherContractsInput,
  { address }: QueriedContract,
): FunctionFacts[] => {
  const known = new Set(powers.filter(({ effect }) => TOKEN_MOVES.includes(effect)).map(({ selector }) => selector))
  return functions.filter(
    (facts) =>
      facts.selector !== 'fallback' && !known.has(facts.selector) && calleesOf(facts, stored).includes(address),
  )
}

/** Calls of the other contract by accounts that it obeys. They name the actor, the victim, or the refuser, whose code empties the victim's balance. */
const callsOf = (
  { scope, insiders }: OtherContractsInput,
  { functions, stored, accounts }: QueriedContract,
): Candidate[] => {
  const actorsOf = ({ callerSlots, callerConstants, callerMaps }: FunctionFacts) => {
    const own = callerSlots.flatMap(({ slot, shift }) => stored.get(`${slot}:${shift}`) ?? [])
    const roles = callerMaps.length > 0 || own.length + callerConstants.length === 0 ? accounts : []
    return [...new Set([...own, ...callerConstants, ...roles, ...insiders.slice(0, 1)])].filter((who) =>
      insiders.includes(who),
    )
  }
  const calls = candidatesOf({ ...scope, balances: undefined, functions, actorsOf, limit: MAX_CALLS, brief: true })
  const replaced = calls.flatMap((call) => {
    const args = call.args.map((arg) => (arg === call.actor ? scope.refuser : arg))
    return args.includes(scope.refuser) ? [{ ...call, args, data: encodeArguments(call.selector, args) }] : []
  })
  return [...calls, ...replaced]
}

/** Accepted calls of each function that name the refuser, the actor or the victim. */
const firstsOf = (
  accepted: readonly AcceptedCall[],
  { victim, refuser }: OtherContractsInput['scope'],
): AcceptedCall[] => {
  const selectors = [...new Set(accepted.map(({ selector }) => selector))]
  const found = selectors.flatMap((selector) => {
    const calls = accepted.filter((call) => call.selector === selector)
    return [...calls.filter(({ args }) => args.includes(refuser)).slice(0, 1), ...representativeCalls(calls, victim)]
  })
  return [...new Map(found.map((call) => [call.data, call])).values()].slice(0, MAX_FIRST)
}

/** Powers over the token that start in contracts which its functions call. */
export const probeOtherContracts = async (input: OtherContractsInput): Promise<Power[]> => {
  const { chain, simulation, scene, moment, scope, stranger } = input
  const { token } = simulation.setup
  const probeOne = async (contract: QueriedContract): Promise<Power[]> => {
    const readers = readersOf(input, contract)
    const calls = readers.length > 0 ? callsOf(input, contract) : []
    if (calls.length === 0) return []
    const tries = calls.map((call) => probeStep({ ...call, target: contract.address }, true))
    const results = await runScript(chain, simulation, [...scene, ...tries], moment)
    const accepted = calls.flatMap((call, i): AcceptedCall[] => {
      const seen = probeResult(results?.[scene.length + i])?.probe
      return seen ? [{ ...call, ownerAfter: seen.owner }] : []
    })
    const sequences = firstsOf(accepted, scope).map((first) => {
      const common = { ...scope, actorsOf: () => [first.actor], limit: MAX_OF_FUNCTION, brief: true }
      const lastCalls = readers.flatMap((facts) => candidatesOf({ ...common, functions: [facts] })).slice(0, MAX_LAST)
      return { first, lastCalls }
    })
    /** Powers that each sequence proves. */
    const run = async (some: readonly (CallSequence & { first: AcceptedCall })[]): Promise<Power[][]> => {
      const actors = [...new Set(some.flatMap(({ lastCalls }) => lastCalls.map(({ actor }) => actor)))]
      const observations = actors.map((actor) => observeStep(actor, token, true))
      const steps = some.map(
        (sequence): Step => ({
          op: 'branch',
          steps: [callStep({ ...sequence.first, target: contract.address }), ...lastSteps(sequence, token)],
        }),
      )
      const seen = await runScript(chain, simulation, [...scene, ...observations, ...steps], moment)
      const baselines = new Map(actors.map((actor, i) => [actor, seen?.[scene.length + i]?.probe]))
      return some.map((sequence, i) => {
        const after = seen?.[scene.length + actors.length + i]?.steps?.slice(1)
        return judgeSequence({ ...input, calls: [] }, sequence, baselines, after, false).powers
      })
    }
    const found = await run(sequences)
    if (found.every((powers) => powers.length === 0)) return []
    const byStranger = await run(
      sequences.map(({ first, lastCalls }) => ({
        first: asOtherActor(first, stranger),
        lastCalls: lastCalls.map((second) => asOtherActor(second, stranger)),
      })),
    )
    return found.flatMap((powers, i) =>
      powers.filter(
        ({ selector, effect }) => !byStranger[i]?.some((one) => one.selector === selector && one.effect === effect),
      ),
    )
  }
  const found = await Promise.all(input.queried.filter(isNoToken).map(probeOne))
  return found.flat()
}
