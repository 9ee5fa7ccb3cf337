/** Which other contracts a function turns to. */
import type { FunctionFacts } from '../../code/abstract/facts.ts'

/** Contracts that a function of the subject asks or calls, as far as its code shows them. */
export const calleesOf = (facts: FunctionFacts, stored: ReadonlyMap<string, string>): string[] =>
  facts.staticCalls || facts.calls || facts.delegates
    ? [
        ...facts.calledSlots.flatMap(({ slot, shift }) => stored.get(`${slot}:${shift}`) ?? []),
        ...facts.calledConstants,
      ]
    : []
