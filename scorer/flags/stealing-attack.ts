import { drained } from './drained.ts'
import { type Flag, RAISE_AT } from './flag.ts'
import { swept } from './swept.ts'

/** Takes assets in transactions their owners did not sign, or with keys that are not its own. */
export const stealingAttack: Flag = {
  name: 'stealing_attack',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['theft', 'drainer'],
  detect: (wallet) => [...drained(wallet), ...swept(wallet, ['delegate', 'key'])],
  pending:
    'drains, sweeper delegates and sweeps of unrelated accounts are evaluated; exploits of contracts are not detected yet',
}
