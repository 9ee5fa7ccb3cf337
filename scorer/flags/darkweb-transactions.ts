import { type Flag, RAISE_AT } from './flag.ts'

/** Deals with dark-web services. Nothing on chain tells; only loaded labels do. */
export const darkwebTransactions: Flag = {
  name: 'darkweb_transactions',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['darknet'],
  pending: 'no signal on chain; follows loaded darknet labels only',
}
