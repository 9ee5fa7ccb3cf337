/**
 * Functions that nobody here can make work, whoever calls them: they obey a signature, a secret, another contract, an earlier call of the
 * same transaction, or the contract itself. That such a power was not found shows nothing.
 */
import { type FunctionFacts, hasUnknownLength } from '../../code/abstract/facts.ts'
import { SELF_SERVICE, TRANSFERS } from '../calls/arguments.ts'
import type { Unproven } from '../power.ts'
import { balancePlaces, placesRead } from '../sequences/places.ts'

const APPROVE = '0x095ea7b3'

/** What was tried and what came of it, to tell what was not seen. */
export type UnprovenInput = {
  functions: readonly FunctionFacts[]
  /** Selectors of calls that somebody made. */
  accepted: ReadonlySet<string>
  /** Selectors of those that obey whomever another contract agrees to, too. */
  externallyAuthorized: ReadonlySet<string>
  /** Whether anybody but strangers was known to try. */
  hasInsiders: boolean
  /** Selectors of calls that worked after others. */
  acceptedLast: ReadonlySet<string>
  /** Why transfers may be ruled over by what could not be tried. */
  unresolved?: string | undefined
}

/** A guard that everybody known was refused by. */
const UNKNOWN_LIST = 'a call obeys a list of accounts, and no account on it is known'

const ASKS = 'a call was refused to everybody that depends on the answer of another contract'
/** A guard that compares the caller with words that were not found. */
const UNREAD = 'a call obeys accounts that cannot be told from its code and storage'

/** Whether it obeys words of which it is not known where they stand, or members of a row that is not known to its end. */
const obeysUnread = ({ byUnknown, callerRows }: FunctionFacts): boolean =>
  byUnknown || callerRows.some((row) => row.argument === undefined && hasUnknownLength(row))

/** Whether it obeys an account that an argument chooses, of more than were looked at, and that nobody but the constructor put there. */
const obeysChosen = ({ selector, callerRows }: FunctionFacts, functions: readonly FunctionFacts[]): boolean =>
  callerRows
    .filter((row) => row.argument !== undefined && hasUnknownLength(row))
    .some(({ kind, base }) => {
      const writes = (place: string) => place.endsWith('other') || (kind !== 'words' && place === `map:${base}`)
      return !functions.some((other) => other.selector !== selector && other.stores.some(writes))
    })

/** What the guard of a function asks for that is not to be had. */
const guardOf = (
  facts: FunctionFacts,
  input: UnprovenInput,
  begun: ReadonlySet<string>,
  held: ReadonlySet<string>,
): string | undefined => {
  const { functions, accepted, hasInsiders, acceptedLast } = input
  if (facts.bySignature || facts.signerMaps.length > 0)
    return 'a call requires a signature, which a simulation cannot give'
  if (facts.byDigest) return 'a call requires a secret of which the code holds the hash, or an address that fits a hash'
  if (obeysUnread(facts) || obeysChosen(facts, functions)) return UNREAD
  const open = facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length === 0
  const { selector } = facts
  if (accepted.has(selector)) return undefined
  const isCaller = (other: FunctionFacts) => (other.calls || other.delegates) && other.selector !== selector
  if (facts.bySelf && functions.some(isCaller))
    return 'a call that the contract makes to itself could not be brought about'
  const named = facts.callerSlots.length + facts.callerConstants.length > 0
  const lists = facts.callerMaps.some((base) => !held.has(base))
  if (lists && !named && !acceptedLast.has(selector) && !SELF_SERVICE.has(selector)) return UNKNOWN_LIST
  if (input.externallyAuthorized.has(selector)) return ASKS
  if (facts.unexplored && facts.readsCaller && !SELF_SERVICE.has(selector)) return UNREAD
  // Whom the code names was tried: a refusal to them, such as to open what is open, hides nobody else.
  if (!open || facts.bySelf) return undefined
  if (facts.transient.length > 0)
    return 'a call was refused to everybody that depends on another in the same transaction'
  if (facts.staticCalls) return ASKS
  if (!hasInsiders && facts.readsCaller) return 'a call was refused to strangers, and no insider is known'
  const follows =
    !acceptedLast.has(selector) && !SELF_SERVICE.has(selector) && placesRead(facts).some((place) => begun.has(place))
  return follows ? 'a call was refused to everybody that depends on calls of others' : undefined
}

/** What calls that were accepted write. What holders approve and hold is no such thing. */
const begunBy = ({ functions, accepted }: UnprovenInput): ReadonlySet<string> => {
  const held = balancePlaces(functions)
  const own = new Set(functions.filter(({ selector }) => SELF_SERVICE.has(selector)).flatMap(({ stores }) => stores))
  return new Set(
    functions
      .filter(({ selector }) => accepted.has(selector) && !SELF_SERVICE.has(selector))
      .flatMap(({ stores }) => stores)
      .filter((place) => !held.has(place) && !own.has(place) && !place.endsWith('other')),
  )
}

/**
 * Whether a function lets others send what its signer may do by a call that was tried, such as to delegate votes: what it writes such
 * calls write, or nothing reads it but functions that ask who signed, as they do with nonces.
 */
const sendsOf = (
  { functions, accepted }: UnprovenInput,
  held: ReadonlySet<string>,
): ((facts: FunctionFacts) => boolean) => {
  const tried = new Set(functions.filter(({ selector }) => accepted.has(selector)).flatMap(({ stores }) => stores))
  const read = new Set(functions.filter(({ writes, recovers }) => writes && !recovers).flatMap(placesRead))
  return ({ recovers, bySignature, byDigest, calls, delegates, stores }) =>
    recovers &&
    !(bySignature || byDigest || calls || delegates) &&
    stores.every((place) => !held.has(place) && !place.endsWith('other') && (tried.has(place) || !read.has(place)))
}

/** Why powers that were not found may be there all the same. */
export const unprovenPowers = (input: UnprovenInput): Unproven => {
  const { functions } = input
  const begun = begunBy(input)
  const held = balancePlaces(functions)
  const approved = new Set(functions.filter(({ selector }) => selector === APPROVE).flatMap(({ stores }) => stores))
  const asked = new Set(functions.filter(({ selector }) => TRANSFERS.has(selector)).flatMap(placesRead))
  const isSent = sendsOf(input, held)
  const guarded = functions.flatMap((facts) => {
    const why = (facts.writes || facts.calls) && !isSent(facts) ? guardOf(facts, input, begun, held) : undefined
    return why === undefined ? [] : [{ facts, why }]
  })
  const moves = ({ bySignature, signerMaps, byDigest, stores, selector }: FunctionFacts) =>
    bySignature ||
    signerMaps.length > 0 ||
    // Whoever may approve in another's name moves tokens by a second call.
    (byDigest && selector !== APPROVE && stores.some((place) => approved.has(place))) ||
    stores.some((place) => held.has(place) || place.endsWith('other'))
  const rules = (place: string) =>
    asked.has(place) && !held.has(place) && !approved.has(place) && !place.endsWith('other')
  const may = ({ facts }: { facts: FunctionFacts }) => moves(facts) || facts.stores.some(rules)
  return {
    guardedByList: guarded
      .filter((one) => (one.why === UNKNOWN_LIST || one.why === UNREAD) && may(one))
      .map(({ facts }) => facts.selector),
    movesTokens: guarded.find(({ facts }) => moves(facts))?.why,
    controlsTransfers: guarded.find(({ facts }) => facts.stores.some(rules))?.why ?? input.unresolved,
  }
}
