/** Extortion by messages in calldata. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector, suspected } from '../../detector.ts'
import { counted } from '../../wording.ts'
import { type Extortion, loadExtortion, MIN_RECEIVERS } from './extortion.ts'

/** Convicts for three receivers; suspects for fewer, which only feeds the model. */
export const extortionMessage = defineDetector({
  id: 'extortion-message',
  version: 3,
  family: 'deceit',
  offence: 'Extortion',
  needs: ['messages', 'own-acts'],
  after: [],
  infrastructure: 'unknown',
  load: loadExtortion,
  judge: (found: Extortion | undefined, { network }) => {
    if (!found) return convicted([])
    const title = `Sent extortion messages to ${counted(found.receivers, 'address', 'addresses')}`
    const payers = found.payers.map((payment) => ({ ...payment, amount: amountOf(network, '', payment.amount) }))
    const evidence = { ...found, payers }
    return found.receivers >= MIN_RECEIVERS
      ? convicted([{ grade: 'several', title, evidence }])
      : suspected([{ grade: 'few', title, evidence }])
  },
  exclusions: [
    {
      who: 'Victims, bounty hunters and authorities',
      why: 'Their words (theft, white hat, police, court; send back, refund, keep a tenth) exclude the message.',
    },
    { who: 'A quarrel', why: 'It has one receiver.' },
    { who: 'Offers and notices of services', why: 'They set no condition, or mention a loan or a plan that ends.' },
    { who: 'Warnings of extortion', why: 'They ask the receiver not to pay.' },
    { who: 'Exchanges that pay out with comments of customers', why: 'They pay more than dust.' },
    { who: 'Threatened wallets that pay', why: 'They sent no message.' },
  ],
  confidence: { several: 0.92, few: 0.5 },
  doc: {
    summary: 'The wallet sent messages that threaten the receiver and demand payment.',
    takes: ['It sent messages to three receivers, with no more than dust.', 'Each message both threatens and demands.'],
    cannotSee: [
      'Messages in languages other than English.',
      'Threats together with a payment.',
      'Payees that are only named in messages.',
    ],
  },
})
