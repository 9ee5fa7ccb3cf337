/**
 * Genuine bridged versions of canonical assets with the original's symbol or name: not counterfeits. Versions with another
 * symbol (USDbC, axlUSDC) need no entry. Sources: DefiLlama's pegged-asset adapters, Wormhole's contract list.
 */
export type BridgedAsset = { address: string; symbol: string; bridge: string }
/** A contract that creates bridged tokens for any caller, so that the caller is not their creator. */
export type TokenBridge = { address: string; name: string }

const bridged = (symbol: string, bridge: string, ...addresses: string[]): BridgedAsset[] =>
  addresses.map((address) => ({ address, symbol, bridge }))

/** Bridged versions of canonical assets by network. */
export const BRIDGED_ASSETS = {
  ETH: bridged(
    'USDC',
    'wormhole',
    '0x41f7B8b9b897276b7AAE926a9016935280b44E97',
    '0x7cd167B101D2808Cfd2C45d17b2E7EA9F46b74B6',
    '0x566957eF80F9fd5526CD2BEF8BE67035C0b81130',
  ),
  BNB: [
    ...bridged(
      'USDC',
      'wormhole',
      '0x91Ca579B0D47E5cfD5D0862c21D5659d39C8eCf0',
      '0xB04906e95AB5D797aDA81508115611fee694c2b3',
      '0x672147dD47674757C457eB155BAA382cc10705Dd',
      '0xc1F47175d96Fe7c4cD5370552e5954f384E3C791',
    ),
    ...bridged('USDT', 'wormhole', '0x524bC91Dc82d6b90EF29F76A3ECAaBAffFD490Bc'),
  ],
  POLYGON: [
    ...bridged(
      'USDC',
      'wormhole',
      '0x4318CB63A2b8edf2De971E2F17F77097e499459D',
      '0x576Cf361711cd940CD9C397BB98C4C896cBd38De',
    ),
    ...bridged('USDC', 'axelar', '0x750e4C4984a9e0f12978eA6742Bc1c5D248f40ed'),
    ...bridged('USDC', 'orbit', '0x5bEF2617eCCA9a39924c09017c5F1E25Efbb3bA8'),
    ...bridged('USDT', 'wormhole', '0x9417669fBF23357D2774e9D421307bd5eA1006d2'),
    ...bridged('USDT', 'wormhole', '0x3553f861dEc0257baDA9F8Ed268bf0D74e45E89C'),
  ],
}

/** Contracts that create bridged tokens for any caller, who is not their creator. */
export const TOKEN_BRIDGES = {
  ETH: [{ address: '0x3ee18B2214AFF97000D974cf647E7C347E8fa585', name: 'wormhole' }],
  BNB: [{ address: '0xB6F6D86a8f9879A9c87f643768d9efc38c1Da6E7', name: 'wormhole' }],
  POLYGON: [{ address: '0x5a58505a96D1dbf8dF91cB21B54419FC36e93fdE', name: 'wormhole' }],
  BASE: [
    { address: '0x8d2de8d2f73F1F4cAB472AC9A881C9b123C79627', name: 'wormhole' },
    { address: '0x4200000000000000000000000000000000000012', name: 'Optimism mintable token factory' },
  ],
} satisfies Record<string, readonly TokenBridge[]>
