import type { Counterfeit } from '../../detection/deceit/counterfeit-token/counterfeits.ts'
import { type Flag, RAISE_AT, type Raised } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

const counterfeited = ({ pools, ...found }: Counterfeit): Raised => ({
  detector: 'counterfeit-token',
  confidence: 0.95,
  evidence: { ...found, ...(pools.length === 0 ? {} : { pools }) },
})

/**
 * Is, or created, a token that passes for a canonical asset of the network and was thrust upon many or offered in a pool.
 * Genuine bridged forms are known by address; a like name without an original is a name.
 */
export const fakeToken: Flag = {
  name: 'fake_token',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['fake_token'],
  detect: (wallet) => [
    ...(wallet.evidence.counterfeits ?? []).map(counterfeited),
    ...madeContracts(wallet, ['fake_token']),
  ],
}
