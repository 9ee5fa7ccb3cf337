/** Explanations of stored verdicts. */

import type { Store } from '../../../../platform/store/store.ts'
import type { ContractCoverage, WalletCoverage } from '../../../../schema/records/explained/coverage.ts'
import type { ExplainId } from '../../../../schema/records/extensions.ts'
import type { FetchedPast } from '../../../../scorer/ledger/past/fetched.ts'
import { loadPast } from '../../../../scorer/ledger/past/past.ts'
import type { Subject } from '../provider.ts'

/** An explanation. */
export type Explained<Fields> = {
  /** Fields of the answer, without message, address, chain and coverage. */
  fields: Fields & { dataHeight: number }
  /** Coverage of the address. */
  coverage: { wallet: WalletCoverage } | { contract: ContractCoverage }
}

/** Explains a stored verdict; `undefined` if there is none. */
export type Explain<Fields = unknown> = (
  subject: Subject & { upTo?: number; from?: string },
  signal: AbortSignal,
) => Promise<Explained<Fields> | undefined>

/** Explanations by operation; absent ones are not available. */
export type Explanations = Partial<Record<ExplainId, Explain>>

/** Fields that the API adds to those of an explanation. */
export type Added = 'message' | 'walletAddress' | 'contractAddress' | 'chain' | 'coverage'

const fetchedPastOf = ({ to_block, sent, native, tokens, transactions, sources, why }: FetchedPast) => ({
  toBlock: to_block,
  sent: sent === 1,
  native: native === 1,
  tokens: tokens === 1,
  transactions,
  sources: sources === '' ? [] : sources.split(','),
  why: why === '' ? null : why,
})

/** Whether the whole history of the wallet is in the tables, and why not. */
export const loadWalletCoverage = async (
  store: Store,
  { network, address }: Subject,
): Promise<{ wallet: WalletCoverage }> => {
  const { past, fetched } = await loadPast(store, network, address)
  const why = past.kind === 'whole' ? null : past.why
  return { wallet: { past: past.kind, why, fetched: fetched ? fetchedPastOf(fetched) : null } }
}
