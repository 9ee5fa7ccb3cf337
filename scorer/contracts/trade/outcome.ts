/** Outcome of one simulated trade. */
import { keccakHex } from '../../../platform/keccak.ts'
import type { Moment } from '../chain/call.ts'
import type { ChainReader } from '../chain/chain.ts'
import { reasonText, type StepResult } from '../chain/simulator/script.ts'

/** `reason` is the text of a refusal, empty when there was none; `tax` is 100 for a refused trade. */
export type TradeOutcome = { ok: boolean /** Percent that did not arrive. */; tax: number; reason: string }
/** `undefined`: not run. */
export type Outcome = TradeOutcome | undefined

/**
 * Minimum purchase in base units of the token: parts of a smaller one round to nothing, and their sale proves nothing.
 */
export const MIN_UNITS = 10_000n

/** Loss (percent) from which a trade counts as lost in a trap. */
export const TRAP_TAX = 90
/** Whether a sale was refused or lost nearly everything. */
export const isLost = (sale: Outcome): boolean | undefined => sale && (!sale.ok || sale.tax >= TRAP_TAX)

/** Percent of a trade that did not arrive. */
export const taxOf = (result: StepResult): number => {
  if (result.a === 0n) return 0
  const share = Number((result.b * 1_000_000n) / result.a) / 10_000
  return Math.max(0, Math.min(100, 100 - share))
}

/** Outcome of a step; `undefined` when it was not run. */
export const outcome = (result: StepResult | undefined): Outcome =>
  result?.ok === undefined
    ? undefined
    : { ok: result.ok, tax: result.ok ? taxOf(result) : 100, reason: result.ok ? '' : reasonText(result.word) }

/** Whether a call failed or returned false. Empty return data counts as success (as with USDT). */
export const refusedCall = (answer: string | undefined): boolean =>
  answer === undefined || (answer.length >= 66 && BigInt(answer.slice(0, 66)) === 0n)

/** Range of the base fee in thousandths, within minutes and later. */
const [SOON, LATER] = [
  [880, 1_130],
  [600, 1_800],
] as const
const MINUTES = 600

/** A moment at least one block after the pinned one, with an unpredictable base fee. */
export const momentAt = (chain: ChainReader, seconds: number, blocks: number): Moment & { baseFee: bigint } => {
  const [least, most] = seconds < MINUTES ? SOON : LATER
  const drawn = Number.parseInt(keccakHex(Buffer.from(`${chain.seed} ${seconds} ${blocks}`)).slice(2, 10), 16)
  const share = seconds === 0 ? 1_000 : least + (drawn % (most - least))
  return {
    number: chain.height + Math.max(1, blocks),
    time: chain.time + Math.max(chain.timeStep, seconds),
    baseFee: (chain.baseFee * BigInt(share)) / 1_000n,
  }
}

/** The outcomes that were run and accepted. */
export const worked = (results: readonly Outcome[]): TradeOutcome[] =>
  results.flatMap((result) => (result?.ok ? [result] : []))

/** Whether any known answer is true; `undefined` when none is known. */
export const anyOf = (answers: readonly (boolean | undefined)[]): boolean | undefined => {
  const known = answers.filter((answer) => answer !== undefined)
  return known.length === 0 ? undefined : known.includes(true)
}
