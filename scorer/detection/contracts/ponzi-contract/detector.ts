/** Ponzi contracts: early depositors are paid from later deposits. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { counted } from '../../wording.ts'
import { loadPonzis, type Ponzi } from './ponzi.ts'

/** Judges creators, never depositors, not even winners. Schemes that pay on request are not found. */
export const ponziContract = defineDetector({
  id: 'ponzi-contract',
  version: 1,
  family: 'contracts',
  offence: 'Ponzi contract',
  needs: ['token-events', 'internal-payments', 'own-acts'],
  after: [],
  infrastructure: 'unknown',
  load: async (context) => loadPonzis(context, await context.once(loadOwnContracts)),
  judge: (ponzis: Ponzi[] | undefined, { network }) =>
    convicted(
      (ponzis ?? []).map((ponzi) => ({
        grade: 'creator',
        title: `Created a Ponzi contract: ${counted(ponzi.depositors, 'depositor')}, ${counted(ponzi.losers, 'of them lost money', 'of them lost money')}`,
        evidence: {
          ...ponzi,
          deposited: amountOf(network, '', ponzi.deposited),
          paidToEarlier: amountOf(network, '', ponzi.paidToEarlier),
          creatorTook: amountOf(network, '', ponzi.creatorTook),
        },
      })),
    ),
  exclusions: [
    { who: 'Auctions', why: 'They refund without a gain.' },
    { who: 'Lotteries', why: 'A winner gets one prize, by luck instead of by being early.' },
    { who: 'NFT marketplaces', why: 'Buyers pay sellers a price.' },
    { who: 'Shops with referral rewards', why: 'They keep most of the deposits.' },
    { who: 'Farms and pools', why: 'Outside money comes in, or members withdraw their own.' },
  ],
  confidence: { creator: 0.92 },
  doc: {
    summary: 'A contract of the wallet pays early depositors out of later deposits.',
    takes: [
      'It has ten depositors. Five early ones got more than their stake, out of the deposits of later ones.',
      'These payments are 80 % of all it paid and half of the deposits, and its creator made a profit.',
    ],
    cannotSee: ['Schemes whose investors withdraw their interest themselves.', 'Schemes that pay in tokens.'],
  },
})
