/** Take-overs of accounts by their permissions: the owners lose their accounts, and what was in them. */
import { convicted, defineDetector, suspected } from '../../detector.ts'
import { counted } from '../../wording.ts'
import { loadTakeovers, provesThief, TAKEN_OVER, type TakenAccount } from './takeovers.ts'

const SHOWN = 10

/**
 * Convicts takers who signed or paid for something of the accounts; an account can name whom it likes as its owner.
 * TRON only.
 */
export const permissionTakeover = defineDetector({
  id: 'permission-takeover',
  version: 2,
  family: 'theft',
  offence: 'Take-over of accounts',
  needs: ['permissions', 'token-events', 'own-acts', 'past-of-others'],
  after: [],
  infrastructure: 'exempt',
  load: loadTakeovers,
  others: TAKEN_OVER,
  judge: (found: TakenAccount[] | undefined) => {
    const all = found ?? []
    if (all.length === 0) return convicted([])
    const proven = provesThief(all)
    const accounts = proven ? all.filter(({ acted }) => acted) : all
    const evidence = {
      victims: accounts.length,
      accounts: accounts.slice(0, SHOWN).map(({ account, time, update, emptiedAt, amounts, transactions }) => ({
        account,
        time,
        update,
        emptiedAt,
        amounts,
        transactions,
      })),
    }
    const title = `Became the only owner of ${counted(accounts.length, "stranger's account", "strangers' accounts")} and took what was in ${accounts.length === 1 ? 'it' : 'them'}`
    return proven
      ? convicted([{ grade: 'thief', title, evidence }])
      : suspected([{ grade: 'doubtful', title, evidence }])
  },
  exclusions: [
    {
      who: 'Owners who move to a new key',
      why: 'Their account and the key had to do with each other before, or their accounts share funders or counterparties.',
    },
    { who: 'Signers of shared accounts', why: 'The account keeps a key, or no single key has the power.' },
    { who: 'Services that act for accounts', why: 'They are given an active permission: the owner keeps the account.' },
    {
      who: 'Buyers of accounts',
      why: 'What they buy was staked, and comes free 14 days later; or they pay the account.',
    },
    {
      who: 'Wallets that a framer makes owners of accounts of his own',
      why: 'They sent nothing to the accounts, or the framer kept a key to hand over what was in them. A thief pays for the fees.',
    },
  ],
  confidence: { thief: 0.92, doubtful: 0.5 },
  doc: {
    summary: 'Strangers lost the power over their accounts to the wallet, and what was in them.',
    takes: [
      'Three accounts, older than a week and first seen on three different days.',
      'An update of permissions left the wallet the only key of each: nobody else could sign for it from then on.',
      'They had nothing to do with each other until the day before.',
      'Each then gave the wallet 95 % of its coins or of a dollar coin within 7 days, worth $100 at least.',
      'Each had been active on its own, and none was funded by the wallet, by another of them, or by a funder they share (payers of more than 500 apart).',
      'The wallet had signed something for each: coins or resources that pay its fees.',
    ],
    cannotSee: [
      'Who signed a transaction: an account and its owner have different keys after an update, and signatures are not read.',
      'Take-overs by active permission alone, or with a key of somebody else beside the own one.',
      'Thieves who pay for fees, or receive what they take, with another wallet: the first are suspected only.',
      'Thieves who dealt with the accounts before, were it by dust.',
      'The right of who seizes accounts for a court: it looks the same, and a label tells it apart.',
      'Less than three accounts: they are suspicion only.',
    ],
  },
})
