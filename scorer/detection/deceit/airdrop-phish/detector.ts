/** Lure tokens: a name that invites to a web page, sent to many. */
import { convicted, defineDetector } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { counted, quoted } from '../../wording.ts'
import { type Lure, loadLures } from './lures.ts'

/** Judges makers of tokens. The name alone convicts nobody: fifty holders must have received the token. */
export const airdropPhish = defineDetector({
  id: 'airdrop-phish',
  version: 2,
  family: 'deceit',
  offence: 'Lure token',
  needs: ['token-movements', 'token-names', 'own-acts'],
  after: [],
  infrastructure: 'exempt',
  load: async (context) => loadLures(context, await context.once(loadOwnContracts)),
  judge: (lures: Lure[] | undefined) =>
    convicted(
      (lures ?? []).map((evidence) => ({
        grade: 'maker',
        title: `Created the token ${quoted(evidence.name || evidence.symbol)}, which invites its ${counted(evidence.holders, 'holder')} or more to a web page`,
        evidence,
      })),
    ),
  exclusions: [
    { who: 'Tokens named after a site (yearn.finance)', why: 'They contain no invitation.' },
    { who: 'Reward tokens', why: 'They name no web site.' },
    { who: 'Brands such as gift.xyz', why: 'An address that consists only of the word is a brand.' },
  ],
  confidence: { maker: 0.92 },
  doc: {
    summary: 'The wallet created a token whose name lures holders to a web page.',
    takes: [
      'Name or symbol contains both a web address and an invitation (claim, visit, reward, voucher and the like).',
      'Fifty addresses hold the token.',
    ],
    cannotSee: ['Lures in languages other than English.', 'Tokens whose name was not read.'],
  },
})
