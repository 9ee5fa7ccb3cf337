/** Powers and trades read as findings: what the record's flags say, each with the calls that prove it. */
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { type Examination, TRAP_TAX } from '../examine.ts'
import { SELF_SERVICE } from '../power/calls/arguments.ts'
import { type Effect, RULING } from '../power/effects/effects.ts'
import { askingOthers } from '../power/people/shown.ts'
import type { Power, PowerFacts } from '../power/power.ts'
import { FAILER, REFUSER } from '../power/powers.ts'
import type { TradeFacts } from '../trade/facts.ts'

/** `why` it is unknown, where that has a reason of its own. */
export type Finding = { holds: boolean | undefined; evidence: string[]; why?: string }

/** The calls that have to come first. */
const before = ({ after }: Power): string =>
  after?.selector === undefined
    ? after
      ? 'time, then '
      : ''
    : [after.selector, after.middle]
        .map((selector) => (selector ? `${selector}, ${after.later ? 'time, ' : ''}then ` : ''))
        .join('')

const show = (power: Power, token: string): string =>
  `${before(power)}${power.selector}${power.target === token ? '' : ` of ${power.target}`} called by ${power.anyone ? 'anyone' : power.actor}${power.begins ? ', who begins the transaction' : ''}: ${power.effect}${power.tax >= 1 ? ` (${power.tax.toFixed(0)}% lost)` : ''}${power.once ? ' (works once)' : ''}`

/** One line per function and effect. */
const evidenceOf = (powers: Power[], token: string): string[] =>
  [...new Map(powers.map((power) => [`${power.selector}${power.effect}`, show(power, token)])).values()].slice(0, 5)

const numberOf = (power: Power): bigint => {
  for (const arg of power.args) {
    if (typeof arg === 'bigint') return arg
  }
  return 0n
}

type Grouped = { selector: string; effects: Set<Effect>; powers: Power[]; kinds: string[] }

const bySelector = (powers: Power[]): Grouped[] => {
  const groups = new Map<string, Grouped>()
  for (const power of powers) {
    const key = `${power.target}${power.selector}`
    const group = groups.get(key) ?? {
      selector: power.selector,
      effects: new Set(),
      powers: [],
      kinds: power.kinds,
    }
    group.effects.add(power.effect)
    group.powers.push(power)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Whether a call names nobody but who makes it, and contracts that fail. */
const namesOwn = ({ actor, args }: Power): boolean => {
  const named = args.filter((arg) => typeof arg === 'string')
  return named.length > 0 && named.every((who) => who === actor || who === FAILER)
}

/**
 * Splits stops of all trade into pauses and limits: a function that stops everyone for small numbers only sets a
 * limit; one that stops everyone for large numbers only sets a date or a tax.
 */
const stopsOf = (groups: Grouped[], token: string): { pauses: Power[]; limits: Power[] } => {
  const pauses: Power[] = []
  const limits: Power[] = []
  for (const group of groups) {
    const stops = group.powers.filter((power) => power.effect === 'freeze_all' || power.effect === 'halt_trading')
    limits.push(...group.powers.filter((power) => power.effect === 'limit'))
    if (stops.length === 0) continue
    const taxes = group.effects.has('tax_all')
    // The contract named here is asked or told about every transfer: one that says no, or fails, stops everyone.
    if (group.kinds.length === 1) pauses.push(...stops.filter(({ args }) => args[0] === REFUSER || args[0] === FAILER))
    else pauses.push(...stops.filter((power) => power.target !== token && namesOwn(power)))
    if (group.kinds.includes('address') || group.kinds.includes('array')) continue
    if (!group.kinds.includes('uint')) pauses.push(...stops)
    else if (!taxes) {
      const smallest = stops.map(numberOf).sort((a, b) => Number(a - b))[0] ?? 0n
      if (group.effects.has('limit') || smallest <= 1n) limits.push(...stops)
      else pauses.push(...stops)
    }
  }
  return { pauses, limits }
}

/** A power that one call may have, or, with `chained`, a call after another or with somebody's signature. */
const finding = (facts: PowerFacts, powers: Power[], needsMovable = false, chained = false): Finding => {
  if (powers.length > 0) return { holds: true, evidence: evidenceOf(powers, facts.token) }
  // One call that was not tried, or a function that was not read, may be the one.
  const unknown =
    !facts.complete ||
    facts.skipped > 0 ||
    (needsMovable && ((facts.tried > 0 && !facts.movable) || facts.unseen.ruling !== undefined)) ||
    (chained && (facts.chainsCut || facts.unseen.moving !== undefined))
  return { holds: unknown ? undefined : false, evidence: [] }
}

/** Whether somebody has one of these powers because a contract says so that no getter shows. */
const byUnshown = ({ subject, shown }: Examination, powers: readonly Power[]): boolean => {
  const selectors = new Set(
    askingOthers(subject.functions)
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
        ({ byDigest, asks, callerSlots, callerConstants, callerMaps }) =>
          byDigest && !asks && callerSlots.length + callerConstants.length + callerMaps.length === 0,
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
  const dark = (facts: FunctionFacts) =>
    facts.callerConstants.some((address) => !shown.has(address)) ||
    facts.callerSlots
      .map((ref) => `${ref.slot}:${ref.shift}`)
      .some((place) => !shownSlots.has(place) && !shown.has(place)) ||
    facts.callerMaps.some((base) => !shownMaps.has(base))
  return new Set(functions.filter(dark).map((facts) => facts.selector))
}

/** Percent of a trade that honest tokens take at most, as checks of other services warn of more. */
const USUAL_TAX = 10
const onlyTaxes = (powers: readonly Power[]): boolean =>
  powers.length > 0 && powers.every(({ effect, tax }) => /^tax_/.test(effect) && tax <= USUAL_TAX)

const hiddenOf = (examination: Examination): { owner: Finding; ruling: Power[]; takeBack: Finding } => {
  const { hidden, powers } = examination
  const dark = concealed(examination.subject.functions, examination.shown)
  const unlisted: Finding = powers.unseen.listed.some((selector) => dark.has(selector))
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
    [selector, after?.selector, after?.middle].some((one) => one !== undefined && dark.has(one))
  const ruling = own.filter(
    (power) =>
      !examination.tools.has(power.actor) &&
      hides(power) &&
      RULING.includes(power.effect) &&
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
  const [person] = admins.people
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

export type Findings = {
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
  hiddenOwner: Finding
  /**
   * Whether that is somebody whom everyone can look up, who administers roles of a contract that reads as given up, or who can do no more
   * than set a tax that many honest tokens have.
   */
  hiddenOwnerMild: boolean
  takeBack: Finding
  /** Whether ownership can only come back after being lent out until a date, which everyone can see. */
  takeBackDated: boolean
  honeypot: Finding
  cannotBuy: Finding
  cannotSellAll: Finding
  antiWhale: Finding
  cooldown: Finding
  /** Percent, one decimal kept. */
  buyTax: number | undefined
  sellTax: number | undefined
  /** What trades lose, percent, or if it falls, what it falls to; `undefined` where none worked. */
  lastingTax: TradeFacts['lastingTax']
  /** Highest tax any call can bring about, percent. */
  reachableTax: number
}

const UNTRADED: Finding = { holds: undefined, evidence: [] }
const NAMED_ELSEWHERE: Finding = {
  holds: undefined,
  evidence: [],
  why: 'another contract, which no getter shows, decides who may do it',
}

const honeypotOf = (facts: TradeFacts, opened: TradeFacts | undefined): Finding => {
  const trade = facts.canBuy === false && opened ? opened : facts
  if (!trade.simulated) return { holds: undefined, evidence: ['nothing could be simulated'] }
  const evidence: string[] = []
  const { tried, blocked } = trade.holders
  if (trade.canBuy && (trade.canSell === false || trade.closesLater))
    evidence.push(...trade.evidence.filter((line) => line.startsWith('selling')))
  if (trade.melts) evidence.push('what was bought sells for less than a tenth a day later')
  // A tax that falls when time passes keeps nobody in, however high it begins.
  const { buy, sell } = trade.lastingTax
  if (trade.canSell && (sell ?? 0) >= TRAP_TAX) evidence.push(`a sale loses ${sell?.toFixed(0)}%`)
  if (trade.canBuy && (buy ?? 0) >= TRAP_TAX) evidence.push(`a purchase loses ${buy?.toFixed(0)}%`)
  if (tried >= 2 && blocked.length * 2 > tried)
    evidence.push(`${blocked.length} of ${tried} existing holders cannot sell: ${blocked.slice(0, 3).join(', ')}`)
  if (evidence.length > 0) return { holds: true, evidence }
  // A trap that springs at a moment nobody saw is not excluded.
  return { holds: trade.canSell === undefined || !trade.seenAllMoments ? undefined : false, evidence }
}

const known = (value: boolean | undefined, evidence: string): Finding => ({
  holds: value,
  evidence: value ? [evidence] : [],
})

export const findingsOf = (examination: Examination): Findings => {
  const { powers: all, trade, opened, traded, tools } = examination
  const facts = { ...all, powers: all.powers.filter(({ actor }) => !tools.has(actor)) }
  const best = trade.canBuy === false && opened ? opened.trade : trade
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
    facts.token,
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
  const { owner, ruling, takeBack } = hiddenOf(examination)
  const secret = sealed(examination.subject.functions)
  const bySecret = owned(...RULING).filter(
    ({ selector, target, after }) =>
      target === facts.token &&
      [selector, after?.selector, after?.middle].some((one) => one !== undefined && secret.has(one)) &&
      !SELF_SERVICE.has(selector),
  )
  const sealedOwner = owner.holds || bySecret.length === 0 ? owner : finding(facts, bySecret)
  const named = sealedOwner.holds === false && byUnshown(examination, owned(...RULING)) ? NAMED_ELSEWHERE : sealedOwner
  const open = named.holds ? undefined : openAdmin(examination)
  const hiddenOwner = open?.holds || named.holds === false ? (open ?? named) : named
  // Who names an account may spare everybody: another pool, or one holder less among whom a fee is divided.
  const tax = owned('tax_all', 'tax_cut').filter(
    ({ effect, kinds }) => effect === 'tax_all' || kinds.length === 0 || kinds.some((kind) => kind !== 'address'),
  )
  const exempt = owned('exempt_one', 'allow_one')
  const whitelist = finding(facts, exempt, true)
  return {
    mint: unlessByTools(finding(facts, of('mint'), false, true), 'mint'),
    mintsOnce: of('mint').length > 0 && of('mint').every((power) => power.once),
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
    whitelist: best.insiderFavoured
      ? { holds: true, evidence: ['insiders trade on better terms than others', ...whitelist.evidence] }
      : whitelist,
    withdraw: finding(facts, owned('withdraw', 'withdraw_native'), false, true),
    approvalAbuse: finding(facts, of('spend_allowance'), false, true),
    hiddenOwner,
    hiddenOwnerMild: open?.holds === true || onlyTaxes(owner.holds ? ruling : bySecret),
    takeBack: examination.returned ? { holds: true, evidence: [examination.returned] } : takeBack,
    takeBackDated: !takeBack.holds && examination.returned !== undefined,
    honeypot: traded ? honeypotOf(trade, opened?.trade) : UNTRADED,
    cannotBuy: known(trade.canBuy === undefined ? undefined : !trade.canBuy, trade.evidence[0] ?? 'buying is refused'),
    cannotSellAll: known(traded && best.cannotSellAll, 'selling everything is refused, selling part works'),
    antiWhale: known(traded && best.limited, 'a large purchase is refused, a small one works'),
    cooldown: known(traded && best.cooldown, 'trades close together are refused, apart they work'),
    buyTax: trade.canBuy === undefined ? undefined : trade.canBuy ? trade.buy?.tax : 100,
    sellTax: !traded
      ? undefined
      : trade.canSell === undefined
        ? best.sell?.tax
        : trade.canSell
          ? trade.sell?.tax
          : trade.canBuy
            ? 100
            : best.sell?.tax,
    lastingTax: best.lastingTax,
    reachableTax: Math.max(0, ...of('tax_all', 'tax_one').map((power) => power.tax)),
  }
}
