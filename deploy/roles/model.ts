import type { Model } from '../../scorer/model/model.ts'
import { createWalletModel } from '../../scorer/model/wallet-model.ts'

/** The model this release serves with. */
export const createModel = (): Model => createWalletModel()
