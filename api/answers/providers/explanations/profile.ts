/** The stored components of a wallet's quality and credit score. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { timestampOf } from '../../../../schema/records/common.ts'
import type { CreditExplanation, SegmentExplanation } from '../../../../schema/records/explained/explanations.ts'
import type { ProfileReasons } from '../../../../scorer/profile/reasons.ts'
import { LEAST_RATING, SEGMENT_FROM } from '../../../../scorer/profile/scores.ts'
import { type Added, type Explain, type Explained, loadWalletCoverage } from './explain.ts'

const VERDICT = readSql(import.meta.url, './sql/find-profile-verdict.sql')

type Row = {
  quality: number
  segment_letter: SegmentExplanation['segment']
  rating: number
  reasons: string
  model_version: string
  data_height: number
  computed_at: number
}

/** Explains a profile with the fields that `fieldsOf` returns; `undefined` if it returns none. */
const explaining =
  <Fields extends object>(
    store: Store,
    fieldsOf: (row: Row, reasons: ProfileReasons) => Fields | undefined,
  ): Explain<Fields & Versions> =>
  async ({ network, address }, signal): Promise<Explained<Fields & Versions> | undefined> => {
    const [[row], coverage] = await Promise.all([
      store.query<Row>(VERDICT, { network, address }, { route: 'find_profile_verdict', signal }),
      loadWalletCoverage(store, { network, address }),
    ])
    const known = row && fieldsOf(row, JSON.parse(row.reasons))
    if (!known) return undefined
    const { model_version: modelVersion, data_height: dataHeight, computed_at } = row
    return { fields: { ...known, modelVersion, dataHeight, computedAt: timestampOf(computed_at * 1_000) }, coverage }
  }

type Versions = Pick<SegmentExplanation, 'modelVersion' | 'dataHeight' | 'computedAt'>

/** The components of `walletQuality`, and the quality at which each segment begins. */
export const createSegmentExplain = (store: Store): Explain<Omit<SegmentExplanation, Added>> =>
  explaining(store, ({ quality, segment_letter: segment }, { segment: explained }) => ({
    walletQuality: quality,
    segment,
    thresholds: { ...SEGMENT_FROM },
    ...explained,
  }))

/** The components of `riskRating`. Undefined if the network has no credit score. */
export const createCreditExplain = (store: Store): Explain<Omit<CreditExplanation, Added>> =>
  explaining(store, ({ rating }, { credit }) => credit && { riskRating: rating, base: LEAST_RATING, ...credit })
