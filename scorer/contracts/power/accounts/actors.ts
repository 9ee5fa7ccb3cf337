/** Chooses the accounts that try a function. */
import { PERMIT2 } from '../../../../schema/registry/index.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'

/**
 * Accounts that a function may obey: stored addresses and constants that it compares with the caller, then insiders. A
 * function without a guard is also tried by the stranger. Permit2 is left out, because it acts only on its caller's own
 * tokens and signatures.
 */
export const actorsFor = (
  facts: FunctionFacts,
  known: { insiders: string[]; stored: Map<string, string>; stranger: string },
): string[] => {
  const own = facts.callerSlots.flatMap((ref) => known.stored.get(`${ref.slot}:${ref.shift}`) ?? [])
  const roles = facts.callerMaps.length > 0 ? known.insiders : known.insiders.slice(0, 1)
  const gated = facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length > 0
  const list = [...own, ...facts.callerConstants, ...roles, ...(gated ? [] : [known.stranger])]
  return [...new Set(list.filter((actor) => BigInt(actor) > 0xffffn && actor !== PERMIT2))]
}
