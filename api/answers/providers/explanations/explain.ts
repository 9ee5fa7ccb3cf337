/** What stands behind a stored verdict, as the API asks for it. */

import type { Store } from '../../../../platform/store/store.ts'
import type { ContractCoverage, WalletCoverage } from '../../../../schema/records/explained/coverage.ts'
import type { ExplainId } from '../../../../schema/records/extensions.ts'
import type { FetchedPast } from '../../../../scorer/ledger/past/fetched.ts'
import { loadPast } from '../../../../scorer/ledger/past/past.ts'
import type { Subject } from '../provider.ts'

/** What an explanation says of a verdict itself. */
export type Explained<Fields> = {
  /** The answer without message, address, chain and coverage. */
  fields: Fields & { dataHeight: number }
  /** Part of the coverage that is known for each address. */
  coverage: { wallet: WalletCoverage } | { contract: ContractCoverage }
}

/** What is known of a verdict; `undefined` when none is stored. */
export type Explain<Fields = unknown> = (
  subject: Subject & { upTo?: number; from?: string },
  signal: AbortSignal,
) => Promise<Explained<Fields> | undefined>

/** A verdict is explained where it is made. */
export type Explanations = Partial<Record<ExplainId, Explain>>

/** Fields of an answer that the API adds to those of a verdict. */
export type Added = 'message' | 'walletAddress' | 'contractAddress' | 'chain' | 'coverage'

const shown = ({ to_block, sent, native, tokens, transactions, sources, why }: FetchedPast) => ({
  toBlock: to_block,
  sent: sent === 1,
  native: native === 1,
  tokens: tokens === 1,
  transactions,
  sources: sources === '' ? [] : sources.split(','),
  why: why === '' ? null : why,
})

/** Whether the wallet's whole life is in the tables, and if not, why. */
export const loadWalletCoverage = async (
  store: Store,
  { network, address }: Subject,
): Promise<{ wallet: WalletCoverage }> => {
  const { past, fetched } = await loadPast(store, network, address)
  const why = past.kind === 'whole' ? null : past.why
  return { wallet: { past: past.kind, why, fetched: fetched ? shown(fetched) : null } }
}
