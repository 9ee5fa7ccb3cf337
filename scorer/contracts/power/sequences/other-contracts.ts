/**
 * Powers that begin in another contract: somebody whom it obeys makes it name another account, or other code, and a function of the
 * token that asks it moves tokens then. What comes of the same calls by a stranger is nobody's power.
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
import {
  type CallSequence,
  judgeSequence,
  lastSteps,
  representativeCalls,
  type SequenceInput,
  TOKEN_MOVES,
} from './two-calls.ts'

/** Calls tried of the other contract, those that are followed, and what follows each of them. */
const [MAX_CALLS, MAX_FIRST, MAX_SECOND, MAX_OF_FUNCTION] = [48, 6, 12, 4]

/** The same, with contracts that the token asks instead of calls that it accepted. */
export type OtherContractsInput = Omit<SequenceInput, 'calls'> & {
  queried: readonly QueriedContract[]
  stored: ReadonlyMap<string, string>
}

/** A token of its own is no list of accounts: whoever makes it makes what others pay with. */
const isList = ({ functions }: QueriedContract): boolean => !functions.some(({ selector }) => TRANSFERS.has(selector))

/** Functions of the token that ask the contract and move nothing by themselves. What fallbacks borrow, `is_proxy` states. */
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

/** Calls of the other contract by those it obeys, who name themselves, the victim, or a contract whose code robs where it is borrowed. */
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

/** Of the calls that were accepted those that name the actor, the victim, or a contract whose code robs where it is borrowed. */
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

/** Powers over the token that begin in contracts which its functions ask. */
export const probeOtherContracts = async (input: OtherContractsInput): Promise<Power[]> => {
  const { chain, simulation, scene, moment, scope, stranger } = input
  const { token } = simulation.setup
  const probeOne = async (asked: QueriedContract): Promise<Power[]> => {
    const readers = readersOf(input, asked)
    const calls = readers.length > 0 ? callsOf(input, asked) : []
    if (calls.length === 0) return []
    const tries = calls.map((call) => probeStep({ ...call, target: asked.address }, true))
    const results = await runScript(chain, simulation, [...scene, ...tries], moment)
    const accepted = calls.flatMap((call, i): AcceptedCall[] => {
      const seen = probeResult(results?.[scene.length + i])?.probe
      return seen ? [{ ...call, ownerAfter: seen.owner }] : []
    })
    const sequels = firstsOf(accepted, scope).map((first) => {
      const common = { ...scope, actorsOf: () => [first.actor], limit: MAX_OF_FUNCTION, brief: true }
      const lastCalls = readers.flatMap((facts) => candidatesOf({ ...common, functions: [facts] })).slice(0, MAX_SECOND)
      return { first, lastCalls }
    })
    /** What follows, as everybody who is named, or as a stranger in the place of each. */
    const run = async (some: readonly (CallSequence & { first: AcceptedCall })[]): Promise<Power[][]> => {
      const actors = [...new Set(some.flatMap(({ lastCalls }) => lastCalls.map(({ actor }) => actor)))]
      const looks = actors.map((actor) => observeStep(actor, token, true))
      const steps = some.map(
        (sequel): Step => ({
          op: 'branch',
          steps: [callStep({ ...sequel.first, target: asked.address }), ...lastSteps(sequel, token)],
        }),
      )
      const seen = await runScript(chain, simulation, [...scene, ...looks, ...steps], moment)
      const untouched = new Map(actors.map((actor, i) => [actor, seen?.[scene.length + i]?.probe]))
      return some.map((sequel, i) => {
        const after = seen?.[scene.length + actors.length + i]?.steps?.slice(1)
        return judgeSequence({ ...input, calls: [] }, sequel, untouched, after, false).powers
      })
    }
    const found = await run(sequels)
    if (found.every((powers) => powers.length === 0)) return []
    const others = await run(
      sequels.map(({ first, lastCalls }) => ({
        first: asOtherActor(first, stranger),
        lastCalls: lastCalls.map((second) => asOtherActor(second, stranger)),
      })),
    )
    return found.flatMap((powers, i) =>
      powers.filter(
        ({ selector, effect }) => !others[i]?.some((one) => one.selector === selector && one.effect === effect),
      ),
    )
  }
  const found = await Promise.all(input.queried.filter(isList).map(probeOne))
  return found.flat()
}
