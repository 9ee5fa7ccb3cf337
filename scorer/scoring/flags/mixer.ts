import type { Mixing } from '../../detection/laundering/mixer-habit/mixing.ts'
import { type Flag, RAISE_AT, type Raised } from './flag.ts'

/** Own deposits and withdrawals that make a habit. */
export const MIN_OWN_EVENTS = 2
/** Part of the wallet's lifetime flow that has to be mixer flow. */
export const MIN_FLOW_SHARE = 0.25

const habit = ({ moves, own, share }: Mixing): Raised[] =>
  own >= MIN_OWN_EVENTS && share !== null && share >= MIN_FLOW_SHARE
    ? [
        {
          detector: 'mixer-habit',
          confidence: 0.95,
          evidence: {
            ownEvents: own,
            flowShare: Math.round(share * 1e4) / 1e4,
            transactions: moves.slice(0, 10).map((move) => move.tx_hash),
          },
        },
      ]
    : []

/** What the looser reading counts: one deposit or withdrawal the wallet signed. Withdrawals sent to it by others are none of its acts. */
const interaction = ({ moves, own }: Mixing): Raised[] =>
  own === 0
    ? []
    : [
        {
          detector: 'mixer-interaction',
          confidence: 0.9,
          evidence: {
            ownEvents: own,
            transactions: moves
              .filter((move) => move.own)
              .slice(0, 10)
              .map((move) => move.tx_hash),
          },
        },
      ]

/**
 * Is a mixer, or habitually uses one. Mere contact is not enough: anyone can be sent a withdrawal, and one deposit among a
 * long life is no habit. Privacy protocols beside the registry's mixers do not count. An operator may
 * choose the looser reading, in which any use of its own counts (`ASSAY_MIXER_MODE=interaction`).
 */
export const mixer: Flag = {
  name: 'mixer',
  networks: ['ETH', 'BNB', 'POLYGON'],
  threshold: RAISE_AT,
  labels: ['mixer'],
  detect: (wallet, { mixer: mode }) => [
    ...(wallet.features.mixer_events > 0
      ? [{ detector: 'mixer-registry', confidence: 1, evidence: { events: wallet.features.mixer_events } }]
      : []),
    ...(wallet.evidence.mixing ? habit(wallet.evidence.mixing) : []),
    ...(wallet.evidence.mixing && mode === 'interaction' ? interaction(wallet.evidence.mixing) : []),
  ],
}
