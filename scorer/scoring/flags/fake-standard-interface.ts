import type { ForgedEvents } from '../../detection/contracts/forged-events/forged-events.ts'
import { type Flag, RAISE_AT, type Raised } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

const forged = (found: ForgedEvents): Raised => ({
  detector: 'forged-events',
  confidence: 0.95,
  evidence: { ...found },
})

/** Is, or created, a token that fakes its standard: its events tell of movements that cannot have been. */
export const fakeStandardInterface: Flag = {
  name: 'fake_standard_interface',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['fake_standard_interface'],
  detect: (wallet) => [
    ...(wallet.evidence.forged ?? []).map(forged),
    ...madeContracts(wallet, ['fake_standard_interface']),
  ],
  pending: 'forged transfers are evaluated; what only calls of the contract show arrives as labels',
}
