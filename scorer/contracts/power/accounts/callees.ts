/** Contracts that a function calls. */
import type { FunctionFacts } from '../../code/abstract/facts.ts'

/** Contracts that a function calls or delegates to at an address from storage (`stored`, by `slot:shift`) or from its code. */
export const calleesOf = (facts: FunctionFacts, stored: ReadonlyMap<string, string>): string[] =>
  facts.staticCalls || facts.calls || facts.delegates
    ? [
        ...facts.calledSlots.flatMap(({ slot, shift }) => stored.get(`${slot}:${shift}`) ?? []),
        ...facts.calledConstants,
      ]
    : []
