import { type Flag, RAISE_AT } from './flag.ts'

/** Fake liquidity mining. */
export const maliciousMiningActivities: Flag = {
  name: 'malicious_mining_activities',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['malicious_mining'],
  pending: 'fake liquidity mining is not detected yet; follows labels',
}
