/** The reasons behind a fraud verdict, as they were stored with it. */
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { probabilityTextOf, timestampOf } from '../../schema/records/common.ts'
import type { WalletCoverage } from '../../schema/records/coverage.ts'
import type { Explanation, Exposure } from '../../schema/records/extensions.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'
import { loadPast, type Past } from '../../scorer/ledger/past/past.ts'
import type { Reason } from '../../scorer/scoring/verdict.ts'
import type { Subject } from './provider.ts'

const VERDICT = readSql(import.meta.url, './sql/find-verdict.sql')
const HISTORY = readSql(import.meta.url, './sql/verdict-history.sql')
const MOST_HISTORY = 100

/** What is known of a verdict; `undefined` when none is stored. */
export type Explain = (
  subject: Subject,
  signal: AbortSignal,
) => Promise<
  | (Omit<Explanation, 'message' | 'walletAddress' | 'chain' | 'coverage'> & {
      /** Part of the coverage that is known for each wallet. */
      wallet: WalletCoverage
    })
  | undefined
>

export type ExplainDeps = {
  store: Store
  exposure: (subject: Subject) => Promise<Exposure>
}

type PastRow = Pick<WalletRecord, 'status' | 'probability' | 'model_version' | 'data_height' | 'computed_at'>
type CurrentRow = PastRow & Pick<WalletRecord, 'reasons' | 'unknowns'>

const pastOf = (row: PastRow): Explanation['history'][number] => ({
  status: row.status,
  probabilityFraud: probabilityTextOf(row.probability),
  modelVersion: row.model_version,
  dataHeight: row.data_height,
  computedAt: timestampOf(row.computed_at * 1_000),
})

const coverageOf = (past: Past): WalletCoverage =>
  past.kind === 'whole' ? { past: past.kind, why: null } : { past: past.kind, why: past.why }

export const createExplain =
  ({ store, exposure }: ExplainDeps): Explain =>
  async ({ network, address }, signal) => {
    const params = { network, address }
    const [[verdict], history, flows, past] = await Promise.all([
      store.query<CurrentRow>(VERDICT, params, { route: 'find_verdict', signal }),
      store.query<PastRow>(HISTORY, { ...params, most: MOST_HISTORY }, { route: 'verdict_history', signal }),
      exposure({ network, address }),
      loadPast(store, network, address),
    ])
    if (!verdict) return undefined
    const reasons: Reason[] = JSON.parse(verdict.reasons)
    return {
      ...pastOf(verdict),
      reasons,
      unknowns: verdict.unknowns,
      exposure: flows,
      history: history.map(pastOf),
      wallet: coverageOf(past),
    }
  }
