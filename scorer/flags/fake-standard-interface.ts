import { type Flag, RAISE_AT } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

/** Contracts that fake a token standard. */
export const fakeStandardInterface: Flag = {
  name: 'fake_standard_interface',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['fake_standard_interface'],
  detect: (wallet) => madeContracts(wallet, ['fake_standard_interface']),
  pending: 'conformance probes arrive as labels of the contract analysis; follows labels',
}
