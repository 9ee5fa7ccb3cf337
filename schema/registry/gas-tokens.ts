import { byNetwork } from './entries.ts'

/** Tokens that anybody's gas turns into, by network and canonical address. */
export const GAS_TOKENS = byNetwork(({ gasTokens }) => gasTokens)
