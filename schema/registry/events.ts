/**
 * Events the decoder knows: signature and topic0, which is the signature's keccak-256 (`registry.test.ts` recomputes it).
 * Several designs share a topic0; the decoder tells them apart by topic count, data length and emitter:
 * `v2Mint` is also Solidly's pool mint (alike in shape) and Compound's cToken `Mint(address,uint256,uint256)` (one topic);
 * `transfer` and `approval` serve ERC-20 and ERC-721; `wrapDeposit`/`wrapWithdrawal` are emitted by any vault.
 * Sources: EIPs 20, 721, 1155, 1967, 173; Uniswap v2/v3/v4-core, PancakeSwap v3-core, Aerodrome contracts, Algebra core, Permit2,
 * OpenZeppelin contracts, TetherToken, Circle FiatToken, Paxos contracts, Tornado Cash core, Chainalysis oracle.
 */
export const EVENTS = {
  transfer: {
    signature: 'Transfer(address,address,uint256)',
    topic: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  },
  transferSingle: {
    signature: 'TransferSingle(address,address,address,uint256,uint256)',
    topic: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  },
  transferBatch: {
    signature: 'TransferBatch(address,address,address,uint256[],uint256[])',
    topic: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  },
  wrapDeposit: {
    signature: 'Deposit(address,uint256)',
    topic: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  },
  wrapWithdrawal: {
    signature: 'Withdrawal(address,uint256)',
    topic: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
  },
  approval: {
    signature: 'Approval(address,address,uint256)',
    topic: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  },
  approvalForAll: {
    signature: 'ApprovalForAll(address,address,bool)',
    topic: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  },
  permit2Approval: {
    signature: 'Approval(address,address,address,uint160,uint48)',
    topic: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  },
  permit2Permit: {
    signature: 'Permit(address,address,address,uint160,uint48,uint48)',
    topic: '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
  },
  permit2Lockdown: {
    signature: 'Lockdown(address,address,address)',
    topic: '0x89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4',
  },
  pairCreated: {
    signature: 'PairCreated(address,address,address,uint256)',
    topic: '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
  },
  solidlyPairCreated: {
    signature: 'PairCreated(address,address,bool,address,uint256)',
    topic: '0xc4805696c66d7cf352fc1d6bb633ad5ee82f6cb577c453024b6e0eb8306c6fc9',
  },
  v3PoolCreated: {
    signature: 'PoolCreated(address,address,uint24,int24,address)',
    topic: '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
  },
  solidlyPoolCreated: {
    signature: 'PoolCreated(address,address,bool,address,uint256)',
    topic: '0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e',
  },
  slipstreamPoolCreated: {
    signature: 'PoolCreated(address,address,int24,address)',
    topic: '0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2',
  },
  /** Algebra, with neither fee nor spacing: its pools change what a swap costs. */
  algebraPoolCreated: {
    signature: 'Pool(address,address,address)',
    topic: '0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db',
  },
  v4Initialize: {
    signature: 'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
    topic: '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438',
  },
  v2Mint: {
    signature: 'Mint(address,uint256,uint256)',
    topic: '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f',
  },
  v2Burn: {
    signature: 'Burn(address,uint256,uint256,address)',
    topic: '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496',
  },
  solidlyBurn: {
    signature: 'Burn(address,address,uint256,uint256)',
    topic: '0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2',
  },
  v3Mint: {
    signature: 'Mint(address,address,int24,int24,uint128,uint256,uint256)',
    topic: '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde',
  },
  v3Burn: {
    signature: 'Burn(address,int24,int24,uint128,uint256,uint256)',
    topic: '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c',
  },
  v4ModifyLiquidity: {
    signature: 'ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)',
    topic: '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec',
  },
  v2Swap: {
    signature: 'Swap(address,uint256,uint256,uint256,uint256,address)',
    topic: '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
  },
  solidlySwap: {
    signature: 'Swap(address,address,uint256,uint256,uint256,uint256)',
    topic: '0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b',
  },
  v3Swap: {
    signature: 'Swap(address,address,int256,int256,uint160,uint128,int24)',
    topic: '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
  },
  pancakeV3Swap: {
    signature: 'Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)',
    topic: '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
  },
  v4Swap: {
    signature: 'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
    topic: '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f',
  },
  ownershipTransferred: {
    signature: 'OwnershipTransferred(address,address)',
    topic: '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0',
  },
  upgraded: {
    signature: 'Upgraded(address)',
    topic: '0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b',
  },
  beaconUpgraded: {
    signature: 'BeaconUpgraded(address)',
    topic: '0x1cf3b03a6cf19fa2baba4df148e9dcabedea7f8a5c07840e207e5c089be95d3e',
  },
  adminChanged: {
    signature: 'AdminChanged(address,address)',
    topic: '0x7e644d79422f17c01e4894b5f4f588d331ebfa28653d42ae832dc59e38c9798f',
  },
  roleGranted: {
    signature: 'RoleGranted(bytes32,address,address)',
    topic: '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d',
  },
  roleRevoked: {
    signature: 'RoleRevoked(bytes32,address,address)',
    topic: '0xf6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b',
  },
  paused: { signature: 'Paused(address)', topic: '0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258' },
  unpaused: {
    signature: 'Unpaused(address)',
    topic: '0x5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa',
  },
  pause: { signature: 'Pause()', topic: '0x6985a02210a168e66602d3235cb6db0e70f92b3ba4d376a33c0f3d9434bff625' },
  unpause: { signature: 'Unpause()', topic: '0x7805862f689e2f13df9f062ff482ad3ad112aca9e0847911ed832e158c525b33' },
  sanctionsAdded: {
    signature: 'SanctionedAddressesAdded(address[])',
    topic: '0x2596d7dd6966c5673f9c06ddb0564c4f0e6d8d206ea075b83ad9ddd71a4fb927',
  },
  sanctionsRemoved: {
    signature: 'SanctionedAddressesRemoved(address[])',
    topic: '0x32aab684eee99db715515d1a9987a8fe33bb6341b0e35e60db7eab48a08f9a3a',
  },
  addedBlackList: {
    signature: 'AddedBlackList(address)',
    topic: '0x42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc',
  },
  removedBlackList: {
    signature: 'RemovedBlackList(address)',
    topic: '0xd7e9ec6e6ecd65492dce6bf513cd6867560d49544421d0783ddf06e76c24470c',
  },
  destroyedBlackFunds: {
    signature: 'DestroyedBlackFunds(address,uint256)',
    topic: '0x61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c6',
  },
  blockPlaced: {
    signature: 'BlockPlaced(address)',
    topic: '0x406bbf2d8d145125adf1198d2cf8a67c66cc4bb0ab01c37dccd4f7c0aae1e7c7',
  },
  blockReleased: {
    signature: 'BlockReleased(address)',
    topic: '0x665918c9e02eb2fd85acca3969cb054fc84c138e60ec4af22ab6ef2fd4c93c27',
  },
  destroyedBlockedFunds: {
    signature: 'DestroyedBlockedFunds(address,uint256)',
    topic: '0x6a2859ae7902313752498feb80a014e6e7275fe964c79aa965db815db1c7f1e9',
  },
  blacklisted: {
    signature: 'Blacklisted(address)',
    topic: '0xffa4e6181777692565cf28528fc88fd1516ea86b56da075235fa575af6a4b855',
  },
  unBlacklisted: {
    signature: 'UnBlacklisted(address)',
    topic: '0x117e3210bb9aa7d9baff172026820255c6f6c30ba8999d1c2fd88e2848137c4e',
  },
  addressFrozen: {
    signature: 'AddressFrozen(address)',
    topic: '0x90811a8edd3b3c17eeaefffc17f639cc69145d41a359c9843994dc2538203690',
  },
  addressUnfrozen: {
    signature: 'AddressUnfrozen(address)',
    topic: '0xc3776b472ebf54114339eec9e4dc924e7ce307a97f5c1ee72b6d474e6e5e8b7c',
  },
  freezeAddress: {
    signature: 'FreezeAddress(address)',
    topic: '0x1aa660498c83ea285bc55e4cfc00afcaa7120798db87b74f3c0d7c6e001bc392',
  },
  unfreezeAddress: {
    signature: 'UnfreezeAddress(address)',
    topic: '0x150465b020dfc06a59269da94ed66db9b65a516cf4fdd5f583b0f12752339bbe',
  },
  frozenAddressWiped: {
    signature: 'FrozenAddressWiped(address)',
    topic: '0xfc5960f1c5a5d2b60f031bf534af053b1bf7d9881989afaeb8b1d164db23aede',
  },
  mixerDeposit: {
    signature: 'Deposit(bytes32,uint32,uint256)',
    topic: '0xa945e51eec50ab98c161376f0db4cf2aeba3ec92755fe2fcd388bdbbb80ff196',
  },
  mixerWithdrawal: {
    signature: 'Withdrawal(address,bytes32,address,uint256)',
    topic: '0xe9e508bad6d4c3227e881ca19068f099da81b5164dd6d62b2eaf1e8bc6c34931',
  },
} as const satisfies Record<string, { signature: string; topic: string }>

export type EventName = keyof typeof EVENTS
