/** Rug pulls: the creator takes the reserve after others bought. */

import { amountOf } from '../../../ledger/prices/amounts.ts'
import { type LoadContext, listsOf } from '../../context.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import { counted, percent } from '../../wording.ts'
import { isMeasured, loadOwnPools, type OwnPools, otherMarketsOf } from '../pools/pools.ts'
import { movedOn, unrefunded } from './exclusions.ts'
import { findRug, LEAST_PROFIT_USD, type Rug, WITHIN_S } from './rug.ts'

/** Rugs of a creator. `overlooked`: its pools have more events than are examined, so there may be others. */
type Rugs = { rugs: Rug[]; overlooked: boolean }
const NONE: Rugs = { rugs: [], overlooked: false }
const TOO_MUCH = 'its pools have too many events to determine whether it took their reserves'

/** Creators who may have taken something in events that were not examined, which anybody can produce for gas. */
const overlookedIn = ({ wallets }: LoadContext, { truncatedAt, manyPools }: OwnPools): Set<string> => {
  const full = [...truncatedAt].flatMap(([{ address, created_at }, time]) =>
    time < created_at + WITHIN_S ? [address] : [],
  )
  const takes = (address: string) => {
    const { lp_removes = 0, token_out_own = 0 } = wallets.get(address) ?? {}
    return lp_removes > 0 || token_out_own > 0
  }
  return new Set([...full, ...manyPools].filter(takes))
}

const loadRugs = async (context: LoadContext): Promise<Map<string, Rugs>> => {
  const own = await context.once(loadOwnPools)
  const dollar = usdThresholds(context.network, 1)
  const suspects = [...own.events].flatMap(([pool, events]) => {
    const rug = findRug(pool, events, LEAST_PROFIT_USD * (dollar.get(pool.base) ?? 0))
    return rug && isMeasured(pool, own) && !movedOn(rug, pool.address, otherMarketsOf(pool, own), dollar)
      ? [{ pool, rug }]
      : []
  })
  const found = listsOf(await unrefunded(context, suspects, own.events))
  const overlooked = overlookedIn(context, own)
  return new Map(
    [...new Set([...found.keys(), ...overlooked])].map((address) => [
      address,
      { rugs: found.get(address) ?? [], overlooked: overlooked.has(address) },
    ]),
  )
}

/** Convicts creators for a withdrawal or a dump. Answers unknown if their pools have more events than are examined. */
export const rugExecuted = defineDetector({
  id: 'rug-executed',
  version: 3,
  family: 'markets',
  offence: 'Rug pull',
  needs: ['pool-events', 'own-acts'],
  after: [],
  infrastructure: 'unknown',
  load: loadRugs,
  judge: ({ rugs, overlooked }: Rugs = NONE, { network }) => {
    if (rugs.length === 0 && overlooked) return { kind: 'unknown', why: TOO_MUCH, uncovered: true }
    return convicted(
      rugs.map(({ pool, token, by, share, profit, base, buyers, transactions }) => ({
        grade: 'creator',
        title: `Took ${percent(share)} of the reserve of its token's pool by ${by === 'removal' ? 'withdrawing liquidity' : 'selling the token'}, after ${counted(buyers, 'other wallet')} had bought`,
        evidence: {
          pool,
          token,
          by,
          reserveShare: Math.round(share * 1e4) / 1e4,
          profit: amountOf(network, base, profit),
          base,
          buyers,
          transactions,
        },
      })),
    )
  },
  contracts: ({ rugs }) => rugs.map(({ token }) => ({ contract: token, label: 'rug_executed' })),
  exclusions: [
    { who: 'Creators of unused or old pools', why: 'Fewer than three others bought, or 30 days had passed.' },
    { who: 'Founders who sell a part', why: 'The reserve stays.' },
    {
      who: 'Creators who move liquidity',
      why: 'The liquidity went into the same or another pool of the token within a day.',
    },
    {
      who: 'Creators who close down properly',
      why: 'They paid half of the profit to half of the buyers within a week.',
    },
    {
      who: 'Creators who replace a token',
      why: 'Within a day the reserve went into a pool of another token of theirs, where it still is, and within a week half of the buyers got that token.',
    },
    {
      who: 'Creators who close an unused pool',
      why: 'They got less than $100 beyond what they had put in.',
    },
    {
      who: 'Creators whose pool a stranger only claims to be emptied',
      why: 'If no registered exchange announced the pool, only movements of coins count.',
    },
    { who: 'Traders of their own token', why: 'What they bought back is set against what they sold.' },
  ],
  confidence: { creator: 0.95 },
  doc: {
    summary: 'The creator of a token took most of the pool’s reserve after others had bought.',
    takes: [
      'Within 30 days of launch, it took 80 % of the base reserve within a day, by withdrawing or by selling.',
      'It took more of the base coin than it had put in, by $100 if the base coin has a price.',
      'Three or more other accounts had bought.',
    ],
    cannotSee: [
      'Creators who take the reserve through other wallets.',
      'Events after the first 5,000 of a pool. Within 30 days of launch, the result is then unknown, not clear.',
      'Pools of V4 and of Infinity’s ranges, whose events do not state what lies in them, and pools of more than two tokens.',
      'Liquidity of unregistered exchanges that is taken out in a different transaction than the event.',
      'Which pool of V4 or of Infinity’s ranges was filled, if one transaction also swaps there: all that the exchange took in counts as moved.',
    ],
  },
})
