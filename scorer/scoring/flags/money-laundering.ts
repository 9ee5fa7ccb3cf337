import { type Flag, RAISE_AT } from './flag.ts'

/** Layers loot: sends on, at once, what came from thieves, blackmailers or sanctioned addresses. Who merely receives it is not flagged. */
export const moneyLaundering: Flag = {
  name: 'money_laundering',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['money_laundering'],
  detect: (wallet) => {
    const { laundering } = wallet.evidence
    if (!laundering) return []
    const exits = laundering.exits.map(({ time, ...exit }) => ({ ...exit, time: new Date(time * 1_000).toISOString() }))
    return [{ detector: 'layering', confidence: 0.92, evidence: { ...laundering, exits } }]
  },
  pending:
    'the native coin and dollar coins are followed from flagged sources and own victims; swaps on the way are not',
}
