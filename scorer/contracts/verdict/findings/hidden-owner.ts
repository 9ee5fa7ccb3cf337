/**
 * Control that is not visible: guards without a getter, guards by hash, the answer of another contract, or roles that
 * outlived the owner.
 */
import { type FunctionFacts, hasUnknownLength, type SlotRef, type SlotRow } from '../../code/abstract/facts.ts'
import type { Examination } from '../../examine/examination.ts'
import { memberIndex } from '../../power/accounts/members.ts'
import { externallyGuarded } from '../../power/accounts/public-getters.ts'
import { SELF_SERVICE } from '../../power/calls/arguments.ts'
import { CONTROL_EFFECTS, type Effect } from '../../power/effects/effects.ts'
import type { Power, PowerFacts } from '../../power/power.ts'
import { evidenceOf, type Finding, finding } from './finding.ts'

/** Whether one of these powers depends on the answer of a contract that no getter reveals. */
const isGuardedByHiddenContract = ({ subject, visibleGuards }: Examination, powers: readonly Power[]): boolean => {
  const selectors = new Set(
    externallyGuarded(subject.functions)
      .filter(
        ({ calledSlots, calledConstants }) =>
          calledConstants.some((address) => !visibleGuards.has(address)) ||
          calledSlots.some(({ slot, shift }) => !visibleGuards.has(`${slot}:${shift}`)),
      )
      .map(({ selector }) => selector),
  )
  return powers.some(({ target, selector }) => target === subject.token && selectors.has(selector))
}

/** Functions that check the caller only by a hash. No getter can reveal the caller, and renouncing changes nothing. */
const hashGuarded = (functions: readonly FunctionFacts[]): ReadonlySet<string> =>
  new Set(
    functions
      .filter(
        ({ byDigest, staticCalls, callerSlots, callerConstants, callerMaps }) =>
          byDigest && !staticCalls && callerSlots.length + callerConstants.length + callerMaps.length === 0,
      )
      .map(({ selector }) => selector),
  )

/** Mappings whose entries a getter shows. */
const mapsShown = (functions: readonly FunctionFacts[]): ReadonlySet<string> =>
  new Set(functions.filter((facts) => !facts.writes && facts.args.length > 0).flatMap((facts) => facts.maps))

/** Functions that read an entry of their caller which no getter shows, whether it is a guard or not. */
const readingHiddenEntries = (functions: readonly FunctionFacts[]): ReadonlySet<string> => {
  const shown = mapsShown(functions)
  return new Set(
    functions
      .filter(({ callerEntries }) => callerEntries.some(({ base }) => !shown.has(base)))
      .map(({ selector }) => selector),
  )
}

/**
 * Functions with a guard that cannot be looked up: the caller is compared with a constant, a slot or a list without a
 * getter. Roles with a public `hasRole`, or a public `minter()`, are not hidden.
 */
const withoutGetter = (functions: FunctionFacts[], shown: ReadonlySet<string>): Set<string> => {
  const getters = functions.filter((facts) => !facts.writes)
  const shownSlots = new Set(
    getters
      .filter((facts) => facts.args.length === 0)
      .flatMap((facts) => facts.reads.map((ref) => `${ref.slot}:${ref.shift}`)),
  )
  const shownMaps = mapsShown(functions)
  const shownRows = getters.flatMap((facts) => facts.rows)
  /** Whether a getter reveals each member of the list that contains this slot. */
  const isRowShown = ({ slot, row }: SlotRef) =>
    row !== undefined &&
    (row.kind === 'words'
      ? shownRows.some((one) => one.maxLength !== undefined && memberIndex(one, BigInt(slot)) !== undefined)
      : shownMaps.has(row.base))
  /** Whether a getter reveals the whole list, for a list whose members are not all known. */
  const isOpen = ({ kind, base, from }: SlotRow) =>
    kind === 'words' ? shownRows.some((one) => memberIndex(one, from) !== undefined) : shownMaps.has(base)
  const isHidden = (facts: FunctionFacts) =>
    facts.callerConstants.some((address) => !shown.has(address)) ||
    facts.callerSlots
      .filter((ref) => !ref.pastEnd && !isRowShown(ref))
      .map((ref) => `${ref.slot}:${ref.shift}`)
      .some((place) => !shownSlots.has(place) && !shown.has(place)) ||
    facts.callerMaps.some((base) => !shownMaps.has(base)) ||
    facts.callerRows.some((row) => hasUnknownLength(row) && !isOpen(row)) ||
    facts.byUnknown
  return new Set(functions.filter(isHidden).map((facts) => facts.selector))
}

/** What a transfer or an approval may do by a power. Stops and taxes after one may be the limits of any holder. */
const TOKENS_OF_OTHERS: readonly Effect[] = ['mint', 'set_balance', 'burn_other']

/** Percent of a trade that honest tokens take at most; other checkers warn of more. */
const USUAL_TAX = 10
const onlyTaxes = (powers: readonly Power[]): boolean =>
  powers.length > 0 && powers.every(({ effect, tax }) => /^tax_/.test(effect) && tax <= USUAL_TAX)

const hiddenOwnerOf = (examination: Examination): { owner: Finding; ruling: Power[]; takeBack: Finding } => {
  const { hidden, powers } = examination
  const hiddenGuards = withoutGetter(examination.subject.functions, examination.visibleGuards)
  const hiddenLists = readingHiddenEntries(examination.subject.functions)
  const isUnshown = (selector: string) => hiddenGuards.has(selector) || hiddenLists.has(selector)
  const unlisted: Finding = powers.unproven.guardedByList.some(isUnshown)
    ? { holds: undefined, evidence: [], why: 'a list without a public getter decides who may call it' }
    : { holds: false, evidence: [] }
  // Without an account to try, a guard that was not read may still exist.
  const untried: Finding = { holds: powers.complete ? false : undefined, evidence: [] }
  if (!hidden) return { owner: powers.complete ? unlisted : untried, ruling: [], takeBack: untried }
  const everyones = new Set(
    hidden.powers.filter((power) => power.anyone).map((power) => `${power.selector}${power.effect}`),
  )
  const own = hidden.powers.filter((power) => !power.anyone && !everyones.has(`${power.selector}${power.effect}`))
  // A power also counts as hidden when a call behind a hidden guard enables it.
  const hides = ({ selector, after }: Power) =>
    [selector, after?.first, after?.middle].some((one) => one !== undefined && hiddenGuards.has(one))
  const ruling = own.filter(
    (power) =>
      !examination.tools.has(power.actor) &&
      hides(power) &&
      CONTROL_EFFECTS.includes(power.effect) &&
      !(SELF_SERVICE.has(power.selector) && !TOKENS_OF_OTHERS.includes(power.effect)),
  )
  const owner = finding(hidden, ruling)
  return {
    owner: owner.holds === false ? unlisted : owner,
    ruling,
    takeBack: finding(
      hidden,
      hidden.powers.filter((power) => power.effect === 'take_ownership'),
    ),
  }
}

/**
 * An administrator of roles controls a contract that looks renounced. Administrators that are contracts leave it
 * unknown.
 */
const roleAdminFinding = ({ admins, subject }: Examination): Finding | undefined => {
  if (!admins) return undefined
  const [person] = admins.accounts
  if (person === undefined)
    return {
      holds: undefined,
      evidence: [],
      why: 'owner() returns no owner, and a contract administers the roles',
    }
  if (!admins.gaveUp)
    return {
      holds: undefined,
      evidence: [],
      why: 'owner() returns no owner, and it is unknown whether ownership was ever renounced',
    }
  const shown = `owner() returns no owner, but ${person} administers the roles (hasRole)`
  return { holds: true, evidence: [shown, ...evidenceOf(admins.powers, subject.token)] }
}

const NAMED_BY_HIDDEN_CONTRACT: Finding = {
  holds: undefined,
  evidence: [],
  why: 'another contract, which no public getter names, decides who may call it',
}

/** Hidden owners, how much they weigh, and whether ownership comes back. */
export type Owners = {
  hiddenOwner: Finding
  /**
   * Whether the hidden owner is publicly visible (it administers roles of a contract that looks renounced) or can only
   * set a tax that many honest tokens have.
   */
  hiddenOwnerMild: boolean
  takeBack: Finding
  /** Whether ownership only returns at a public date, after a temporary renouncement. */
  takeBackDated: boolean
}

/** `owned`: powers over the contract that particular accounts hold. */
export const ownersOf = (examination: Examination, facts: PowerFacts, owned: Power[]): Owners => {
  const { owner, ruling, takeBack } = hiddenOwnerOf(examination)
  const hashGuards = hashGuarded(examination.subject.functions)
  const byHash = owned.filter(
    ({ selector, target, after }) =>
      target === facts.token &&
      [selector, after?.first, after?.middle].some((one) => one !== undefined && hashGuards.has(one)) &&
      !SELF_SERVICE.has(selector),
  )
  const byApproval = owned.filter(
    ({ actor, selector }) =>
      SELF_SERVICE.has(selector) &&
      facts.spenders.some(({ address, place }) => address === actor && !examination.visibleGuards.has(place)),
  )
  const concealed = [...byHash, ...byApproval]
  const ownerOrConcealed = owner.holds || concealed.length === 0 ? owner : finding(facts, concealed)
  const named =
    ownerOrConcealed.holds === false && isGuardedByHiddenContract(examination, owned)
      ? NAMED_BY_HIDDEN_CONTRACT
      : ownerOrConcealed
  const open = named.holds ? undefined : roleAdminFinding(examination)
  return {
    hiddenOwner: open?.holds || named.holds === false ? (open ?? named) : named,
    hiddenOwnerMild: open?.holds === true || onlyTaxes(owner.holds ? ruling : concealed),
    takeBack: examination.ownershipReturns ? { holds: true, evidence: [examination.ownershipReturns] } : takeBack,
    takeBackDated: !takeBack.holds && examination.ownershipReturns !== undefined,
  }
}
