/** The same calls with coins, or with more data than the arguments take. */
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { type Candidate, SELF_SERVICE } from './arguments.ts'

/** Coins sent where nothing shows how many. */
export const DEFAULT_COINS = 10n ** 15n
/** Coins of one amount, and sizes, that are tried. */
const MAX_VALUES = 2
/** Bytes of the longest call that is tried, and of one that has arguments. */
const [MAX_BYTES, SELECTOR_BYTES] = [2_048n, 4n]

/** Amounts of coins that a call of the function is worth making with. */
export const coinsFor = ({ envelope }: FunctionFacts): bigint[] =>
  envelope.value.filter((value) => value < 1n << 96n).slice(0, MAX_VALUES)

/** Whether a function that obeys somebody takes coins. What everybody may pay for is no power. */
const isPaid = ({ nonPayable, selector, callerSlots, callerConstants }: FunctionFacts): boolean =>
  !nonPayable && !SELF_SERVICE.has(selector) && callerSlots.length + callerConstants.length > 0

/** Calls of a function with coins or with padding that it may want. */
export function* withCoinsOrPadding(
  facts: FunctionFacts,
  calls: readonly Candidate[],
): Generator<Candidate, undefined> {
  const coins = [...coinsFor(facts), ...(isPaid(facts) ? [DEFAULT_COINS] : [])]
  const sizes = facts.envelope.size.filter((size) => size > SELECTOR_BYTES && size <= MAX_BYTES).slice(0, MAX_VALUES)
  for (const call of calls) {
    for (const value of coins) yield { ...call, value }
    for (const size of sizes) {
      const length = 2 + 2 * Number(size)
      if (call.data.length < length) yield { ...call, data: call.data.padEnd(length, '0') }
    }
  }
}
