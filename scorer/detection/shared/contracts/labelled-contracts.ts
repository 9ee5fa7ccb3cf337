/** Contracts of a wallet with a malicious label from any source. */
import { readSql } from '../../../../platform/store/sql.ts'
import { ESTABLISHED_AT } from '../../../ledger/labels/vocabulary.ts'
import type { LoadContext } from '../../context.ts'
import { loadDeployers } from './deployers.ts'

const MALICIOUS = readSql(import.meta.url, './labelled-contracts.sql')

/** Labels of contracts that count against their deployer. */
export const MALICIOUS_LABELS = [
  'honeypot',
  'fake_token',
  'rug_executed',
  'drainer',
  'poisoning',
  'gas_abuse',
  'fake_standard_interface',
] as const

/** A malicious label on a contract. `tx_hash` is empty if the finding names no transaction. */
export type LabelledContract = {
  contract: string
  label: string
  detector: string
  confidence: number
  tx_hash: string
}

/** Loads malicious labels by the wallet that deployed the contract. Only established labels count, so a suspicion flags nobody. */
export const loadLabelledContracts = async (context: LoadContext): Promise<Map<string, LabelledContract[]>> => {
  const { addresses } = await context.once(loadDeployers)
  if (addresses.length === 0) return new Map()
  const rows = await context.store.query<LabelledContract & { address: string }>(
    MALICIOUS,
    { network: context.network, addresses, labels: MALICIOUS_LABELS, least: ESTABLISHED_AT },
    { route: 'malicious_contracts' },
  )
  const found = new Map<string, LabelledContract[]>()
  for (const { address, ...row } of rows) found.set(address, [...(found.get(address) ?? []), row])
  return found
}
