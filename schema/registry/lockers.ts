import { byNetwork } from './entries.ts'

export type { Locker } from '../facts/lockers.ts'

/** Contracts that hold liquidity until a date, by network and canonical address. */
export const LOCKERS = byNetwork(({ lockers }) => lockers)
