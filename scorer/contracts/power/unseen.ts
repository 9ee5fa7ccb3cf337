/**
 * Functions that nobody here can make work, whoever calls them: they obey a signature, a secret, another contract, an earlier call of the
 * same transaction, or the contract itself. That such a power was not found shows nothing.
 */
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { SELF_SERVICE, TRANSFERS } from './candidates.ts'
import { holdings, readBy } from './chains.ts'
import type { Unseen } from './power.ts'

const APPROVE = '0x095ea7b3'

export type UnseenInput = {
  functions: readonly FunctionFacts[]
  /** Selectors of calls that somebody made. */
  accepted: ReadonlySet<string>
  /** Whether anybody but strangers was known to try. */
  insiders: boolean
  /** Selectors of calls that worked after others. */
  sequels: ReadonlySet<string>
  /** Why transfers may be ruled over by what could not be tried. */
  ruling?: string | undefined
}

/** What the guard of a function asks for that is not to be had. */
const guardOf = (facts: FunctionFacts, input: UnseenInput): string | undefined => {
  const { functions, accepted, insiders } = input
  if (facts.bySignature) return 'a call obeys a signature, which nobody can give in a simulation'
  if (facts.byDigest)
    return 'a call obeys whoever knows what the code holds only a hash of, or whose address is made to fit'
  const open = facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length === 0
  const { selector } = facts
  if (accepted.has(selector)) return undefined
  const callers = functions.some((other) => (other.calls || other.delegates) && other.selector !== selector)
  if (facts.bySelf && callers) return 'a call that the contract makes to itself could not be brought about'
  // Whom the code names was tried: a refusal to them, such as to open what is open, hides nobody else.
  if (!open || facts.bySelf) return undefined
  if (facts.transient.length > 0)
    return 'a call was refused to everybody that depends on another in the same transaction'
  if (facts.asks) return 'a call was refused to everybody that depends on the answer of another contract'
  if (!insiders) return 'a call was refused to strangers, and nobody else is known'
  return dependsOnCalls(facts, input) ? 'a call was refused to everybody that depends on calls of others' : undefined
}

/** Whether it is refused as things are, and reads what calls that were accepted write. What holders approve and hold is no such thing. */
const dependsOnCalls = (facts: FunctionFacts, { functions, accepted, sequels }: UnseenInput): boolean => {
  if (sequels.has(facts.selector) || SELF_SERVICE.has(facts.selector)) return false
  const held = holdings([...functions])
  const own = new Set(functions.filter(({ selector }) => SELF_SERVICE.has(selector)).flatMap(({ stores }) => stores))
  const written = new Set(
    functions
      .filter(({ selector }) => accepted.has(selector) && selector !== facts.selector && !SELF_SERVICE.has(selector))
      .flatMap(({ stores }) => stores)
      .filter((place) => !held.has(place) && !own.has(place) && !place.endsWith('other')),
  )
  return readBy(facts).some((place) => written.has(place))
}

/** Why powers that were not found may be there all the same. */
export const unseenOf = (input: UnseenInput): Unseen => {
  const functions = [...input.functions]
  const held = holdings(functions)
  const approved = new Set(functions.filter(({ selector }) => selector === APPROVE).flatMap(({ stores }) => stores))
  const asked = new Set(functions.filter(({ selector }) => TRANSFERS.has(selector)).flatMap(readBy))
  const guarded = functions.flatMap((facts) => {
    const why = facts.writes || facts.calls ? guardOf(facts, input) : undefined
    return why === undefined ? [] : [{ facts, why }]
  })
  const moves = ({ bySignature, stores }: FunctionFacts) =>
    bySignature || stores.some((place) => held.has(place) || place.endsWith('other'))
  const rules = (place: string) =>
    asked.has(place) && !held.has(place) && !approved.has(place) && !place.endsWith('other')
  return {
    moving: guarded.find(({ facts }) => moves(facts))?.why,
    ruling: guarded.find(({ facts }) => facts.stores.some(rules))?.why ?? input.ruling,
  }
}
