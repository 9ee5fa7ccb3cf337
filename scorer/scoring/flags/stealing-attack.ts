import { drained } from './drained.ts'
import { exploited } from './exploited.ts'
import { type Flag, RAISE_AT } from './flag.ts'
import { swept } from './swept.ts'

/** Takes assets in transactions their owners did not sign, or with keys that are not its own. */
export const stealingAttack: Flag = {
  name: 'stealing_attack',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['theft', 'drainer'],
  detect: (wallet) => [...drained(wallet), ...swept(wallet, ['delegate', 'key']), ...exploited(wallet)],
  pending:
    'drains, sweeper delegates, sweeps of unrelated accounts and exploits with borrowed money are evaluated; other exploits are not',
}
