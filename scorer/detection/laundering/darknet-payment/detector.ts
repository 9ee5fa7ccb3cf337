/** Payments to labelled dark-web services. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { times } from '../../wording.ts'
import { type DarknetPayments, loadDarknetPayments } from './payments.ts'

/** Convicts wallets that pay for themselves. Wallets that may pay for customers, like a young exchange, are unknown. */
export const darknetPayment = defineDetector({
  id: 'darknet-payment',
  version: 2,
  family: 'laundering',
  offence: 'Payment to a dark-web service',
  needs: ['labels', 'own-habits'],
  after: [],
  infrastructure: 'unknown',
  load: async (context) => loadDarknetPayments(context, await context.contacts),
  judge: (found: DarknetPayments | undefined, { network }) => {
    if (!found) return convicted([])
    const { payments, forItself } = found
    if (!forItself)
      return {
        kind: 'unknown',
        why: 'it is not certain whether it paid a dark-web service for itself or for customers',
        uncovered: true,
      }
    return convicted([
      {
        grade: 'payer',
        title: `Paid dark-web services ${times(payments.length)}`,
        evidence: {
          services: [...new Set(payments.map(({ service }) => service))],
          payments: payments.slice(0, 10).map(({ time, ...payment }) => ({
            ...payment,
            amount: amountOf(network, payment.asset, payment.amount),
            time: new Date(time * 1_000).toISOString(),
          })),
        },
      },
    ])
  },
  exclusions: [
    {
      who: 'Exchanges and processors',
      why: 'They pay more than 50 parties; or more than 20, and the service in less than 5 % of their transactions.',
    },
    {
      who: 'Small exchanges, processors, shops and payrolls',
      why: 'They have more than 10 payees or payers, or are funded by deposit addresses or a collecting wallet: the result is unknown.',
    },
    { who: 'Wallets that the service pays', why: 'Receiving a payment is not an act of the wallet.' },
    { who: 'Payers of small amounts', why: 'A payment counts from $50.' },
  ],
  confidence: { payer: 0.92 },
  doc: {
    summary: 'The wallet paid an address that is labelled `darknet`.',
    takes: [
      'It signed a payment of $50 or more.',
      'It has at most 10 payees and 10 payers; or it made three such payments on several days, 10 % of its transactions.',
    ],
    cannotSee: [
      'Services without a label: nothing on chain identifies them.',
      'Single payments of wallets with more than 10 payees or payers.',
      'The difference between a person and a small service with few customers that an exchange funds: one payment convicts it.',
    ],
  },
})
