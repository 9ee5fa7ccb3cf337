/** All explanations. */
import { createActivity } from './activity.ts'
import { createRugExplain } from './contract.ts'
import { createCounterparties } from './counterparties.ts'
import { createCreations } from './creations.ts'
import type { Explanations } from './explain.ts'
import { createFraudExplain, type FraudExplainDeps } from './fraud.ts'
import { createFraudHistory, createRugHistory } from './history.ts'
import { createCreditExplain, createSegmentExplain } from './profile.ts'

/** Explanations read what was stored with the verdict. They never compute a verdict. */
export const createExplanations = ({ store, exposure }: FraudExplainDeps): Explanations => ({
  fraud_explain: createFraudExplain({ store, exposure }),
  fraud_history: createFraudHistory(store),
  fraud_counterparties: createCounterparties(store),
  fraud_activity: createActivity(store),
  fraud_creations: createCreations(store),
  rug_explain: createRugExplain(store),
  rug_history: createRugHistory(store),
  segment_explain: createSegmentExplain(store),
  credit_explain: createCreditExplain(store),
})
