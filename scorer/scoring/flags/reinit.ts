import { type Flag, RAISE_AT } from './flag.ts'

/** Is, or created, a contract that was destroyed and created again with other code. The same code again is no reinit. */
export const reinit: Flag = {
  name: 'reinit',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'],
  threshold: RAISE_AT,
  labels: ['reinit'],
  detect: (wallet) =>
    (wallet.evidence.redeployed ?? []).map(({ time, ...found }) => ({
      detector: 'redeployed-contract',
      confidence: 0.95,
      evidence: { ...found, time: new Date(time * 1_000).toISOString() },
    })),
}
