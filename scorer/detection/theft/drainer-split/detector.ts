/** Drainer as a service: operator and affiliate share what was taken in a fixed ratio. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { counted } from '../../wording.ts'
import { loadShares, type Share, SPLIT } from './splits.ts'

export const drainerSplit = defineDetector({
  id: 'drainer-split',
  version: 2,
  family: 'theft',
  offence: 'Drainer as a service',
  needs: ['token-events', 'own-receipts', 'past-of-others'],
  after: [],
  infrastructure: 'exempt',
  load: loadShares,
  others: SPLIT,
  judge: (shares: Share[] | undefined, { network }) =>
    convicted(
      (shares ?? []).map(({ role, operators, affiliates, splits }) => {
        const victims = new Set(splits.map(({ victim }) => victim)).size
        return {
          grade: role,
          title:
            role === 'operator'
              ? `Operates a drainer: took its share of what ${counted(affiliates.length, 'affiliate')} stole from ${counted(victims, 'wallet')}`
              : `Is the affiliate of a drainer: received its share of what was stolen from ${counted(victims, 'wallet')}`,
          evidence: {
            role,
            operators,
            affiliates: affiliates.slice(0, 10),
            victims,
            splits: splits
              .slice(0, 10)
              .map((split) => ({ ...split, amount: amountOf(network, split.asset, BigInt(split.amount)) })),
          },
        }
      }),
    ),
  exclusions: [
    { who: 'Royalties and sales', why: 'The payer gets something.' },
    { who: 'Subscriptions', why: 'They take a part of what the payer has.' },
    { who: 'Payment splitters', why: 'The payer signs.' },
    { who: 'Payment gateways', why: 'The deposit addresses they empty never signed anything.' },
    {
      who: 'Receivers of trifles',
      why: 'Being paid is no act: a part counts from $500 (affiliate) or $1,000 (operator).',
    },
  ],
  // Semantics 2.3.1: an operator serves many affiliates and is surer than any of them.
  confidence: { operator: 0.97, affiliate: 0.95 },
  doc: {
    summary: 'Exactly two receivers shared, in one transaction, what was taken from an owner.',
    takes: [
      'The smaller part is 10, 12.5, 15, 17.5, 20, 25 or 30 %, within half a percentage point.',
      'The owner lost 90 % of the asset, did not sign and got nothing; or paid coins to a bait function.',
      'Operator: three victims, two affiliates and $1,000; half of those it shared payments of lost everything.',
      'Affiliate: the larger part of a proven operator, $500 in all.',
    ],
    cannotSee: [
      'Wallets with fewer than three such receipts.',
      'Splits of coins where blocks show no internal payments.',
      'Wrapped coins that are unwrapped before they are split.',
      'Assets without a price.',
    ],
  },
})
