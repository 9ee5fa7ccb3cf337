/** The answer to one question about a contract, with the calls that prove it. */
import type { Power, PowerFacts } from '../../power/power.ts'

/** `holds` is `undefined` when unknown; `why` gives a specific reason. */
export type Finding = { holds: boolean | undefined; evidence: string[]; why?: string }

/** The calls that must come first. */
const before = ({ after }: Power): string => {
  if (!after) return ''
  if (after.first === undefined) return 'wait, then '
  const then = after.delayed ? 'wait, then ' : 'then '
  return [after.first, after.middle].map((selector) => (selector ? `${selector}, ${then}` : '')).join('')
}

const show = (power: Power, token: string): string => {
  const { selector, target, actor, anyone, actorIsOrigin, effect, tax, singleUse, credits } = power
  if (credits !== undefined) return `trades and transfers of anyone credit ${credits} with new tokens: ${effect}`
  const call = `${selector}${target === token ? '' : ` of ${target}`} called by ${anyone ? 'anyone' : actor}`
  const lost = tax >= 1 ? ` (${tax.toFixed(0)}% lost)` : ''
  return `${before(power)}${call}${actorIsOrigin ? ' as the transaction origin' : ''}: ${effect}${lost}${singleUse ? ' (works once)' : ''}`
}

/** One line per function and effect. */
export const evidenceOf = (powers: Power[], token: string): string[] =>
  [...new Map(powers.map((power) => [`${power.selector}${power.effect}`, show(power, token)])).values()].slice(0, 5)

/** A finding from probed powers. `chained`: the power may also need a call before it, or somebody's signature. */
export const finding = (facts: PowerFacts, powers: Power[], needsMovable = false, chained = false): Finding => {
  if (powers.length > 0) return { holds: true, evidence: evidenceOf(powers, facts.token) }
  // An untried call or an unread function may have the power.
  const unknown =
    !facts.complete ||
    facts.skipped > 0 ||
    (needsMovable && ((facts.tried > 0 && !facts.movable) || facts.unproven.controlsTransfers !== undefined)) ||
    (chained && (facts.sequencesCut || facts.unproven.movesTokens !== undefined))
  return { holds: unknown ? undefined : false, evidence: [] }
}
