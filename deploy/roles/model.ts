import type { Model } from '../../scorer/scoring/model/model.ts'
import { createWalletModel } from '../../scorer/scoring/model/wallet-model.ts'

/** The scoring model of this release. */
export const createModel = (): Model => createWalletModel()
