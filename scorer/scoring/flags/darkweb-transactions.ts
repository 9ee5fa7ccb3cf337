import type { DarkDealing } from '../../detection/laundering/darknet-payment/payments.ts'
import { type Flag, RAISE_AT, type Raised } from './flag.ts'

const dealt = (payments: readonly DarkDealing[]): Raised => ({
  detector: 'darknet-payment',
  confidence: 0.92,
  evidence: {
    services: [...new Set(payments.map(({ service }) => service))],
    payments: payments.slice(0, 10).map(({ time, ...payment }) => ({
      ...payment,
      time: new Date(time * 1_000).toISOString(),
    })),
  },
})

/** Is a dark-web service, or paid one. Nothing on chain tells which address is one; only loaded labels do. */
export const darkwebTransactions: Flag = {
  name: 'darkweb_transactions',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['darknet'],
  detect: (wallet) => (wallet.evidence.darkDealings ? [dealt(wallet.evidence.darkDealings)] : []),
  pending: 'no signal on chain tells a dark-web service; follows loaded darknet labels and direct payments to them',
}
