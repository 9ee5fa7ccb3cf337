import { byNetwork } from './entries.ts'

export type { Issuer, SanctionsOracle } from '../facts/authorities.ts'

/** Contracts that list sanctioned addresses, by network and canonical address. */
export const SANCTIONS_ORACLES = byNetwork(({ sanctionsOracles }) => sanctionsOracles)

/** Token contracts whose issuer can freeze accounts, by network and canonical address. */
export const ISSUERS = byNetwork(({ issuers }) => issuers)
