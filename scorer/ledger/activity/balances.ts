/** Computes the balance of an asset after each step from its final balance. */

/** Amounts moved in one step, base units. */
export type StepMovements = { at: string; received: bigint; sent: bigint; fees: bigint }
/** A step with its balance. `balance` is `undefined` if the movements do not add up to a balance. */
export type BalanceStep = StepMovements & {
  /** Balance change since the beginning of the first step. */
  change: bigint
  /** At the end of the step. */
  balance: bigint | undefined
}

/**
 * @param steps in order
 * @param last sum of all movements ever; `undefined` if some of them are not known
 * @returns `opening` is the balance before the first step. Balances are `undefined` if the movements do not add up: some balance would be
 *   negative, as with coins that arrived without a movement.
 */
export const balancesOf = (
  steps: readonly StepMovements[],
  last: bigint | undefined,
): { opening: bigint | undefined; steps: BalanceStep[] } => {
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
