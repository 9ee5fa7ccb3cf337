import { type Flag, RAISE_AT } from './flag.ts'
import { inForce } from './listed.ts'

/**
 * On a sanctions oracle now, on this network or on one that shares its keys. Additions and removals are replayed in
 * block order; exposure to a listed address is not being listed.
 */
export const sanctioned: Flag = {
  name: 'sanctioned',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['sanctioned'],
  detect: (wallet) => inForce(wallet, 'sanctions', 'sanctions-oracle'),
}
