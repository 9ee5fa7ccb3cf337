/** Habitual use of mixers. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { percent, times } from '../../wording.ts'
import { loadMixing, type Mixing } from './mixing.ts'

/** Minimum number of own deposits and withdrawals. */
const MIN_OWN_EVENTS = 2
/** Minimum share of mixer flow in the wallet's lifetime flow. */
const MIN_FLOW_SHARE = 0.25

/**
 * Judges the wallet's own acts and their share of its flow; withdrawals that others send to it do not count. Answers unknown if part of
 * the flow was before the first covered block.
 */
export const mixerHabit = defineDetector({
  id: 'mixer-habit',
  version: 2,
  family: 'laundering',
  offence: 'Habitual use of mixers',
  needs: ['mixer-registry', 'mixer-log', 'own-flows'],
  after: [],
  infrastructure: 'unknown',
  load: (context) => context.once(loadMixing),
  judge: (mixing: Mixing | undefined, { network }) => {
    if (!mixing) return convicted([])
    const { moves, own, share, mixed, before } = mixing
    if (before && own >= MIN_OWN_EVENTS) {
      return {
        kind: 'unknown',
        uncovered: true,
        why: `used mixers ${times(own)}, partly before the first covered block, where its total flow is not known`,
      }
    }
    if (own < MIN_OWN_EVENTS || share === null || share < MIN_FLOW_SHARE) return convicted([])
    return convicted([
      {
        grade: 'habit',
        title: `Used mixers ${times(own)}, for ${percent(share)} of its flow`,
        evidence: {
          ownEvents: own,
          flowShare: Math.round(share * 1e4) / 1e4,
          mixed: mixed.map(({ asset, amount }) => amountOf(network, asset, amount)),
          transactions: moves.slice(0, 10).map((move) => move.tx_hash),
        },
      },
    ])
  },
  exclusions: [
    {
      who: 'Addresses that others send withdrawals to',
      why: 'Withdrawals to an address that sent nothing later do not count.',
    },
    { who: 'One-time users', why: 'One deposit is not a habit.' },
    {
      who: 'Users with a long history',
      why: 'Mixer flow is less than 25 % of the asset, or less than 5 % of all flow with a price.',
    },
  ],
  confidence: { habit: 0.95 },
  doc: {
    summary: 'Mixers are a large part of what the wallet does.',
    takes: [
      'The wallet signed two deposits or withdrawals.',
      '25 % of the flow of the mixed asset goes through mixers.',
    ],
    cannotSee: ['Privacy protocols that are not in the registry.'],
  },
})
