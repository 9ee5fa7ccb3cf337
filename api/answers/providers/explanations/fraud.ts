/** The stored reasons of a fraud verdict. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { probabilityTextOf, timestampOf } from '../../../../schema/records/common.ts'
import type { Explanation } from '../../../../schema/records/explained/explanations.ts'
import type { ExposureReport } from '../../../../schema/records/explained/exposure.ts'
import type { WalletRecord } from '../../../../schema/records/stored.ts'
import { type Identity, loadIdentity } from '../../../../scorer/ledger/identity/load.ts'
import type { Reason } from '../../../../scorer/scoring/verdict.ts'
import type { Subject } from '../provider.ts'
import { type Added, type Explain, loadWalletCoverage } from './explain.ts'

const VERDICT = readSql(import.meta.url, './sql/find-verdict.sql')
const HISTORY = readSql(import.meta.url, './sql/verdict-history.sql')
const MAX_HISTORY = 100

/** The store with the verdicts, and the exposure report, which is computed on demand. */
export type FraudExplainDeps = {
  store: Store
  exposure: (subject: Subject) => Promise<ExposureReport>
}

/** A stored verdict. `computed_at` is in seconds since the epoch. */
export type PastRow = Pick<WalletRecord, 'status' | 'probability' | 'model_version' | 'data_height' | 'computed_at'>
type CurrentRow = PastRow & Pick<WalletRecord, 'reasons' | 'unknowns'>

/** The verdict as it is answered. */
export const pastOf = (row: PastRow): Explanation['history'][number] => ({
  status: row.status,
  probabilityFraud: probabilityTextOf(row.probability),
  modelVersion: row.model_version,
  dataHeight: row.data_height,
  computedAt: timestampOf(row.computed_at * 1_000),
})

const identityOf = ({ name, category, labels, contract, seen }: Identity): Explanation['identity'] => ({
  name: name ?? null,
  category: category ?? null,
  contract,
  firstSeen: seen ? timestampOf(seen.first * 1_000) : null,
  lastSeen: seen ? timestampOf(seen.last * 1_000) : null,
  labels: labels.map(({ network, label, detector: source, class: of, confidence }) => ({
    network,
    label,
    source,
    class: of,
    confidence,
  })),
})

/** Reasons, exposure and earlier verdicts of a wallet. */
export const createFraudExplain =
  ({ store, exposure }: FraudExplainDeps): Explain<Omit<Explanation, Added>> =>
  async ({ network, address }, signal) => {
    const params = { network, address }
    const [[verdict], history, flows, coverage, identity] = await Promise.all([
      store.query<CurrentRow>(VERDICT, params, { route: 'find_verdict', signal }),
      store.query<PastRow>(HISTORY, { ...params, most: MAX_HISTORY }, { route: 'verdict_history', signal }),
      exposure({ network, address }),
      loadWalletCoverage(store, { network, address }),
      loadIdentity(store, network, address),
    ])
    if (!verdict) return undefined
    const reasons: Reason[] = JSON.parse(verdict.reasons)
    const fields = {
      ...pastOf(verdict),
      reasons,
      unknowns: verdict.unknowns,
      identity: identityOf(identity),
      exposure: { ...flows, past: coverage.wallet.past },
      history: history.map(pastOf),
    }
    return { fields, coverage }
  }
