/** Any use of a mixer by the wallet itself, for operators who choose the stricter mode. */
import { convicted, defineDetector } from '../../detector.ts'
import { times } from '../../wording.ts'
import { loadMixing, type Mixing } from '../mixer-habit/mixing.ts'

/** One use suffices. Raises a flag only with `ASSAY_MIXER_MODE=interaction`. */
export const mixerInteraction = defineDetector({
  id: 'mixer-interaction',
  version: 2,
  family: 'laundering',
  offence: 'Use of a mixer',
  needs: ['mixer-registry', 'mixer-log'],
  after: [],
  infrastructure: 'unknown',
  load: (context) => context.once(loadMixing),
  judge: (mixing: Mixing | undefined) => {
    if (!mixing || mixing.own === 0) return convicted([])
    const own = mixing.moves.filter((move) => move.own)
    return convicted([
      {
        grade: 'user',
        title: `Used mixers ${times(mixing.own)}`,
        evidence: { ownEvents: mixing.own, transactions: own.slice(0, 10).map((move) => move.tx_hash) },
      },
    ])
  },
  exclusions: [{ who: 'Addresses that others send withdrawals to', why: 'They did nothing.' }],
  confidence: { user: 0.9 },
  doc: {
    summary: 'The wallet used a mixer itself. Counts only with `ASSAY_MIXER_MODE=interaction`.',
    takes: ['The wallet signed one deposit or withdrawal.'],
    cannotSee: ['Privacy protocols that are not in the registry.'],
  },
})
