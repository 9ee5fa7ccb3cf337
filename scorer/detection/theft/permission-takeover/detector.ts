/** Takeovers of accounts by permission updates: the owners lose their accounts and everything in them. */
import { convicted, defineDetector, suspected } from '../../detector.ts'
import { counted } from '../../wording.ts'
import { loadTakeovers, provesThief, TAKEN_OVER, type TakenAccount } from './takeovers.ts'

const SHOWN = 10

/** Convicts takers who signed or paid for something of the accounts, because an account can name anyone as its owner. TRON only. */
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
      why: 'Account and key had contact before, or their accounts share funders or counterparties.',
    },
    { who: 'Signers of shared accounts', why: 'The account keeps a key, or no single key has full control.' },
    {
      who: 'Services that act for accounts',
      why: 'They get an active permission only, so the owner keeps the account.',
    },
    {
      who: 'Buyers of accounts',
      why: 'They buy staked coins, which are released 14 days later; or they pay the account.',
    },
    {
      who: 'Wallets that an attacker frames by handing over accounts of the attacker',
      why: 'They sent nothing to the accounts, or the attacker kept a key to transfer the balance. A thief pays for the fees.',
    },
  ],
  confidence: { thief: 0.92, doubtful: 0.5 },
  doc: {
    summary: 'Unrelated accounts came under the sole control of the wallet, and lost what was in them.',
    takes: [
      'It took over three accounts that are older than a week and were first seen on three different days.',
      'An update of permissions made the wallet the only key of each account.',
      'Wallet and accounts had no contact with each other until the day before.',
      'Each then gave the wallet 95 % of its coins, or of a dollar coin, within 7 days, worth at least $100.',
      'Each had been active on its own, and none was funded by the wallet, by another of them, or by a shared funder (payers of more than 500 accounts excluded).',
      'The wallet had sent each of them coins or resources that pay its fees.',
    ],
    cannotSee: [
      'Who signed a transaction. Account and owner have different keys after an update, and signatures are not read.',
      'Take-overs by active permission alone, or with another key besides that of the wallet.',
      'Thieves who use another wallet to pay for fees or to receive what they take. The first are only suspected.',
      'Thieves who dealt with the accounts before, even if only by dust.',
      'Lawful seizures, which look the same. Label such wallets.',
      'Take-overs of fewer than three accounts. They are only suspected.',
    ],
  },
})
