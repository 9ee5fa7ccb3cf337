import { type Flag, RAISE_AT } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

/** Makes others pay for minting by deceit. */
export const gasAbuse: Flag = {
  name: 'gas_abuse',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['gas_abuse'],
  detect: (wallet) => madeContracts(wallet, ['gas_abuse']),
  pending: 'tokens that mint gas tokens at the cost of callers are not detected yet; follows labels',
}
