import { drained } from './drained.ts'
import { type Flag, RAISE_AT } from './flag.ts'

/** Takes assets in transactions their owners did not sign. */
export const stealingAttack: Flag = {
  name: 'stealing_attack',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['theft', 'drainer'],
  detect: drained,
  pending: 'approval and permit drains are evaluated; exploits and key-compromise sweeps are not detected yet',
}
