/** Rings that sell an NFT in circles. */
import { dollarsOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { counted, dollars } from '../../wording.ts'
import { loadNftRings, type NftRing, RINGS } from './nft-rings.ts'

/** Convicts all members of a ring alike. A wallet that only bought from one is no member. */
export const nftWashRing = defineDetector({
  id: 'nft-wash-ring',
  version: 2,
  family: 'markets',
  offence: 'NFT wash trading',
  needs: ['token-events', 'own-acts', 'past-of-others'],
  after: [],
  infrastructure: 'unknown',
  load: loadNftRings,
  others: RINGS,
  judge: (rings: NftRing[] | undefined) =>
    convicted(
      (rings ?? []).map((ring) => ({
        grade: 'member',
        title: `Traded the same NFTs in a ring of ${counted(ring.members.length, 'connected wallet')}, worth ${dollars(ring.volume)}`,
        evidence: { ...ring, volume: dollarsOf(ring.volume) },
      })),
    ),
  exclusions: [
    { who: 'Traders who buy back from strangers', why: 'They did not fund each other.' },
    { who: 'Customers of one exchange', why: 'A payer of more than 50 parties does not link its receivers.' },
    {
      who: 'Gifts, games and loans from an escrow',
      why: 'They are no sales: a sale is signed by one side and paid in the same transaction.',
    },
    { who: 'Teams that sell to the world', why: 'Less than 60 % of their trade is with each other.' },
  ],
  confidence: { member: 0.9 },
  doc: {
    summary: 'Related wallets sell each other the same NFT again and again.',
    takes: [
      'The wallet bought and sold the same NFT three times each within a ring of two to twelve accounts.',
      'The accounts funded one another, or one funder (of at most 50 parties) funded them.',
      'Sales within the ring are $10,000, and 60 % of what its members traded in the collection.',
    ],
    cannotSee: ['Rings of more than twelve accounts.', 'Sales that are paid in another transaction.'],
  },
})
