/** Interprets powers and trades as findings for the record's indicators, each with the calls that prove it. */
import type { Examination } from '../../examine/examination.ts'
import { SELF_SERVICE } from '../../power/calls/arguments.ts'
import { CONTROL_EFFECTS, type Effect } from '../../power/effects/effects.ts'
import type { Power } from '../../power/power.ts'
import { type Finding, finding } from './finding.ts'
import { type Owners, ownersOf } from './hidden-owner.ts'
import { bySelector, stopsOf } from './stops.ts'
import { bestOf, type TradeFindings, tradeFindingsOf, whitelistFinding } from './trades.ts'

const UNSOLD = 'calls are tried on sales by contracts, which the token refuses'

/** Findings behind the record's indicators. */
export type Findings = Owners &
  TradeFindings & {
    mint: Finding
    /** Whether every mint that was found works only once. */
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
    /** Accounts that the contract names and pools hold more than the supply. */
    excess: Finding
    /** Whether an insider alone holds more than the supply. */
    excessByInsider: boolean
    /** Highest tax that any call can set, percent. */
    reachableTax: number
  }

/** Trades may create tokens where it is not known whom they credit. */
const unlessByTrades = ({ unproven }: Examination['powers'], found: Finding): Finding =>
  found.holds === false && unproven.createsTokens !== undefined
    ? { ...found, holds: undefined, why: unproven.createsTokens }
    : found

/** Balances beyond the supply, in percent of it. */
const excessFinding = ({ excess }: Examination): Finding => {
  if (!excess) return { holds: false, evidence: [] }
  const percent = (amount: bigint) => `${(amount * 100n) / excess.supply}%`
  const all = `accounts that the contract names and pools hold ${percent(excess.held)} of the total supply`
  return { holds: true, evidence: [all, `${excess.largest} holds ${percent(excess.most)} of it`] }
}

/** Interprets an examination. Powers of insiders count; powers that everyone has over a helper contract do not. */
export const findingsOf = (examination: Examination): Findings => {
  const { powers: all, tools } = examination
  const facts = { ...all, powers: all.powers.filter(({ actor }) => !tools.has(actor)) }
  const powers = facts.powers.filter(
    (power) =>
      !SELF_SERVICE.has(power.selector) ||
      power.lasts ||
      power.credits !== undefined ||
      (!power.anyone && ['mint', 'set_balance', 'burn_other'].includes(power.effect)),
  )
  const groups = bySelector(powers)
  const having = (effect: Effect) =>
    new Set(groups.filter((group) => group.effects.has(effect)).map((group) => group.selector))
  // A tax of 100 % also stops trade, and a rebase also changes balances: the tax or the rebase is the power.
  const taxing = having('tax_one')
  const settingBalances = having('set_balance')
  const rebasing = new Set([...having('rebase')].filter((selector) => !settingBalances.has(selector)))
  const { pauses, limits } = stopsOf(
    groups.filter((group) => !rebasing.has(group.selector)),
    facts,
  )
  const of = (...effects: Effect[]) =>
    powers.filter((power) => effects.includes(power.effect) && !rebasing.has(power.selector))
  // A power that everyone has over a helper contract is not an owner's power.
  const key = (power: Power) => `${power.target}${power.selector}${power.effect}`
  const everyones = new Set(powers.filter((power) => power.anyone && power.target !== facts.token).map(key))
  const owned = (...effects: Effect[]) => of(...effects).filter((power) => !power.anyone && !everyones.has(key(power)))
  // The functions of a contract that nobody controls decide what it does, and not all of their checks can be tried.
  const unlessByTools = (found: Finding, ...effects: Effect[]): Finding => {
    const might = all.powers.some(({ actor, effect }) => tools.has(actor) && effects.includes(effect))
    return found.holds === false && might ? { ...found, holds: undefined } : found
  }
  // Calls are tried on contracts that sell at the pool, which some tokens leave to people or to the router.
  const unsold = bestOf(examination).canSell === true && facts.tried > 0 && facts.baseline?.victimSells.ok === false
  const ofSales = (found: Finding): Finding =>
    found.holds === false && unsold ? { ...found, holds: undefined, why: UNSOLD } : found
  // A call that takes only an address may spare everyone: it may set another pool, or remove one holder from those who
  // share a fee.
  const tax = owned('tax_all', 'tax_cut').filter(
    ({ effect, kinds }) => effect === 'tax_all' || kinds.length === 0 || kinds.some((kind) => kind !== 'address'),
  )
  const exempt = owned('exempt_one', 'allow_one')
  const whitelist = finding(facts, exempt, true)
  return {
    mint: unlessByTrades(facts, unlessByTools(finding(facts, of('mint'), false, true), 'mint')),
    mintsOnce: of('mint').length > 0 && of('mint').every((power) => power.singleUse),
    changeBalance: unlessByTools(
      finding(facts, of('burn_other', 'set_balance'), false, true),
      'burn_other',
      'set_balance',
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
    limitModifiable: ofSales(
      finding(
        facts,
        limits.filter((power) => !power.anyone),
        true,
      ),
    ),
    tax: ofSales(finding(facts, tax, true)),
    personalTax: ofSales(finding(facts, owned('tax_one'), true)),
    whitelist: whitelistFinding(bestOf(examination), whitelist),
    withdraw: finding(facts, owned('withdraw', 'withdraw_native'), false, true),
    approvalAbuse: finding(facts, of('spend_allowance'), false, true),
    ...ownersOf(examination, facts, owned(...CONTROL_EFFECTS)),
    ...tradeFindingsOf(examination),
    excess: excessFinding(examination),
    excessByInsider: examination.excess?.byInsider === true,
    reachableTax: Math.max(0, ...of('tax_all', 'tax_one').map((power) => power.tax)),
  }
}
