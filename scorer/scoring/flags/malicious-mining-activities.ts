import type { FakeMining } from '../../detection/deceit/fake-mining/mining.ts'
import { type Flag, RAISE_AT, type Raised } from './flag.ts'

const fed = (found: FakeMining): Raised => ({ detector: 'fake-mining', confidence: 0.95, evidence: { ...found } })

/** Feeds owners who approved it with payouts, then takes everything. The owners are its victims. */
export const maliciousMiningActivities: Flag = {
  name: 'malicious_mining_activities',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'],
  threshold: RAISE_AT,
  labels: ['malicious_mining'],
  detect: (wallet) => (wallet.evidence.mining ?? []).map(fed),
}
