/** The explanations of all operations that have one. */
import { createRugExplain } from './contract.ts'
import type { Explanations } from './explain.ts'
import { createFraudExplain, type FraudExplainDeps } from './fraud.ts'
import { createCreditExplain, createSegmentExplain } from './profile.ts'

export const createExplanations = ({ store, exposure }: FraudExplainDeps): Explanations => ({
  fraud_check: createFraudExplain({ store, exposure }),
  rug_pull: createRugExplain(store),
  wallet_segment: createSegmentExplain(store),
  credit_score: createCreditExplain(store),
})
