/** Tokens whose events report impossible transfers. */
import { convicted, defineDetector } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { counted } from '../../wording.ts'
import { type ForgedEvents, loadForgedEvents } from './forged-events.ts'

/** Judges makers of tokens, from five owners on: a single one may be a treasury that was minted without an event. */
export const forgedEvents = defineDetector({
  id: 'forged-events',
  version: 1,
  family: 'contracts',
  offence: 'Forged transfers',
  needs: ['token-events', 'token-names', 'whole-life', 'own-acts'],
  after: [],
  infrastructure: 'unknown',
  load: async (context) => loadForgedEvents(context, await context.once(loadOwnContracts)),
  judge: (found: ForgedEvents[] | undefined) =>
    convicted(
      (found ?? []).map((forgery) => ({
        grade: 'maker',
        title: `Created a token that reported transfers that cannot have happened, in the name of ${counted(forgery.owners, 'address', 'addresses')}`,
        evidence: { ...forgery },
      })),
    ),
  contracts: (found) => found.map(({ contract }) => ({ contract, label: 'fake_standard_interface' })),
  exclusions: [
    { who: 'Pre-minted treasuries', why: 'They are one owner without a visible balance; it takes five.' },
    { who: 'Spenders', why: 'The owner had approved somebody.' },
    { who: 'Tokens with a tax', why: 'The owner had the balance.' },
  ],
  confidence: { maker: 0.95 },
  doc: {
    summary: 'The wallet made a token that moves value out of owners who never had any.',
    takes: [
      'The token moved value out of five owners who never had it, did not sign, never approved anyone, and are not contracts.',
      'Every final block since the creation of the token is indexed.',
    ],
    cannotSee: [
      'Forged approvals.',
      'Balances that only a call shows, such as a constant one. The contract analysis labels these.',
    ],
  },
})
