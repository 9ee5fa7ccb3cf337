/** Compares two verdicts: whether they differ, in which direction, and why. */
import { BAND_NAMES, type Direction, type VerdictChange } from '../../../schema/records/service/monitoring.ts'
import type { Judged, Reason } from './verdict.ts'

/** The difference between two verdicts on one address. */
export type Change = Omit<VerdictChange, 'network' | 'address' | 'operation'>

const MAX_REASONS = 20
const RISK_STATUSES = ['Low Risk', 'Medium Risk', 'High Risk']

/** The ordered parts of a verdict. No verdict counts as a clean one. */
const gravity = (judged: Judged | null) => ({
  fraud: judged?.verdict.status === 'Fraud' ? 1 : 0,
  band: judged ? BAND_NAMES.indexOf(judged.verdict.band) : 0,
  risk: judged?.verdict.riskStatus ? RISK_STATUSES.indexOf(judged.verdict.riskStatus) : 0,
})

/** Changes of taxes that are known before and after. A tax that is measured for the first time does not count as a change. */
const taxRises = (before: Judged | null, after: Judged | null): number[] =>
  (['buyTax', 'sellTax'] as const).flatMap((name) => {
    const [then, now] = [before?.verdict[name] ?? null, after?.verdict[name] ?? null]
    return then === null || now === null ? [] : [now - then]
  })

const without = (some: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others)
  return some.filter((one) => !known.has(one))
}

const reasonChanges = (before: readonly Reason[], after: readonly Reason[]): VerdictChange['cause']['reasons'] => {
  const [had, has] = [new Set(before.map(({ code }) => code)), new Set(after.map(({ code }) => code))]
  return [
    ...after.filter(({ code }) => !had.has(code)).map((reason) => ({ ...reason, change: 'added' as const })),
    ...before.filter(({ code }) => !has.has(code)).map((reason) => ({ ...reason, change: 'removed' as const })),
  ].slice(0, MAX_REASONS)
}

/** The change between two verdicts; `undefined` if they are equal, even if the records differ otherwise. */
export const changeOf = (before: Judged | null, after: Judged | null): Change | undefined => {
  const [then, now] = [before?.verdict ?? null, after?.verdict ?? null]
  const flagsRaised = without(now?.flags ?? [], then?.flags ?? [])
  const flagsCleared = without(then?.flags ?? [], now?.flags ?? [])
  const [low, high] = [gravity(before), gravity(after)]
  const rises = [high.fraud - low.fraud, high.band - low.band, high.risk - low.risk, ...taxRises(before, after)]
  const unlocked = before?.liquidityLocked === true && after?.liquidityLocked === false
  const locked = before?.liquidityLocked === false && after?.liquidityLocked === true
  const worse = flagsRaised.length > 0 || unlocked || rises.some((rise) => rise > 0)
  const better = flagsCleared.length > 0 || locked || rises.some((rise) => rise < 0)
  const renamed = then !== null && now !== null && (then.status !== now.status || then.riskStatus !== now.riskStatus)
  if (!worse && !better && !renamed) return undefined
  const direction: Direction = worse ? 'worse' : better ? 'better' : 'neutral'
  const modelChanged = then !== null && now !== null && then.modelVersion !== now.modelVersion
  const reasons = reasonChanges(before?.reasons ?? [], after?.reasons ?? [])
  return { direction, before: then, after: now, flagsRaised, flagsCleared, cause: { reasons, modelChanged } }
}
