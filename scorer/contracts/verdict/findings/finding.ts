/** What is said of one question about a contract, with the calls that prove it. */
import type { Power, PowerFacts } from '../../power/power.ts'

/** `why` it is unknown, where that has a reason of its own. */
export type Finding = { holds: boolean | undefined; evidence: string[]; why?: string }

/** The calls that have to come first. */
const before = ({ after }: Power): string =>
  after?.first === undefined
    ? after
      ? 'time, then '
      : ''
    : [after.first, after.middle]
        .map((selector) => (selector ? `${selector}, ${after.delayed ? 'time, ' : ''}then ` : ''))
        .join('')

const show = (power: Power, token: string): string =>
  `${before(power)}${power.selector}${power.target === token ? '' : ` of ${power.target}`} called by ${power.anyone ? 'anyone' : power.actor}${power.actorIsOrigin ? ', who begins the transaction' : ''}: ${power.effect}${power.tax >= 1 ? ` (${power.tax.toFixed(0)}% lost)` : ''}${power.singleUse ? ' (works once)' : ''}`

/** One line per function and effect. */
export const evidenceOf = (powers: Power[], token: string): string[] =>
  [...new Map(powers.map((power) => [`${power.selector}${power.effect}`, show(power, token)])).values()].slice(0, 5)

/** A power that one call may have, or, with `chained`, a call after another or with somebody's signature. */
export const finding = (facts: PowerFacts, powers: Power[], needsMovable = false, chained = false): Finding => {
  if (powers.length > 0) return { holds: true, evidence: evidenceOf(powers, facts.token) }
  // One call that was not tried, or a function that was not read, may be the one.
  const unknown =
    !facts.complete ||
    facts.skipped > 0 ||
    (needsMovable && ((facts.tried > 0 && !facts.movable) || facts.unproven.controlsTransfers !== undefined)) ||
    (chained && (facts.sequencesCut || facts.unproven.movesTokens !== undefined))
  return { holds: unknown ? undefined : false, evidence: [] }
}
