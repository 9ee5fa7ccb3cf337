import type { Rug } from './detectors/pools.ts'
import { type Flag, RAISE_AT } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

const finding = (rug: Rug) => ({
  detector: 'rug-executed',
  confidence: 0.95,
  evidence: {
    pool: rug.pool,
    token: rug.token,
    reserveShare: Math.round(rug.share * 1e4) / 1e4,
    profit: rug.profit,
    base: rug.base,
    buyers: rug.buyers,
    transactions: rug.transactions,
  },
})

/** Economic fraud: took most of a pool's base reserve from under the buyers of its own token within 30 days of launch. */
export const financialCrime: Flag = {
  name: 'financial_crime',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['financial_crime', 'ponzi', 'rug_puller'],
  detect: (wallet) => [
    ...(wallet.service ? [] : (wallet.evidence.rugs ?? []).map(finding)),
    ...madeContracts(wallet, ['rug_executed']),
  ],
  pending: 'executed rugs are evaluated; Ponzi contracts and wash trading are not detected yet',
}
