import type { Model } from '../../scorer/scoring/model/model.ts'
import { createWalletModel } from '../../scorer/scoring/model/wallet-model.ts'

/** The model this release serves with. */
export const createModel = (): Model => createWalletModel()
