/** Sweeps of stolen keys: unrelated accounts emptied together. */
import { convicted, defineDetector, suspected } from '../../detector.ts'
import { counted } from '../../wording.ts'
import { type KeySweep, loadKeySweeps, SWEPT } from './key-sweeps.ts'

/**
 * Convicts if a mixer funded the sweep or received its proceeds, and suspects otherwise: custodians that move wallets of users look
 * the same.
 */
export const keySweep = defineDetector({
  id: 'key-sweep',
  version: 3,
  family: 'theft',
  offence: 'Sweep of stolen keys',
  needs: ['token-events', 'mixer-registry', 'own-acts', 'past-of-others'],
  after: [],
  infrastructure: 'exempt',
  load: loadKeySweeps,
  others: SWEPT,
  judge: (sweep: KeySweep | undefined) => {
    if (!sweep) return convicted([])
    const evidence = {
      victims: sweep.accounts.length,
      mixed: sweep.mixed.slice(0, 10),
      accounts: sweep.accounts.slice(0, 10),
    }
    const title = `Emptied ${counted(sweep.accounts.length, 'unrelated account')} together, each within an hour of being sent gas`
    // Custodians that move their users' wallets look the same, but have nothing to do with mixers.
    return sweep.mixed.length > 0
      ? convicted([{ grade: 'mixed', title: `${title}, and used a mixer before or after`, evidence }])
      : suspected([{ grade: 'unmixed', title, evidence }])
  },
  exclusions: [
    { who: 'Exchanges and gateways', why: 'Their deposit addresses never paid anybody on their own.' },
    { who: 'Custodians who move used wallets of their users', why: 'They do not use mixers.' },
    {
      who: 'Owners of many wallets',
      why: 'Their wallets share counterparties, funders or the day they were first seen.',
    },
    { who: 'Members who pay only a part', why: 'They keep something.' },
  ],
  confidence: { mixed: 0.92, unmixed: 0.7 },
  doc: {
    summary: 'Unrelated accounts sent everything they had to the wallet right after it sent them gas.',
    takes: [
      'Five accounts, older than a week, were emptied within 30 minutes of each other.',
      'Each was sent gas, and gave 95 % of all known assets within the hour.',
      'Each had been active on its own, and they were first seen on five different days.',
      'None was funded by the wallet, by another of them, or by a shared funder (payers of more than 500 accounts excluded).',
      'The wallet got its first coins from a mixer in the month before, or paid into a mixer in the month after.',
    ],
    cannotSee: [
      'Thieves who use no mixer. They are only suspected.',
      'Sweeps of fresh accounts.',
      'Thieves who had one wallet pay 20 parties, of which a third of the accounts are their own: they look like a custodian.',
      'The difference to an owner who moves five wallets with separate lives to a wallet that uses a mixer.',
      'Accounts after the oldest 1,000 that were sent gas and gave something within the hour.',
    ],
  },
})
