import type { Raised, Wallet } from './flag.ts'

/** Findings about contracts the wallet made, for flags that fall back on who made them. */
export const madeContracts = (wallet: Wallet, labels: readonly string[]): Raised[] =>
  (wallet.evidence.contracts ?? [])
    .filter((contract) => labels.includes(contract.label))
    .map(({ contract, label, detector, confidence, tx_hash }) => ({
      detector,
      confidence,
      evidence: { contract, label, ...(tx_hash === '' ? {} : { transaction: tx_hash }) },
    }))
