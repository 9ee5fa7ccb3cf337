/** NFT drains: approval drains of collections. */
import { convicted, defineDetector, suspected } from '../../detector.ts'
import { approvalDrain } from '../approval-drain/detector.ts'
import { DRAINED, type Drain, MIN_VICTIMS } from '../approval-drain/drain.ts'
import { drainEvidence, proceedsOf } from '../approval-drain/proceeds.ts'

/** Convicts for three victims within thirty days, and suspects for fewer. The drains are loaded by `approval-drain`. */
export const nftDrain = defineDetector({
  id: 'nft-drain',
  version: 3,
  family: 'theft',
  offence: 'NFT drain',
  needs: ['token-events', 'own-acts', 'past-of-others'],
  after: [approvalDrain],
  infrastructure: 'exempt',
  load: (_, results) => results.of(approvalDrain),
  others: DRAINED,
  judge: (drains: Drain[] | undefined, { network }) => {
    const { nft } = proceedsOf(drains ?? [])
    const finding = drainEvidence(network, nft)
    return nft.victims >= MIN_VICTIMS ? convicted(finding) : suspected(finding)
  },
  exclusions: [
    { who: 'Sales', why: 'They pay in the same transaction.' },
    { who: 'Escrows', why: 'They keep NFTs in a contract.' },
    { who: 'Raffles', why: 'They hand NFTs to many.' },
    {
      who: 'Owners of many wallets',
      why: 'Accounts that got their first coins from one payer on one day count as one.',
    },
    { who: 'Dealers and games', why: 'Taker, spender or signer pays the owner at some time.' },
  ],
  confidence: { victims: 0.9, 'victims-at-once': 0.9 + 0.05, few: 0.5, 'few-at-once': 0.5 + 0.05 },
  doc: {
    summary: 'Owners who approved the wallet for a collection lost their NFTs and got nothing for them.',
    takes: [
      'Within 30 days, NFTs of three owners went to one account.',
      'The owners got no payment, neither in that transaction nor ever from taker, spender or signer.',
      'A transaction that carried coins counts only if its block shows internal payments.',
    ],
    cannotSee: [
      'Orders without a price that owners signed off chain for a marketplace.',
      'That wallets have one owner who gathers their NFTs, if they lived apart: created on different days, with payees of their own.',
    ],
  },
})
