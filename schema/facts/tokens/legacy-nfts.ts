/**
 * NFT collections older than ERC-721 whose events look like those of an ERC-20 token, so they are recognized by address.
 * Source: CryptoKitties KittyCore, whose events predate ERC-721's indexed arguments.
 */
export type LegacyNft = { address: string; name: string }

/** Collections by network whose transfers are of single items, not of amounts. */
export const LEGACY_NFTS = {
  ETH: [{ address: '0x06012c8cf97BEaD5deAe237070F9587f8E7A266d', name: 'CryptoKitties' }],
}
