/** Honeypots by history: many bought, and nobody outside could sell. */
import { readSql } from '../../../../platform/store/sql.ts'
import { groupedBy, type LoadContext } from '../../context.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import { counted } from '../../wording.ts'
import { loadOwnPools, otherMarketsOf, truncationOf } from '../pools/pools.ts'
import { findHoneypot, type Honeypot, LEAST_USD, wasSold } from './honeypot.ts'

const FAILED_SELLS = readSql(import.meta.url, './failed-sells.sql')

/**
 * Honeypots of a creator. `overlooked`: its pools have more events than are examined, among them possibly a honeypot or an
 * exonerating sale.
 */
type Honeypots = { honeypots: Honeypot[]; overlooked: boolean }
const NONE: Honeypots = { honeypots: [], overlooked: false }
const TOO_MUCH = 'the pools of its tokens have too many events to determine whether others could sell'

const loadHoneypots = async (context: LoadContext): Promise<Map<string, Honeypots>> => {
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
  const judged = [...own.events].map(([pool, events]) => {
    const tried = failed.filter(({ token }) => token === pool.token)
    const elsewhere = otherMarketsOf(pool, own).flatMap((market) => market.events)
    const honeypot = findHoneypot(pool, events, tried, now, least.get(pool.base) ?? 0, elsewhere)
    // Events that were not examined may contain a sale.
    const flood = wasSold(pool, [...events, ...elsewhere]) ? { any: false, known: false } : truncationOf(pool, own)
    return { pool, honeypot: flood.known ? undefined : honeypot, overlooked: flood.any }
  })
  return new Map(
    [...groupedBy(judged, ({ pool }) => pool.address)].map(([address, pools]) => [
      address,
      {
        honeypots: pools.flatMap(({ honeypot }) => honeypot ?? []),
        overlooked: pools.some(({ overlooked }) => overlooked),
      },
    ]),
  )
}

/** Convicts creators from the history of trades alone. Results of simulations arrive as labels on the contract. */
export const honeypotHistory = defineDetector({
  id: 'honeypot-history',
  version: 2,
  family: 'markets',
  offence: 'Honeypot',
  needs: ['pool-events', 'own-acts'],
  after: [],
  infrastructure: 'exempt',
  load: loadHoneypots,
  judge: ({ honeypots, overlooked }: Honeypots = NONE) =>
    honeypots.length === 0 && overlooked
      ? { kind: 'unknown', why: TOO_MUCH, uncovered: true }
      : convicted(
          honeypots.map((found) => ({
            grade: 'creator',
            title: `Created a honeypot token: ${counted(found.buyers, 'wallet')} bought it and none could sell it`,
            evidence: { ...found },
          })),
        ),
  contracts: ({ honeypots }) => honeypots.map(({ token }) => ({ contract: token, label: 'honeypot' })),
  exclusions: [
    { who: 'Tokens whose buyers wait', why: 'Fewer than 20 buyers, or less than a day, are no evidence.' },
    { who: 'Tokens sold in another pool', why: 'One outside sale in any pool of the token rules it out.' },
    { who: 'Creators of tokens for which others opened a pool', why: 'They provided no liquidity.' },
    { who: 'Buyers', why: 'They are the victims.' },
  ],
  confidence: { creator: 0.95 },
  doc: {
    summary: 'Many accounts bought the wallet’s token, and no outsider ever sold it.',
    takes: [
      'The creator provided liquidity to the pool. Buyers count from $10 if the base coin has a price.',
      'It has twenty outside buyers, and a day without a single outside sale in any pool of the token.',
      'Or it has five outside buyers, of whom three approved and then failed to sell.',
    ],
    cannotSee: [
      'Events after the first 5,000 of a pool. If nobody sold by then, the result is unknown, not clear.',
      'Traps that let a few accounts sell.',
      'Creators who provide liquidity from other wallets.',
    ],
  },
})
