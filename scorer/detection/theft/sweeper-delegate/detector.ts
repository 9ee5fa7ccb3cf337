/** EIP-7702 sweepers: delegated accounts whose coins leave at once. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { counted } from '../../wording.ts'
import { loadSweeps, type Sweep } from './sweeps.ts'

/** Convicts the sink. Accounts that delegated are victims and have no finding. */
export const sweeperDelegate = defineDetector({
  id: 'sweeper-delegate',
  version: 2,
  family: 'theft',
  offence: 'EIP-7702 sweeper',
  needs: ['delegations', 'own-kind', 'own-receipts'],
  after: [],
  infrastructure: 'exempt',
  load: loadSweeps,
  judge: (sweeps: Sweep[] | undefined, { network }) =>
    convicted(
      (sweeps ?? []).map((sweep) => ({
        grade: 'sink',
        title: `Received what a malicious EIP-7702 delegate swept out of ${counted(sweep.swept, 'wallet')}`,
        evidence: { ...sweep, taken: amountOf(network, '', sweep.taken) },
      })),
    ),
  exclusions: [
    {
      who: 'Exchanges and processors that sweep deposit addresses',
      why: 'These accounts never paid anybody on their own.',
    },
    {
      who: 'Firms that forward what their tills take',
      why: 'The sink, or one payer, gave most of these accounts their first coins.',
    },
    { who: 'Shops that are paid from smart wallets', why: 'Coins stay longer, and not all of them leave.' },
    {
      who: 'Receivers of small amounts',
      why: 'Receiving a payment is not an act of the wallet: sweeps count from $500.',
    },
  ],
  confidence: { sink: 0.97 },
  doc: {
    summary: 'Accounts that delegate to one family of code lost all incoming coins to the wallet at once.',
    takes: [
      'Twenty authorizations name the family of code.',
      'Five of its accounts were swept into the wallet: four fifths of what they gave it, $500 in total.',
      'Incoming coins were gone less than two blocks later (median).',
      'Five of the accounts, and a quarter of them, had been active on their own before.',
    ],
    cannotSee: [
      'Sweeps of fresh accounts, which look like the deposit addresses of an exchange.',
      'The difference to a custodian that sweeps active wallets of its users by EIP-7702.',
    ],
  },
})
