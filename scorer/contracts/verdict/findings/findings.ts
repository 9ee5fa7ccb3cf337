/** Powers and trades read as findings: what the record's flags say, each with the calls that prove it. */
import type { Examination } from '../../examine/examination.ts'
import { SELF_SERVICE } from '../../power/calls/arguments.ts'
import { CONTROL_EFFECTS, type Effect } from '../../power/effects/effects.ts'
import type { Power } from '../../power/power.ts'
import { type Finding, finding } from './finding.ts'
import { type Owners, ownersOf } from './hidden-owner.ts'
import { bySelector, stopsOf } from './stops.ts'
import { bestOf, type TradeFindings, toldApart, tradeFindingsOf } from './trades.ts'

/** What the flags of a record rest on. */
export type Findings = Owners &
  TradeFindings & {
    mint: Finding
    /** Whether every mint found is used up after one call. */
    mintsOnce: boolean
    changeBalance: Finding
    blacklist: Finding
    pause: Finding
    limitModifiable: Finding
    tax: Finding
    personalTax: Finding
    whitelist: Finding
    withdraw: Finding
    approvalAbuse: Finding
    /** Highest tax any call can bring about, percent. */
    reachableTax: number
  }

/** Reads an examination. What an insider can do counts, what everybody can do to a contract that is asked does not. */
export const findingsOf = (examination: Examination): Findings => {
  const { powers: all, tools } = examination
  const facts = { ...all, powers: all.powers.filter(({ actor }) => !tools.has(actor)) }
  const powers = facts.powers.filter(
    (power) =>
      !SELF_SERVICE.has(power.selector) ||
      power.lasts ||
      (!power.anyone && ['mint', 'set_balance', 'burn_other'].includes(power.effect)),
  )
  const groups = bySelector(powers)
  const having = (effect: Effect) =>
    new Set(groups.filter((group) => group.effects.has(effect)).map((group) => group.selector))
  // A tax of more than everything stops trade as well: it is the tax that is the power. The same for a new measure of balances.
  const taxing = having('tax_one')
  const sparing = having('set_balance')
  const rebasing = new Set([...having('rebase')].filter((selector) => !sparing.has(selector)))
  const { pauses, limits } = stopsOf(
    groups.filter((group) => !rebasing.has(group.selector)),
    facts,
  )
  const of = (...effects: Effect[]) =>
    powers.filter((power) => effects.includes(power.effect) && !rebasing.has(power.selector))
  // What everyone can do to a contract that is asked is nobody's power.
  const key = (power: Power) => `${power.target}${power.selector}${power.effect}`
  const everyones = new Set(powers.filter((power) => power.anyone && power.target !== facts.token).map(key))
  const owned = (...effects: Effect[]) => of(...effects).filter((power) => !power.anyone && !everyones.has(key(power)))
  // What a contract that nobody rules might do, its own functions decide, and not all that they check can be tried.
  const unlessByTools = (found: Finding, ...effects: Effect[]): Finding => {
    const might = all.powers.some(({ actor, effect }) => tools.has(actor) && effects.includes(effect))
    return found.holds === false && might ? { ...found, holds: undefined } : found
  }
  // Who names an account may spare everybody: another pool, or one holder less among whom a fee is divided.
  const tax = owned('tax_all', 'tax_cut').filter(
    ({ effect, kinds }) => effect === 'tax_all' || kinds.length === 0 || kinds.some((kind) => kind !== 'address'),
  )
  const exempt = owned('exempt_one', 'allow_one')
  const whitelist = finding(facts, exempt, true)
  return {
    mint: unlessByTools(finding(facts, of('mint'), false, true), 'mint'),
    mintsOnce: of('mint').length > 0 && of('mint').every((power) => power.singleUse),
    changeBalance: unlessByTools(
      finding(facts, of('burn_other', 'set_balance'), false, true),
      ...(['burn_other', 'set_balance'] as const),
    ),
    blacklist: finding(
      facts,
      owned('freeze_one').filter((power) => !taxing.has(power.selector)),
      true,
    ),
    pause: finding(
      facts,
      pauses.filter((power) => !power.anyone),
      true,
    ),
    limitModifiable: finding(
      facts,
      limits.filter((power) => !power.anyone),
      true,
    ),
    tax: finding(facts, tax, true),
    personalTax: finding(facts, owned('tax_one'), true),
    whitelist: toldApart(bestOf(examination), whitelist),
    withdraw: finding(facts, owned('withdraw', 'withdraw_native'), false, true),
    approvalAbuse: finding(facts, of('spend_allowance'), false, true),
    ...ownersOf(examination, facts, owned(...CONTROL_EFFECTS)),
    ...tradeFindingsOf(examination),
    reachableTax: Math.max(0, ...of('tax_all', 'tax_one').map((power) => power.tax)),
  }
}
