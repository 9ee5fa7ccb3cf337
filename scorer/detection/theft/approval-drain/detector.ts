/** Approval drains: a spender takes everything that owners allowed it to move. */
import { convicted, defineDetector, suspected } from '../../detector.ts'
import { DRAINED, type Drain, MIN_VICTIMS } from './drain.ts'
import { loadDrains } from './drains.ts'
import { drainEvidence, proceedsOf, provesDrainer } from './proceeds.ts'

/** Convicts for three victims within thirty days, and suspects for fewer. `nft-drain` judges NFTs from the same loaded drains. */
export const approvalDrain = defineDetector({
  id: 'approval-drain',
  version: 4,
  family: 'theft',
  offence: 'Approval drain',
  needs: ['token-events', 'own-acts', 'past-of-others'],
  after: [],
  infrastructure: 'exempt',
  load: loadDrains,
  others: DRAINED,
  judge: (drains: Drain[] | undefined, { network }) => {
    const { fungible } = proceedsOf(drains ?? [])
    const finding = drainEvidence(network, fungible)
    return fungible.victims >= MIN_VICTIMS ? convicted(finding) : suspected(finding)
  },
  contracts: (drains) =>
    provesDrainer(drains)
      ? [...new Set(drains.map(({ spender }) => spender))].map((contract) => ({ contract, label: 'drainer' }))
      : [],
  exclusions: [
    {
      who: 'Subscriptions and fares',
      why: 'They take a part. A drainer empties at least half of the owners it takes from.',
    },
    { who: 'Settlers and routers', why: 'The owner gets something in the same transaction.' },
    {
      who: 'Settlers that pay coins they unwrap',
      why: 'If the block shows no internal payments, the owner may have received them.',
    },
    { who: 'Permit users', why: 'They sign the transaction themselves.' },
    { who: 'Payment relayers', why: 'They carry payments to many payees and keep less than a tenth as a fee.' },
    {
      who: 'Deposit addresses of exchanges and processors',
      why: 'Their first coins came from the taker, or they never paid anybody else. Wrapping coins is not a payment.',
    },
    {
      who: 'Owners of many wallets',
      why: 'Accounts that got their first coins from one payer on one day count as one.',
    },
    { who: 'Keepers', why: 'They move coins that their own contracts hold.' },
    { who: 'Desks', why: 'They pay the owner later.' },
    { who: 'Burns, bridges and vaults', why: 'The approved contract keeps half of what came, or pays it out to many.' },
    {
      who: 'Makers of a broken contract',
      why: 'Half of the victims had used the contract themselves, and strangers robbed them through it.',
    },
  ],
  confidence: { victims: 0.9, 'victims-at-once': 0.9 + 0.05, few: 0.5, 'few-at-once': 0.5 + 0.05 },
  doc: {
    summary: 'Owners who approved the wallet, or a contract it made, lost the approved token.',
    takes: [
      'Three owners were drained within 30 days.',
      'Each lost 90 % of the asset within 7 days of approving.',
      'The owners did not sign the transactions and got nothing in them.',
      'One taker received from at least a third of the victims.',
      'A contract counts while it is younger than 30 days when it first drains.',
      'At least half of the taken amount was seen to arrive at the owner; otherwise the owner’s balance is unknown. Coins that the owner wrapped count as arrived.',
    ],
    cannotSee: [
      'That wallets have one owner who gathers their tokens by permits, if they lived apart: created on different days, with payees of their own.',
      'Drains on TON and Solana.',
      'Victims hidden behind a hundred other accounts that each have ten newer approvals of well-known coins.',
      'Drains of wrapped coins other than the registered one of the network, if owners wrapped them themselves.',
      'Drains by a contract that keeps wrapped coins and pays out what it unwraps.',
      'Drains that unwrap coins in the same transaction, if blocks show no internal payments.',
      'A staged drain: an attacker lures an account into calling the attacker’s token, after three of the attacker’s accounts approved that account.',
    ],
  },
})
