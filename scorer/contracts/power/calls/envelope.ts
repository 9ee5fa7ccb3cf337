/** Repeats calls with native coins, or with more calldata than the arguments take. */
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { type Candidate, SELF_SERVICE } from './arguments.ts'

/** Coins sent when the code does not show an amount, in wei. */
export const DEFAULT_COINS = 10n ** 15n
/** Amounts, and sizes, that are tried. */
const MAX_VALUES = 2
/** Largest size of calldata that is tried, and size of a selector, in bytes. */
const [MAX_BYTES, SELECTOR_BYTES] = [2_048n, 4n]

/** Amounts of coins, in wei, that the function compares `msg.value` with. */
export const coinsFor = ({ envelope }: FunctionFacts): bigint[] =>
  envelope.value.filter((value) => value < 1n << 96n).slice(0, MAX_VALUES)

/** Whether a function that checks its caller accepts coins. A function that anyone may pay for is no power. */
const isPaid = ({ nonPayable, selector, callerSlots, callerConstants }: FunctionFacts): boolean =>
  !nonPayable && !SELF_SERVICE.has(selector) && callerSlots.length + callerConstants.length > 0

/** The calls with coins, or padded to a size that the function compares with. */
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
