import { ZERO } from '../chain/simulator/script.ts'

/** The usual address to burn tokens at, beside the zero address. */
export const DEAD = '0x000000000000000000000000000000000000dead'

/** Whether an address has no known key: tokens sent there are burned, and ownership transferred there is renounced. */
export const isBlackhole = (address: string): boolean =>
  address === ZERO ||
  /^0x0{36}dead$/.test(address) ||
  /^0x0{35}[0-9a-f]{5}$/.test(address) ||
  address === '0xdead000000000000000042069420694206942069'
