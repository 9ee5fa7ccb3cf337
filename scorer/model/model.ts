/** The port of probability models: what a model is given, and what it answers. */
import type { Wallet } from '../flags/flag.ts'

/** A loaded wallet and the time of the newest block (Unix seconds), the only "now" a model knows. */
export type ModelInput = { wallet: Wallet; now: number }

/** Log-odds one reason adds to the margin; negative speaks for the wallet. */
export type Contribution = { code: string; title: string; value: number; contribution: number }

export type Prediction = {
  /** Log-odds of fraud. */
  margin: number
  /** 0 to 1. */
  probability: number
  /** In falling order of weight, those that are zero left out. */
  contributions: Contribution[]
}

/** A model of wallets that no flag convicts. Pure: the same input gives the same answer. */
export type Model = {
  /** Names the weights; part of every record. */
  version: string
  predict: (input: ModelInput) => Prediction
}
