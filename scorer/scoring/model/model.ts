/** The port of probability models: what a model is given, and what it answers. */
import type { Wallet } from '../wallet.ts'

/** One reason. */
export type Contribution = {
  code: string
  title: string
  /** `null` where it is not known. */
  value: number | null
  /** Log-odds it adds to the margin; negative speaks for the wallet. */
  contribution: number
  /** What the value was taken from, where that can be named. */
  evidence?: Record<string, unknown>
  /** What would take it away, where that is not simply more history. */
  change?: string
}

/** Answer of a model about one wallet, with all that it rests on. */
export type Prediction = {
  /** Log-odds of fraud. */
  margin: number
  /** 0 to 1. */
  probability: number
  /** Add up, with the log-odds of the prior, to the margin. In falling order of weight, those that are zero left out. */
  contributions: Contribution[]
}

/** A model of wallets that no flag convicts. Pure: the same wallet gives the same answer. */
export type Model = {
  /** Names everything that changes answers; part of every record. */
  version: string
  predict: (wallet: Wallet) => Prediction
}
