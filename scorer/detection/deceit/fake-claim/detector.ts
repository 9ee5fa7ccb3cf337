/** Fake claims: contracts that take coins for a promise. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { counted } from '../../wording.ts'
import { type FakeClaim, loadFakeClaims } from './claims.ts'

/** Judges makers of the contract, and the contract itself. Payments in blocks without traces do not count. */
export const fakeClaim = defineDetector({
  id: 'fake-claim',
  version: 3,
  family: 'deceit',
  offence: 'Fake claim',
  needs: ['token-events', 'internal-payments', 'own-acts'],
  after: [],
  infrastructure: 'exempt',
  load: async (context) => loadFakeClaims(context, await context.once(loadOwnContracts)),
  judge: (claims: FakeClaim[] | undefined, { network }) =>
    convicted(
      (claims ?? []).map((claim) => ({
        grade: 'maker',
        title: `Ran a fake claim: ${counted(claim.payers, 'wallet')} paid a contract that gave most of them nothing`,
        evidence: { ...claim, paid: amountOf(network, '', claim.paid) },
      })),
    ),
  exclusions: [
    { who: 'Airdrops with a fee', why: 'They give tokens, at once or later.' },
    { who: 'Lotteries', why: 'They pay some of the payers.' },
    { who: 'Deposits', why: 'The coins stay in the contract.' },
    { who: 'Daily claims of points', why: 'They cost less than $5 on average.' },
  ],
  confidence: { maker: 0.95 },
  doc: {
    summary: 'A young contract takes coins for a claim or an update, and gives nothing in return.',
    takes: [
      'Five wallets paid for a call of `claim()`, `SecurityUpdate()`, `Connect()` or the like (`bait` in `schema/registry/signatures/selectors.ts`).',
      'Nine in ten got nothing: not in that transaction, not from the contract, not from its creator. Payers whose first coins link them to the creator, or who paid less than 50 cents, are not counted.',
      'They paid $5 or more on average, each payer counted once, and 80 % of it went on to at most three accounts.',
      'The contract was younger than 30 days at its first payment.',
    ],
    cannotSee: [
      'Payments in blocks without traces.',
      'Functions with other names.',
      'Traps that give something, even if worthless, to each payer, or to one in ten whose first coins came from elsewhere.',
    ],
  },
})
