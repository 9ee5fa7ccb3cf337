/** Contracts older than the standard they resemble, told apart by address because their events cannot tell. */
import { byNetwork } from './entries.ts'

/** Source: CryptoKitties KittyCore, whose events predate ERC-721's indexed arguments. */
export const UNINDEXED_NFTS = byNetwork<{ address: string; name: string }>({
  ETH: [{ address: '0x06012c8cf97BEaD5deAe237070F9587f8E7A266d', name: 'CryptoKitties' }],
})
