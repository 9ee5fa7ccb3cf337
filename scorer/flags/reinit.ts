import { type Flag, RAISE_AT } from './flag.ts'

/** Contracts destroyed and created again with other code. */
export const reinit: Flag = {
  name: 'reinit',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['reinit'],
  pending: 'contracts created again at one address are not detected yet; follows labels',
}
