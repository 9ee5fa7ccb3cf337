/** Earlier verdicts on a wallet or contract, as they were stored. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { timestampOf } from '../../../../schema/records/common.ts'
import {
  MAX_VERDICTS,
  type RugHistory,
  type VerdictHistory,
} from '../../../../schema/records/explained/explanations.ts'
import { rugBody } from '../../../../schema/records/rug.ts'
import { explainContract } from '../../../../scorer/contracts/verdict/reasons.ts'
import { type ContractReasons, riskStatus } from '../../../../scorer/contracts/verdict/verdict.ts'
import { type Added, type Explain, loadWalletCoverage } from './explain.ts'
import { type PastRow, pastOf } from './fraud.ts'

const KEPT_CONTRACT = readSql(import.meta.url, './sql/kept-contract-verdicts.sql')
const KEPT = readSql(import.meta.url, './sql/kept-verdicts.sql')

type KeptRow = PastRow & { version: number | string; reasons: string; hash: string }

/** Verdicts on a wallet up to a version, newest first. */
export const createFraudHistory =
  (store: Store): Explain<Omit<VerdictHistory, Added>> =>
  async ({ network, address, upTo = Number.MAX_SAFE_INTEGER }, signal) => {
    const params = { network, address, upTo, most: MAX_VERDICTS }
    const [rows, coverage] = await Promise.all([
      store.query<KeptRow>(KEPT, params, { route: 'kept_verdicts', signal }),
      loadWalletCoverage(store, { network, address }),
    ])
    const verdicts = rows.map(({ version, hash, reasons, ...row }) => ({
      version: Number(version),
      hash,
      ...pastOf(row),
      reasons: JSON.parse(reasons) as VerdictHistory['verdicts'][number]['reasons'],
    }))
    return { fields: { verdicts, dataHeight: verdicts[0]?.dataHeight ?? 0 }, coverage }
  }

type KeptContractRow = {
  version: number | string
  status: RugHistory['verdicts'][number]['status']
  probability: number
  risk_score: number
  body: string
  reasons: string
  unknowns: string
  model_version: string
  data_height: number
  tables_height: number
  computed_at: number
  hash: string
}

/** Verdicts on a contract up to a version, newest first. */
export const createRugHistory =
  (store: Store): Explain<Omit<RugHistory, Added>> =>
  async ({ network, address, upTo = Number.MAX_SAFE_INTEGER }, signal) => {
    const params = { network, address, upTo, most: MAX_VERDICTS }
    const rows = await store.query<KeptContractRow>(KEPT_CONTRACT, params, { route: 'kept_contract_verdicts', signal })
    const verdicts = rows.map((row) => {
      const { message: _message, ...record } = rugBody.parse(JSON.parse(row.body))
      const reasons: ContractReasons = JSON.parse(row.reasons)
      const unknowns: Record<string, string> = JSON.parse(row.unknowns)
      return {
        version: Number(row.version),
        hash: row.hash,
        status: row.status,
        probabilityFraud: row.probability,
        risk_score: row.risk_score,
        risk_status: riskStatus(row.risk_score),
        reasons: explainContract(row.risk_score, reasons),
        unknowns: Object.entries(unknowns).map(([flag, why]) => `${flag}: ${why}`),
        record,
        modelVersion: row.model_version,
        dataHeight: row.data_height,
        computedAt: timestampOf(row.computed_at * 1_000),
      }
    })
    const fields = { verdicts, dataHeight: verdicts[0]?.dataHeight ?? 0 }
    return { fields, coverage: { contract: { tablesHeight: rows[0]?.tables_height ?? 0 } } }
  }
