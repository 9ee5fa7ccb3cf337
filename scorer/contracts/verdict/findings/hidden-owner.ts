/** Who rules without showing: behind guards that no getter shows, by a hash, by another contract's word, or by roles that outlived an owner. */
import { type FunctionFacts, hasUnknownLength, type SlotRef, type SlotRow } from '../../code/abstract/facts.ts'
import type { Examination } from '../../examine/examination.ts'
import { memberIndex } from '../../power/accounts/members.ts'
import { externallyGuarded } from '../../power/accounts/public-getters.ts'
import { SELF_SERVICE } from '../../power/calls/arguments.ts'
import { CONTROL_EFFECTS } from '../../power/effects/effects.ts'
import type { Power, PowerFacts } from '../../power/power.ts'
import { evidenceOf, type Finding, finding } from './finding.ts'

/** Whether somebody has one of these powers because a contract says so that no getter shows. */
const byUnshown = ({ subject, shown }: Examination, powers: readonly Power[]): boolean => {
  const selectors = new Set(
    externallyGuarded(subject.functions)
      .filter(
        ({ calledSlots, calledConstants }) =>
          calledConstants.some((address) => !shown.has(address)) ||
          calledSlots.some(({ slot, shift }) => !shown.has(`${slot}:${shift}`)),
      )
      .map(({ selector }) => selector),
  )
  return powers.some(({ target, selector }) => target === subject.token && selectors.has(selector))
}

/** Functions that recognise who may call them by a hash alone: no getter can show whom, and renouncing changes nothing. */
const sealed = (functions: readonly FunctionFacts[]): ReadonlySet<string> =>
  new Set(
    functions
      .filter(
        ({ byDigest, staticCalls, callerSlots, callerConstants, callerMaps }) =>
          byDigest && !staticCalls && callerSlots.length + callerConstants.length + callerMaps.length === 0,
      )
      .map(({ selector }) => selector),
  )

/**
 * Functions whose guard nobody can look up: the caller is compared with a constant, a slot or a list no getter shows.
 * Roles with a public `hasRole` and a `minter()` are open, not hidden.
 */
const concealed = (functions: FunctionFacts[], shown: ReadonlySet<string>): Set<string> => {
  const getters = functions.filter((facts) => !facts.writes)
  const shownSlots = new Set(
    getters
      .filter((facts) => facts.args.length === 0)
      .flatMap((facts) => facts.reads.map((ref) => `${ref.slot}:${ref.shift}`)),
  )
  const shownMaps = new Set(getters.filter((facts) => facts.args.length > 0).flatMap((facts) => facts.maps))
  const shownRows = getters.flatMap((facts) => facts.rows)
  /** Whether a getter shows each member of the row that the place was found in. */
  const isRowShown = ({ slot, row }: SlotRef) =>
    row !== undefined &&
    (row.kind === 'words'
      ? shownRows.some((one) => one.maxLength !== undefined && memberIndex(one, BigInt(slot)) !== undefined)
      : shownMaps.has(row.base))
  /** Of a row of which not every member is known: whether a getter shows all of it. */
  const isOpen = ({ kind, base, from }: SlotRow) =>
    kind === 'words' ? shownRows.some((one) => memberIndex(one, from) !== undefined) : shownMaps.has(base)
  const dark = (facts: FunctionFacts) =>
    facts.callerConstants.some((address) => !shown.has(address)) ||
    facts.callerSlots
      .filter((ref) => !ref.pastEnd && !isRowShown(ref))
      .map((ref) => `${ref.slot}:${ref.shift}`)
      .some((place) => !shownSlots.has(place) && !shown.has(place)) ||
    facts.callerMaps.some((base) => !shownMaps.has(base)) ||
    facts.callerRows.some((row) => hasUnknownLength(row) && !isOpen(row)) ||
    facts.byUnknown
  return new Set(functions.filter(dark).map((facts) => facts.selector))
}

/** Percent of a trade that honest tokens take at most, as checks of other services warn of more. */
const USUAL_TAX = 10
const onlyTaxes = (powers: readonly Power[]): boolean =>
  powers.length > 0 && powers.every(({ effect, tax }) => /^tax_/.test(effect) && tax <= USUAL_TAX)

const hiddenOf = (examination: Examination): { owner: Finding; ruling: Power[]; takeBack: Finding } => {
  const { hidden, powers } = examination
  const dark = concealed(examination.subject.functions, examination.shown)
  const unlisted: Finding = powers.unproven.guardedByList.some((selector) => dark.has(selector))
    ? { holds: undefined, evidence: [], why: 'a list that no getter shows decides who may do it' }
    : { holds: false, evidence: [] }
  // Nobody to try it as is no proof where a guard may not have been read.
  const untried: Finding = { holds: powers.complete ? false : undefined, evidence: [] }
  if (!hidden) return { owner: powers.complete ? unlisted : untried, ruling: [], takeBack: untried }
  const publicOnes = new Set(
    hidden.powers.filter((power) => power.anyone).map((power) => `${power.selector}${power.effect}`),
  )
  const own = hidden.powers.filter((power) => !power.anyone && !publicOnes.has(`${power.selector}${power.effect}`))
  // What a call does that one behind a hidden guard makes possible is hidden as well.
  const hides = ({ selector, after }: Power) =>
    [selector, after?.first, after?.middle].some((one) => one !== undefined && dark.has(one))
  const ruling = own.filter(
    (power) =>
      !examination.tools.has(power.actor) &&
      hides(power) &&
      CONTROL_EFFECTS.includes(power.effect) &&
      !(SELF_SERVICE.has(power.selector) && power.effect !== 'mint'),
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

/** Whoever administers roles rules a contract that reads as given up. What a contract does with that role is its own matter. */
const openAdmin = ({ admins, subject }: Examination): Finding | undefined => {
  if (!admins) return undefined
  const [person] = admins.accounts
  if (person === undefined)
    return {
      holds: undefined,
      evidence: [],
      why: 'owner() answers nobody, and a contract administers the roles that rule it',
    }
  if (!admins.gaveUp)
    return {
      holds: undefined,
      evidence: [],
      why: 'owner() answers nobody, and whether anybody ever gave it up is not known',
    }
  const shown = `owner() answers nobody, and ${person} administers the roles (hasRole)`
  return { holds: true, evidence: [shown, ...evidenceOf(admins.powers, subject.token)] }
}

const NAMED_ELSEWHERE: Finding = {
  holds: undefined,
  evidence: [],
  why: 'another contract, which no getter shows, decides who may do it',
}

/** Whether somebody rules who cannot be looked up, how much that weighs, and whether ownership comes back. */
export type Owners = {
  hiddenOwner: Finding
  /**
   * Whether that is somebody whom everyone can look up, who administers roles of a contract that reads as given up, or who can do no more
   * than set a tax that many honest tokens have.
   */
  hiddenOwnerMild: boolean
  takeBack: Finding
  /** Whether ownership can only come back after being lent out until a date, which everyone can see. */
  takeBackDated: boolean
}

/** `owned`: powers that rule the contract, of somebody in particular. */
export const ownersOf = (examination: Examination, facts: PowerFacts, owned: Power[]): Owners => {
  const { owner, ruling, takeBack } = hiddenOf(examination)
  const secret = sealed(examination.subject.functions)
  const bySecret = owned.filter(
    ({ selector, target, after }) =>
      target === facts.token &&
      [selector, after?.first, after?.middle].some((one) => one !== undefined && secret.has(one)) &&
      !SELF_SERVICE.has(selector),
  )
  const byApproval = owned.filter(
    ({ actor, selector }) =>
      SELF_SERVICE.has(selector) && facts.spenders.includes(actor) && !examination.shown.has(actor),
  )
  const concealedPowers = [...bySecret, ...byApproval]
  const sealedOwner = owner.holds || concealedPowers.length === 0 ? owner : finding(facts, concealedPowers)
  const named = sealedOwner.holds === false && byUnshown(examination, owned) ? NAMED_ELSEWHERE : sealedOwner
  const open = named.holds ? undefined : openAdmin(examination)
  return {
    hiddenOwner: open?.holds || named.holds === false ? (open ?? named) : named,
    hiddenOwnerMild: open?.holds === true || onlyTaxes(owner.holds ? ruling : concealedPowers),
    takeBack: examination.returned ? { holds: true, evidence: [examination.returned] } : takeBack,
    takeBackDated: !takeBack.holds && examination.returned !== undefined,
  }
}
