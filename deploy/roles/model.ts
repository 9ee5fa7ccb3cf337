import type { Model } from '../../scorer/model/model.ts'
import { createScorecardModel } from '../../scorer/model/scorecard.ts'

/** The model this release serves with. */
export const createModel = (): Model => createScorecardModel()
