/** Addresses that are mixers themselves. */
import { convicted, defineDetector } from '../../detector.ts'
import { counted } from '../../wording.ts'

export const mixerRegistry = defineDetector({
  id: 'mixer-registry',
  version: 1,
  family: 'authorities',
  offence: 'Is a mixer',
  needs: ['mixer-registry'],
  after: [],
  infrastructure: 'judged',
  judge: (_, { features }) =>
    convicted(
      features.mixer_events > 0
        ? [
            {
              grade: 'mixer',
              title: `Is a mixer pool with ${counted(features.mixer_events, 'deposit or withdrawal', 'deposits and withdrawals')}`,
              evidence: { events: features.mixer_events },
            },
          ]
        : [],
    ),
  exclusions: [{ who: 'Users of a mixer', why: 'The events are those of the pool itself.' }],
  confidence: { mixer: 1 },
  doc: {
    summary: 'The address is a pool of a mixer.',
    takes: ['It emitted deposits or withdrawals as a pool of the registry.'],
    cannotSee: ['Mixers that are not in the registry.'],
  },
})
