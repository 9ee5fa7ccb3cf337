import type { GasAbuse } from '../../detection/contracts/gas-minting/gas-minting.ts'
import { type Flag, RAISE_AT, type Raised } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

const mintedWithGas = (found: GasAbuse): Raised => ({
  detector: 'gas-minting',
  confidence: 0.95,
  evidence: { ...found },
})

/** Is, or created, a token whose calls mint gas tokens or XEN for its maker at the caller's cost. Callers are its victims. */
export const gasAbuse: Flag = {
  name: 'gas_abuse',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE'],
  threshold: RAISE_AT,
  labels: ['gas_abuse'],
  detect: (wallet) => [
    ...(wallet.evidence.gasAbuses ?? []).map(mintedWithGas),
    ...madeContracts(wallet, ['gas_abuse']),
  ],
  pending: 'mints of gas tokens and XEN are evaluated; proxies created at the cost of callers are not',
}
