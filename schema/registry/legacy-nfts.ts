import { byNetwork } from './entries.ts'

/** NFT collections whose events look like those of an ERC-20 token, by network and canonical address. */
export const LEGACY_NFTS = byNetwork(({ legacyNfts }) => legacyNfts)
