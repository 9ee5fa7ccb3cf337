import type { Ponzi } from './detectors/contracts/ponzi.ts'
import type { Rug, Wash } from './detectors/pools.ts'
import { type Flag, RAISE_AT, type Raised } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

const executed = (rug: Rug): Raised => ({
  detector: 'rug-executed',
  confidence: 0.95,
  evidence: {
    pool: rug.pool,
    token: rug.token,
    by: rug.by,
    reserveShare: Math.round(rug.share * 1e4) / 1e4,
    profit: rug.profit,
    base: rug.base,
    buyers: rug.buyers,
    transactions: rug.transactions,
  },
})

const ponzi = (found: Ponzi): Raised => ({
  detector: 'ponzi-contract',
  confidence: 0.92,
  evidence: { ...found },
})

const washed = (found: Wash): Raised => ({ detector: 'wash-trading', confidence: 0.9, evidence: { ...found } })

/**
 * Economic fraud: took most of a pool's base reserve from under the buyers of its own token within 30 days of launch, is
 * or created a contract that pays earlier depositors out of later deposits, or feigns the trade of its token.
 */
export const financialCrime: Flag = {
  name: 'financial_crime',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['financial_crime', 'ponzi', 'rug_puller'],
  detect: (wallet) => [
    ...(wallet.evidence.rugs ?? []).map(executed),
    ...(wallet.evidence.ponzis ?? []).map(ponzi),
    ...(wallet.evidence.washes ?? []).map(washed),
    ...madeContracts(wallet, ['rug_executed']),
  ],
  pending:
    'rugs, dumps, chain-paying Ponzi contracts and wash trading of own tokens are evaluated; schemes whose investors fetch their interest are not',
}
