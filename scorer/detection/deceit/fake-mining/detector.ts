/** Fake liquidity mining: owners are paid small rewards, then emptied. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { counted } from '../../wording.ts'
import { type FakeMining, loadFakeMining, MINED } from './mining.ts'

/** Convicts the spender, who empties the owners, and payers who do little but pay them. */
export const fakeMining = defineDetector({
  id: 'fake-mining',
  version: 3,
  family: 'deceit',
  offence: 'Fake liquidity mining',
  needs: ['token-events', 'dollar-coins', 'own-habits', 'past-of-others'],
  after: [],
  infrastructure: 'unknown',
  load: async (context) => loadFakeMining(context, await context.once(loadOwnContracts)),
  others: MINED,
  judge: (found: FakeMining[] | undefined, { network }) =>
    convicted(
      (found ?? []).map((mining) => ({
        grade: mining.role,
        title:
          mining.role === 'spender'
            ? `Emptied ${counted(mining.victims.length, 'wallet')} that had been paid small rewards first (fake liquidity mining)`
            : `Paid the small rewards of a fake liquidity mining scheme that emptied ${counted(mining.victims.length, 'wallet')}`,
        evidence: {
          ...mining,
          victims: mining.victims.map((one) => ({ ...one, amount: amountOf(network, one.asset, BigInt(one.amount)) })),
        },
      })),
    ),
  exclusions: [
    { who: 'Staking pools', why: 'They take coins only in transactions of their members.' },
    {
      who: 'Processors with one-time addresses',
      why: 'They gave these addresses their first coins, and the addresses pay nobody else.',
    },
    { who: 'Employers and faucets', why: 'They pay others as well.' },
    {
      who: 'Services that invest for their users',
      why: 'The owner gets something in the same transaction, or later coins worth two fifths of what was taken.',
    },
  ],
  confidence: { spender: 0.95, payer: 0.95 },
  doc: {
    summary: 'Owners who gave an unlimited approval were paid small sums, then lost all their coins.',
    takes: [
      'Five owners gave the spender an unlimited approval of a dollar coin.',
      'Two of them were paid native coins twice, then lost 90 % in transactions they did not sign.',
      'They had paid somebody else before, and their first coins came from none of the takers or payers.',
      'Payer: paid three of the victims, and four fifths of all wallets it ever paid had approved the spender.',
    ],
    cannotSee: ['Schemes that approve or pay other coins.'],
  },
})
