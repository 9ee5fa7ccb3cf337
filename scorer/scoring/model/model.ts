/** The interface of probability models. */
import type { Wallet } from '../wallet.ts'

/** One reason of a prediction. */
export type Contribution = {
  code: string
  title: string
  /** `null` if unknown. */
  value: number | null
  /** Log-odds added to the margin. Negative values are in favour of the wallet. */
  contribution: number
  /** Facts behind the value, if they can be named. */
  evidence?: Record<string, unknown>
  /** What would remove the reason, if that is not simply more history. */
  change?: string
}

/** Prediction about one wallet with its reasons. */
export type Prediction = {
  /** Log-odds of fraud. */
  margin: number
  /** 0 to 1. */
  probability: number
  /** Without zeros, in descending order of absolute weight. With the log-odds of the prior they sum to the margin. */
  contributions: Contribution[]
}

/** A probability model. Pure: the same wallet gives the same prediction. */
export type Model = {
  /** Identifies everything that can change predictions; part of every record. */
  version: string
  predict: (wallet: Wallet) => Prediction
}
