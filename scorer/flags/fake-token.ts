import { type Flag, RAISE_AT } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

/** Is, or created, a token that passes for another. */
export const fakeToken: Flag = {
  name: 'fake_token',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['fake_token'],
  detect: (wallet) => madeContracts(wallet, ['fake_token']),
  pending: 'counterfeits arrive as labels of the contract analysis; follows labels',
}
