/** Balances of an asset after each step, from what is known at the end of them all. */

/** What moved in a step, base units. */
export type Moved = { at: string; received: bigint; sent: bigint; fees: bigint }
/** A step with what it left behind. `balance` is `undefined` where movements do not make up a balance. */
export type Kept = Moved & {
  /** Since the beginning of the first step. */
  change: bigint
  /** At the end of the step. */
  balance: bigint | undefined
}

/**
 * @param steps in order
 * @param last what all movements of its life add up to; `undefined` where some of them are not known
 * @returns `opening` is the balance before the first step. Both are `undefined` where movements do not make up a balance: it would be
 *   less than nothing at some time, as with coins that came without a movement.
 */
export const balancesOf = (
  steps: readonly Moved[],
  last: bigint | undefined,
): { opening: bigint | undefined; steps: Kept[] } => {
  let change = 0n
  const changes = steps.map((step) => {
    change += step.received - step.sent - step.fees
    return change
  })
  const opening = last === undefined ? undefined : last - change
  const isWhole = opening !== undefined && opening >= 0n && changes.every((one) => opening + one >= 0n)
  return {
    opening: isWhole ? opening : undefined,
    steps: steps.map((step, nth) => {
      const until = changes[nth] ?? 0n
      return { ...step, change: until, balance: isWhole ? opening + until : undefined }
    }),
  }
}
