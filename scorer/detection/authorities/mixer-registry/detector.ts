/** Addresses that are mixers themselves. */
import { loadPastPools } from '../../../ledger/authorities/mixing.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { counted } from '../../wording.ts'

/** Convicts pools, never their users. A pool of the registry without deposits and withdrawals is clear. */
export const mixerRegistry = defineDetector({
  id: 'mixer-registry',
  version: 2,
  family: 'authorities',
  offence: 'Is a mixer',
  needs: ['mixer-registry', 'mixer-log'],
  after: [],
  infrastructure: 'judged',
  // Deposits and withdrawals by pool, including those before the first covered block.
  load: async ({ store, network, wallets }) => {
    const past = await loadPastPools(store, network, [...wallets.keys()])
    const events = [...wallets].map(([pool, { mixer_events }]) => [pool, mixer_events + (past.get(pool) ?? 0)] as const)
    return new Map(events.filter(([, count]) => count > 0))
  },
  judge: (events: number | undefined) =>
    convicted(
      events === undefined
        ? []
        : [
            {
              grade: 'mixer',
              title: `Is a mixer pool with ${counted(events, 'deposit or withdrawal', 'deposits and withdrawals')}`,
              evidence: { events },
            },
          ],
    ),
  exclusions: [{ who: 'Users of a mixer', why: 'Only the pool emits these events.' }],
  confidence: { mixer: 1 },
  doc: {
    summary: 'The address is a pool of a mixer.',
    takes: ['The address is in the registry of mixer pools, and emitted deposits or withdrawals.'],
    cannotSee: ['Mixers that are not in the registry.'],
  },
})
