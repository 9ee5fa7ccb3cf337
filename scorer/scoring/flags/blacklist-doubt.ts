import { type Flag, RAISE_AT } from './flag.ts'
import { inForce } from './listed.ts'

/** Frozen by a stablecoin issuer now. A freeze that was lifted is none. */
export const blacklistDoubt: Flag = {
  name: 'blacklist_doubt',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['blacklist'],
  detect: (wallet) => inForce(wallet, 'freeze', 'issuer-freeze'),
}
