/** Counterfeit tokens: tokens that pass for another and reached others. */
import { convicted, defineDetector } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { counted, quoted } from '../../wording.ts'
import { type Counterfeit, loadCounterfeits } from './counterfeits.ts'

/** Judges makers of tokens. Pools do not convict if the original is a memecoin, because memecoins borrow each other's names. */
export const counterfeitToken = defineDetector({
  id: 'counterfeit-token',
  version: 1,
  family: 'deceit',
  offence: 'Counterfeit token',
  needs: ['token-movements', 'token-names', 'own-acts', 'past-of-others'],
  after: [],
  infrastructure: 'unknown',
  load: async (context) => loadCounterfeits(context, await context.once(loadOwnContracts)),
  // The original was seen before the counterfeit, or there would be no finding.
  others: {
    concerns: ({ contracts_created }) => contracts_created > 0,
    parties: () => [],
    proven: (counterfeits) => counterfeits,
  },
  judge: (found: Counterfeit[] | undefined) =>
    convicted(
      (found ?? []).map(({ pools, ...counterfeit }) => ({
        grade: 'maker',
        title: `Created ${quoted(counterfeit.symbol || counterfeit.name)}, a counterfeit of ${counterfeit.originalSymbol} whose transfers named ${counterfeit.unasked >= 1_000 ? 'at least ' : ''}${counted(counterfeit.unasked, 'address', 'addresses')} that had not signed them`,
        evidence: { ...counterfeit, ...(pools.length === 0 ? {} : { pools }) },
      })),
    ),
  contracts: (found) => found.map(({ contract }) => ({ contract, label: 'fake_token' })),
  exclusions: [
    { who: 'Bridged forms', why: 'The registry knows them, or a token bridge created them.' },
    { who: 'Older namesakes', why: 'The first token of that name imitates nobody.' },
    { who: 'Memecoins', why: 'They borrow names from each other, so a pool is not enough.' },
    { who: 'Test tokens', why: 'Their pools hold other tokens of the same creator.' },
  ],
  confidence: { maker: 0.95 },
  doc: {
    summary: 'The wallet created a token that imitates a canonical asset of the network.',
    takes: [
      'The name, or a symbol of money (USD, ETH, BTC, BNB), reads like a dollar coin, base coin or the native coin.',
      'Or symbol and name both read like another canonical asset.',
      'Look-alike letters, marks and invisible characters are normalised first.',
      'Its movements name 50 addresses that did not sign them, or its creator put it into a pool with a token of others.',
    ],
    cannotSee: [
      'Tokens whose name was not read.',
      'An attacker who frames the creator: sends 50 strangers a token that is named like money and that anybody may mint.',
    ],
  },
})
