import { type Flag, RAISE_AT } from './flag.ts'

/** Technical attacks: exploits, sweeper delegates, drainer operators. */
export const cybercrime: Flag = {
  name: 'cybercrime',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['cybercrime', 'exploiter', 'sweeper', 'drainer_operator'],
  pending: 'exploit actors, 7702 sweeper operators and drainer operators are not detected yet; follows labels',
}
