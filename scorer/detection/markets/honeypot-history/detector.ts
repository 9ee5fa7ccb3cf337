/** Honeypots by history: many bought, nobody outside could sell. */
import { readSql } from '../../../../platform/store/sql.ts'
import { type LoadContext, listsOf } from '../../context.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import { counted } from '../../wording.ts'
import { loadOwnPools, otherMarketsOf } from '../pools/pools.ts'
import { findHoneypot, type Honeypot, LEAST_USD } from './honeypot.ts'

const FAILED_SELLS = readSql(import.meta.url, './failed-sells.sql')

const loadHoneypots = async (context: LoadContext): Promise<Map<string, Honeypot[]>> => {
  const { store, network, now } = context
  const own = await context.once(loadOwnPools)
  const pools = [...own.events.keys()]
  const tokens = [...new Set(pools.map(({ token }) => token))]
  const failed =
    own.traders.length === 0
      ? []
      : await store.query<{ token: string; holder: string; tx_hash: string }>(
          FAILED_SELLS,
          { network, holders: own.traders, tokens },
          { route: 'failed_sells' },
        )
  const least = usdThresholds(network, LEAST_USD)
  return listsOf(
    [...own.events].flatMap(([pool, events]) => {
      const tried = failed.filter(({ token }) => token === pool.token)
      const elsewhere = otherMarketsOf(pool, own).flatMap((market) => market.events)
      const honeypot = findHoneypot(pool, events, tried, now, least.get(pool.base) ?? 0, elsewhere)
      return honeypot ? [[pool.address, honeypot] as const] : []
    }),
  )
}

export const honeypotHistory = defineDetector({
  id: 'honeypot-history',
  version: 1,
  family: 'markets',
  offence: 'Honeypot',
  needs: ['pool-events', 'own-acts'],
  after: [],
  infrastructure: 'exempt',
  load: loadHoneypots,
  judge: (honeypots: Honeypot[] | undefined) =>
    convicted(
      (honeypots ?? []).map((found) => ({
        grade: 'creator',
        title: `Created a honeypot token: ${counted(found.buyers, 'wallet')} bought it and none could sell it`,
        evidence: { ...found },
      })),
    ),
  contracts: (honeypots) => honeypots.map(({ token }) => ({ contract: token, label: 'honeypot' })),
  exclusions: [
    { who: 'Tokens whose buyers wait', why: 'Fewer than 20 buyers, or less than a day, prove nothing.' },
    { who: 'Tokens sold in another pool', why: 'One outside sale in any pool of the token acquits.' },
    { who: 'Makers of tokens for which others opened a pool', why: 'They gave it no liquidity.' },
    { who: 'Buyers', why: 'They are the victims.' },
  ],
  confidence: { creator: 0.95 },
  doc: {
    summary: 'Many bought the token of the wallet, and nobody outside ever sold it.',
    takes: [
      'The creator gave liquidity to the pool; buyers count from $10 on where the base has a price.',
      'Twenty outside buyers and a day without a single outside sale in any pool of the token.',
      'Or five outside buyers, three of whom approved and whose sale then failed.',
    ],
    cannotSee: ['Traps that let a few accounts sell.', 'Makers who give liquidity from other wallets.'],
  },
})
