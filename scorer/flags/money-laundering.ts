import { type Flag, RAISE_AT } from './flag.ts'

/** Layering of stolen value through mixers, peel chains or bridges. */
export const moneyLaundering: Flag = {
  name: 'money_laundering',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['money_laundering'],
  pending: 'layering after theft is not detected yet; follows labels',
}
