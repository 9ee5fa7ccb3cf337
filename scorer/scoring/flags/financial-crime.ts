import type { Ponzi } from '../../detection/contracts/ponzi-contract/ponzi.ts'
import type { NftRing } from '../../detection/markets/nft-wash-ring/nft-rings.ts'
import type { Rug, Wash } from '../../detection/markets/pools/pools.ts'
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

const washed =
  (role: 'maker' | 'member') =>
  (found: Wash): Raised => ({ detector: 'wash-trading', confidence: 0.9, evidence: { role, ...found } })

const passedAround = (ring: NftRing): Raised => ({ detector: 'nft-wash-ring', confidence: 0.9, evidence: { ...ring } })

/**
 * Economic fraud: took most of a pool's base reserve from under the buyers of its own token within 30 days of launch, is
 * or created a contract that pays earlier depositors out of later deposits, feigns the trade of its token (or is one of the wallets paid to do so),
 * or sells an NFT round and round within a ring.
 */
export const financialCrime: Flag = {
  name: 'financial_crime',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['financial_crime', 'ponzi', 'rug_puller'],
  detect: (wallet) => [
    ...(wallet.evidence.rugs ?? []).map(executed),
    ...(wallet.evidence.ponzis ?? []).map(ponzi),
    ...(wallet.evidence.washes ?? []).map(washed('maker')),
    ...(wallet.evidence.washMembers ?? []).map(washed('member')),
    ...(wallet.evidence.nftRings ?? []).map(passedAround),
    ...madeContracts(wallet, ['rug_executed']),
  ],
  pending:
    'rugs, dumps, chain-paying Ponzi contracts, wash trading of own tokens and rings around an NFT are evaluated; schemes whose investors fetch their interest are not',
}
