/**
 * Functions that no simulated account can call successfully, because they require a signature, a secret, the consent of
 * another contract, an earlier call of the same transaction, or the contract itself as caller. A power that was not found in
 * such a function may still exist.
 */
import { type FunctionFacts, hasUnknownLength } from '../../code/abstract/facts.ts'
import { SELF_SERVICE, TRANSFERS } from '../calls/arguments.ts'
import { APPROVE } from '../calls/selectors.ts'
import type { Unproven } from '../power.ts'
import { balancePlaces, placesRead } from '../sequences/places.ts'
import type { ListedCallers } from './listed-callers.ts'

/** Results of the search that decide what stays unproven. */
export type UnprovenInput = {
  functions: readonly FunctionFacts[]
  /** Selectors of functions that some account could call. */
  accepted: ReadonlySet<string>
  /** Selectors of functions that also admit callers approved by another contract. */
  externallyAuthorized: ReadonlySet<string>
  hasInsiders: boolean
  /** Selectors of functions that some account could call after other calls. */
  acceptedLast: ReadonlySet<string>
  listed: ListedCallers
  /** Why a contract may spend tokens of holders who never approved it. */
  spending?: string | undefined
  /** Why a trade may create tokens for somebody. */
  crediting?: string | undefined
  /** Why an unresolved dependency may control transfers. */
  unresolved?: string | undefined
}

/** The caller is looked up in a list, and every known account was refused. */
const UNKNOWN_LIST = 'a call obeys a list of accounts, and no account on it is known'
/** The caller is looked up in a list in a way that cannot be followed. */
const UNTRIED_LIST = 'a call looks its caller up in a list that cannot be read'

const EXTERNAL = 'every account was refused by a call that depends on the answer of another contract'
/** The caller is compared with words whose origin is unknown. */
const UNKNOWN_ACCOUNTS = 'a call obeys accounts that its code and storage do not show'

/** What obeys accounts that nothing shows. */
const LISTS: readonly string[] = [UNKNOWN_LIST, UNTRIED_LIST, UNKNOWN_ACCOUNTS]

/** Whether the caller is compared with words of unknown origin, or with the members of a row of unknown length. */
const obeysUnknown = ({ byUnknown, callerRows }: FunctionFacts): boolean =>
  byUnknown || callerRows.some((row) => row.argument === undefined && hasUnknownLength(row))

/**
 * Whether an argument selects the account that is obeyed from a row that was not read whole, and only the constructor
 * wrote that row.
 */
const obeysSelected = ({ selector, callerRows }: FunctionFacts, functions: readonly FunctionFacts[]): boolean =>
  callerRows
    .filter((row) => row.argument !== undefined && hasUnknownLength(row))
    .some(({ kind, base }) => {
      const writes = (place: string) => place.endsWith('other') || (kind !== 'words' && place === `map:${base}`)
      return !functions.some((other) => other.selector !== selector && other.stores.some(writes))
    })

/** What the guard of a function requires that the simulation cannot provide; `undefined` if nothing. */
const requirementOf = (
  facts: FunctionFacts,
  input: UnprovenInput,
  written: ReadonlySet<string>,
  balances: ReadonlySet<string>,
): string | undefined => {
  const { functions, accepted, hasInsiders, acceptedLast } = input
  if (facts.bySignature || facts.signerMaps.length > 0)
    return 'a call requires a signature, which a simulation cannot give'
  if (facts.byDigest) return 'a call requires a secret whose hash is in the code, or an address that matches a hash'
  if (obeysUnknown(facts) || obeysSelected(facts, functions)) return UNKNOWN_ACCOUNTS
  const open = facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length === 0
  const { selector } = facts
  if (accepted.has(selector)) return undefined
  const isCaller = (other: FunctionFacts) => (other.calls || other.delegates) && other.selector !== selector
  if (facts.bySelf && functions.some(isCaller)) return 'no simulated call made the contract call itself'
  const named = facts.callerSlots.length + facts.callerConstants.length > 0
  const lists = facts.callerMaps.some((base) => !balances.has(base))
  if (lists && !named && !acceptedLast.has(selector) && !SELF_SERVICE.has(selector)) return UNKNOWN_LIST
  if (input.externallyAuthorized.has(selector)) return EXTERNAL
  if (facts.unexplored && facts.readsCaller && !SELF_SERVICE.has(selector)) return UNKNOWN_ACCOUNTS
  // The accounts that the code names were tried. If they were refused, for example because trade is already open, no
  // other account has the power.
  if (!open || facts.bySelf) return undefined
  if (facts.transient.length > 0)
    return 'every account was refused by a call that depends on an earlier call of the same transaction'
  if (facts.staticCalls) return EXTERNAL
  if (!hasInsiders && facts.readsCaller) return 'a call was refused to strangers, and no insider is known'
  const follows =
    !acceptedLast.has(selector) && !SELF_SERVICE.has(selector) && placesRead(facts).some((place) => written.has(place))
  return follows ? 'every account was refused by a call that depends on calls of others' : undefined
}

/** The list of callers for which the function does more; `undefined` if there is none. */
const listOf = ({ selector }: FunctionFacts, { listed }: UnprovenInput): string | undefined => {
  if (listed.selectors.includes(selector)) return UNKNOWN_LIST
  return listed.untried.includes(selector) ? UNTRIED_LIST : undefined
}

/** Places that accepted functions write, apart from balances and allowances. */
const writtenByAccepted = ({ functions, accepted }: UnprovenInput): ReadonlySet<string> => {
  const balances = balancePlaces(functions)
  const own = new Set(functions.filter(({ selector }) => SELF_SERVICE.has(selector)).flatMap(({ stores }) => stores))
  return new Set(
    functions
      .filter(({ selector }) => accepted.has(selector) && !SELF_SERVICE.has(selector))
      .flatMap(({ stores }) => stores)
      .filter((place) => !balances.has(place) && !own.has(place) && !place.endsWith('other')),
  )
}

/**
 * Recognizes functions that only relay a signed message, such as `delegateBySig`: the signer could have made the same change
 * by a call that was tried. Every place they write is also written by accepted functions, or is read only by functions that
 * recover signers, as nonces are.
 */
const relaysOnly = (
  { functions, accepted }: UnprovenInput,
  balances: ReadonlySet<string>,
): ((facts: FunctionFacts) => boolean) => {
  const tried = new Set(functions.filter(({ selector }) => accepted.has(selector)).flatMap(({ stores }) => stores))
  const read = new Set(functions.filter(({ writes, recovers }) => writes && !recovers).flatMap(placesRead))
  return ({ recovers, bySignature, byDigest, calls, delegates, stores }) =>
    recovers &&
    !(bySignature || byDigest || calls || delegates) &&
    stores.every((place) => !balances.has(place) && !place.endsWith('other') && (tried.has(place) || !read.has(place)))
}

/** Why powers that were not found may still exist. */
export const unprovenPowers = (input: UnprovenInput): Unproven => {
  const { functions } = input
  const written = writtenByAccepted(input)
  const balances = balancePlaces(functions)
  const approved = new Set(functions.filter(({ selector }) => selector === APPROVE).flatMap(({ stores }) => stores))
  const readByTransfers = new Set(functions.filter(({ selector }) => TRANSFERS.has(selector)).flatMap(placesRead))
  const isRelay = relaysOnly(input, balances)
  const guarded = functions.flatMap((facts) => {
    const why =
      (facts.writes || facts.calls) && !isRelay(facts)
        ? (requirementOf(facts, input, written, balances) ?? listOf(facts, input))
        : undefined
    return why === undefined ? [] : [{ facts, why }]
  })
  const listed = new Set([...input.listed.selectors, ...input.listed.untried])
  const moves = ({ bySignature, signerMaps, byDigest, stores, selector }: FunctionFacts) =>
    bySignature ||
    signerMaps.length > 0 ||
    listed.has(selector) ||
    // An approval in another account's name lets a second call move its tokens.
    (byDigest && selector !== APPROVE && stores.some((place) => approved.has(place))) ||
    stores.some((place) => balances.has(place) || place.endsWith('other'))
  const controls = (place: string) =>
    readByTransfers.has(place) && !balances.has(place) && !approved.has(place) && !place.endsWith('other')
  const may = ({ facts }: { facts: FunctionFacts }) => moves(facts) || facts.stores.some(controls)
  return {
    guardedByList: guarded.filter((one) => LISTS.includes(one.why) && may(one)).map(({ facts }) => facts.selector),
    movesTokens: guarded.find(({ facts }) => moves(facts))?.why ?? input.spending,
    createsTokens: input.crediting,
    controlsTransfers: guarded.find(({ facts }) => facts.stores.some(controls))?.why ?? input.unresolved,
  }
}
