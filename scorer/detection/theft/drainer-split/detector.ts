/** Drainer as a service: operator and affiliate share the proceeds in a fixed ratio. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { counted } from '../../wording.ts'
import { isProven, loadShares, type Share, SPLIT } from './splits.ts'

/** Convicts operators and affiliates. Answers unknown if the victims may belong to one party. */
export const drainerSplit = defineDetector({
  id: 'drainer-split',
  version: 4,
  family: 'theft',
  offence: 'Drainer as a service',
  needs: ['token-events', 'own-receipts', 'past-of-others'],
  after: [],
  infrastructure: 'exempt',
  load: loadShares,
  others: SPLIT,
  judge: (shares: Share[] | undefined, { network }) => {
    const proven = (shares ?? []).filter(isProven)
    if (proven.length === 0 && shares !== undefined && shares.length > 0)
      return {
        kind: 'unknown',
        why: 'it is not certain that the wallets it was paid from are unrelated to each other',
        uncovered: true,
      }
    return convicted(
      proven.map(({ role, operators, affiliates, splits }) => {
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
    )
  },
  exclusions: [
    { who: 'Royalties and sales', why: 'The payer gets something.' },
    { who: 'Subscriptions', why: 'They take a part of what the payer has.' },
    { who: 'Payment splitters', why: 'The payer signs.' },
    { who: 'Payment gateways', why: 'The deposit addresses they empty never signed anything.' },
    {
      who: 'Receivers of small amounts',
      why: 'Receiving a payment is not an act of the wallet: its own parts count from $500.',
    },
    {
      who: 'Wallets that an attacker frames by paying them from accounts of the attacker',
      why: 'Such accounts are new, inactive or have one funder. The flag is then unknown.',
    },
  ],
  // Semantics 2.3.1: an operator serves many affiliates, so its confidence is higher.
  confidence: { operator: 0.97, affiliate: 0.95 },
  doc: {
    summary: 'In one transaction, exactly two receivers split what was taken from an owner.',
    takes: [
      'The smaller part is 10, 12.5, 15, 17.5, 20, 25 or 30 %, within half a percentage point.',
      'The owner lost 90 % of the asset, did not sign and got nothing; or the owner paid coins to a bait function.',
      'Operator: has three victims and two affiliates. Half of the owners whose payments it split lost everything.',
      'Affiliate: got the larger part of what a proven operator split, from three victims.',
      'The parts of the wallet are $500 in total.',
      'Three of the victims are unrelated: older than a week and active on their own.',
      'None of the three was funded by the wallet, by a victim, or by a funder they share (payers of more than 500: in one hour).',
    ],
    cannotSee: [
      'Wallets with fewer than three such receipts.',
      'Splits of coins, if blocks show no internal payments.',
      'Wrapped coins that are unwrapped before they are split.',
      'Assets without a price.',
      'Who owns the victims. An attacker with three old, active accounts and $500 can frame a wallet.',
    ],
  },
})
