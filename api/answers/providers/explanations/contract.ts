/** The stored reasons of the verdict on a contract. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { timestampOf } from '../../../../schema/records/common.ts'
import type { RugExplanation } from '../../../../schema/records/explained/explanations.ts'
import { factsUnknown, type TokenFacts, tokenFacts } from '../../../../schema/records/explained/token-facts.ts'
import { explainContract } from '../../../../scorer/contracts/verdict/reasons.ts'
import { type ContractReasons, riskStatus } from '../../../../scorer/contracts/verdict/verdict.ts'
import type { Added, Explain } from './explain.ts'
import { findSimilarCode, notCompared } from './similar-code.ts'

const LABELS = readSql(import.meta.url, './sql/find-token-labels.sql')
const VERDICT = readSql(import.meta.url, './sql/find-contract-verdict.sql')

type Row = {
  status: RugExplanation['status']
  probability: number
  risk_score: number
  token: string
  family_hash: string
  reasons: string
  unknowns: string
  facts: string
  model_version: string
  data_height: number
  tables_height: number
  computed_at: number
}

/** The stored facts of an analysis. Earlier versions stored fewer facts, or none. */
const factsOf = (stored: string): TokenFacts => {
  const unknown = factsUnknown('it was analysed by an earlier version')
  if (stored === '') return unknown
  const { launchpad, holderSales, ...rest } = JSON.parse(stored)
  const { curve } = unknown.launchpad
  return tokenFacts.parse({
    ...{ ...unknown, ...rest },
    holderSales: { ...unknown.holderSales, ...holderSales },
    launchpad: { curve, ...launchpad },
  })
}

/** Reasons and facts of the last analysis. Does not access the chain. */
export const createRugExplain =
  (store: Store): Explain<Omit<RugExplanation, Added>> =>
  async ({ network, address }, signal) => {
    const [row] = await store.query<Row>(VERDICT, { network, address }, { route: 'find_contract_verdict', signal })
    if (!row) return undefined
    const reasons: ContractReasons = JSON.parse(row.reasons)
    const unknowns: Record<string, string> = JSON.parse(row.unknowns)
    const { uncompared, ...facts } = factsOf(row.facts)
    const of = { network, token: row.token, family: row.family_hash }
    const [similarCode, labels] = await Promise.all([
      uncompared === null ? findSimilarCode(store, of, signal) : notCompared(uncompared),
      store.query<RugExplanation['labels'][number]>(
        LABELS,
        { network, token: row.token },
        { route: 'find_token_labels', signal },
      ),
    ])
    const fields = {
      status: row.status,
      probabilityFraud: row.probability,
      risk_score: row.risk_score,
      risk_status: riskStatus(row.risk_score),
      reasons: explainContract(row.risk_score, reasons),
      labels,
      ...facts,
      similarCode,
      unknowns: Object.entries(unknowns).map(([flag, why]) => `${flag}: ${why}`),
      modelVersion: row.model_version,
      dataHeight: row.data_height,
      computedAt: timestampOf(row.computed_at * 1_000),
    }
    return { fields, coverage: { contract: { tablesHeight: row.tables_height } } }
  }
