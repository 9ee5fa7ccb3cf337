import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * Signatures of the events that the decoder knows. Curve's events have a separate signature for each number of coins.
 * Some events share a topic0; the decoder distinguishes them by topic count, data length and emitter: `v2Mint` is also
 * Solidly's pool mint (same shape) and Compound's cToken `Mint(address,uint256,uint256)` (one topic); `transfer` and
 * `approval` serve ERC-20 and ERC-721; any vault emits `wrapDeposit`/`wrapWithdrawal`.
 * Sources: EIPs 20, 721, 1155, 1967, 173; Uniswap v2/v3/v4-core, PancakeSwap v3-core, Aerodrome contracts, Algebra core, Permit2,
 * PancakeSwap infinity-core, Curve's stableswap-ng, twocrypto-ng, tricrypto-ng and factories, Balancer's V2 and V3 vaults,
 * OpenZeppelin contracts, TetherToken, Circle FiatToken, Paxos contracts, USD1's Stablecoin, TrueUSD, Tornado Cash core,
 * Chainalysis oracle, Across' spoke pools, Circle's evm-cctp-contracts.
 */
const SIGNATURES = {
  transfer: 'Transfer(address,address,uint256)',
  transferSingle: 'TransferSingle(address,address,address,uint256,uint256)',
  transferBatch: 'TransferBatch(address,address,address,uint256[],uint256[])',
  wrapDeposit: 'Deposit(address,uint256)',
  wrapWithdrawal: 'Withdrawal(address,uint256)',
  approval: 'Approval(address,address,uint256)',
  approvalForAll: 'ApprovalForAll(address,address,bool)',
  permit2Approval: 'Approval(address,address,address,uint160,uint48)',
  permit2Permit: 'Permit(address,address,address,uint160,uint48,uint48)',
  permit2Lockdown: 'Lockdown(address,address,address)',
  pairCreated: 'PairCreated(address,address,address,uint256)',
  solidlyPairCreated: 'PairCreated(address,address,bool,address,uint256)',
  v3PoolCreated: 'PoolCreated(address,address,uint24,int24,address)',
  solidlyPoolCreated: 'PoolCreated(address,address,bool,address,uint256)',
  slipstreamPoolCreated: 'PoolCreated(address,address,int24,address)',
  /** Algebra, without fee and spacing: its pools have variable fees. */
  algebraPoolCreated: 'Pool(address,address,address)',
  v4Initialize: 'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
  infinityClInitialize: 'Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)',
  infinityBinInitialize: 'Initialize(bytes32,address,address,address,uint24,bytes32,uint24)',
  /** At most four coins; unused slots are zero. This event and the next do not name the pool. */
  curvePlainPoolDeployed: 'PlainPoolDeployed(address[4],uint256,uint256,address)',
  curvePlainPoolDeployedNg: 'PlainPoolDeployed(address[],uint256,uint256,address)',
  /** Names the pool's share token, not the pool. */
  curveCryptoPoolDeployed:
    'CryptoPoolDeployed(address,address[2],uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,address)',
  curveTwocryptoPoolDeployed:
    'TwocryptoPoolDeployed(address,string,string,address[2],address,bytes32,uint256[2],uint256,uint256,uint256,uint256,address)',
  curveTricryptoPoolDeployed:
    'TricryptoPoolDeployed(address,string,string,address,address[3],address,bytes32,uint256,uint256,uint256,uint256,uint256,address)',
  balancerTokensRegistered: 'TokensRegistered(bytes32,address[],address[])',
  balancerV3PoolRegistered:
    'PoolRegistered(address,address,(address,uint8,address,bool)[],uint256,uint32,(address,address,address),(bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address),(bool,bool,bool,bool))',
  v2Mint: 'Mint(address,uint256,uint256)',
  v2Burn: 'Burn(address,uint256,uint256,address)',
  solidlyBurn: 'Burn(address,address,uint256,uint256)',
  v3Mint: 'Mint(address,address,int24,int24,uint128,uint256,uint256)',
  v3Burn: 'Burn(address,int24,int24,uint128,uint256,uint256)',
  /** Also emitted by PancakeSwap Infinity's concentrated pools. */
  v4ModifyLiquidity: 'ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)',
  infinityBinMint: 'Mint(bytes32,address,uint256[],bytes32,bytes32[],bytes32,bytes32)',
  infinityBinBurn: 'Burn(bytes32,address,uint256[],bytes32,bytes32[])',
  curveAdd: 'AddLiquidity(address,uint256[2],uint256[2],uint256,uint256)',
  curveAdd3: 'AddLiquidity(address,uint256[3],uint256[3],uint256,uint256)',
  curveAdd4: 'AddLiquidity(address,uint256[4],uint256[4],uint256,uint256)',
  curveAddNg: 'AddLiquidity(address,uint256[],uint256[],uint256,uint256)',
  curveCryptoAdd: 'AddLiquidity(address,uint256[2],uint256,uint256)',
  curveCryptoAdd3: 'AddLiquidity(address,uint256[3],uint256,uint256)',
  curveCryptoAddNg: 'AddLiquidity(address,uint256[2],uint256,uint256,uint256)',
  curveCryptoAddNg3: 'AddLiquidity(address,uint256[3],uint256,uint256,uint256)',
  curveRemove: 'RemoveLiquidity(address,uint256[2],uint256[2],uint256)',
  curveRemove3: 'RemoveLiquidity(address,uint256[3],uint256[3],uint256)',
  curveRemove4: 'RemoveLiquidity(address,uint256[4],uint256[4],uint256)',
  curveRemoveNg: 'RemoveLiquidity(address,uint256[],uint256[],uint256)',
  curveCryptoRemove: 'RemoveLiquidity(address,uint256[2],uint256)',
  curveCryptoRemove3: 'RemoveLiquidity(address,uint256[3],uint256)',
  curveRemoveImbalance: 'RemoveLiquidityImbalance(address,uint256[2],uint256[2],uint256,uint256)',
  curveRemoveImbalance3: 'RemoveLiquidityImbalance(address,uint256[3],uint256[3],uint256,uint256)',
  curveRemoveImbalance4: 'RemoveLiquidityImbalance(address,uint256[4],uint256[4],uint256,uint256)',
  curveRemoveImbalanceNg: 'RemoveLiquidityImbalance(address,uint256[],uint256[],uint256,uint256)',
  /** Only crypto pools name the coin, in the second number; the others have shares, coins and supply. */
  curveRemoveOne: 'RemoveLiquidityOne(address,uint256,uint256,uint256)',
  curveRemoveOneNg: 'RemoveLiquidityOne(address,int128,uint256,uint256,uint256)',
  curveCryptoRemoveOneNg: 'RemoveLiquidityOne(address,uint256,uint256,uint256,uint256,uint256)',
  balancerPoolBalanceChanged: 'PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])',
  balancerV3LiquidityAdded: 'LiquidityAdded(address,address,uint8,uint256,uint256[],uint256[])',
  balancerV3LiquidityRemoved: 'LiquidityRemoved(address,address,uint8,uint256,uint256[],uint256[])',
  v2Swap: 'Swap(address,uint256,uint256,uint256,uint256,address)',
  solidlySwap: 'Swap(address,address,uint256,uint256,uint256,uint256)',
  v3Swap: 'Swap(address,address,int256,int256,uint160,uint128,int24)',
  pancakeV3Swap: 'Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)',
  v4Swap: 'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
  infinityClSwap: 'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)',
  infinityBinSwap: 'Swap(bytes32,address,int128,int128,uint24,uint24,uint16)',
  curveExchange: 'TokenExchange(address,int128,uint256,int128,uint256)',
  curveExchangeUnderlying: 'TokenExchangeUnderlying(address,int128,uint256,int128,uint256)',
  curveCryptoExchange: 'TokenExchange(address,uint256,uint256,uint256,uint256)',
  curveCryptoExchangeNg: 'TokenExchange(address,uint256,uint256,uint256,uint256,uint256,uint256)',
  balancerSwap: 'Swap(bytes32,address,address,uint256,uint256)',
  balancerV3Swap: 'Swap(address,address,address,uint256,uint256,uint256,uint256)',
  ownershipTransferred: 'OwnershipTransferred(address,address)',
  upgraded: 'Upgraded(address)',
  beaconUpgraded: 'BeaconUpgraded(address)',
  adminChanged: 'AdminChanged(address,address)',
  roleGranted: 'RoleGranted(bytes32,address,address)',
  roleRevoked: 'RoleRevoked(bytes32,address,address)',
  paused: 'Paused(address)',
  unpaused: 'Unpaused(address)',
  pause: 'Pause()',
  unpause: 'Unpause()',
  sanctionsAdded: 'SanctionedAddressesAdded(address[])',
  sanctionsRemoved: 'SanctionedAddressesRemoved(address[])',
  addedBlackList: 'AddedBlackList(address)',
  removedBlackList: 'RemovedBlackList(address)',
  destroyedBlackFunds: 'DestroyedBlackFunds(address,uint256)',
  blockPlaced: 'BlockPlaced(address)',
  blockReleased: 'BlockReleased(address)',
  destroyedBlockedFunds: 'DestroyedBlockedFunds(address,uint256)',
  blacklisted: 'Blacklisted(address)',
  unBlacklisted: 'UnBlacklisted(address)',
  addressFrozen: 'AddressFrozen(address)',
  addressUnfrozen: 'AddressUnfrozen(address)',
  freezeAddress: 'FreezeAddress(address)',
  unfreezeAddress: 'UnfreezeAddress(address)',
  frozenAddressWiped: 'FrozenAddressWiped(address)',
  /** The account follows the caller. */
  freeze: 'Freeze(address,address)',
  unfreeze: 'Unfreeze(address,address)',
  frozenAccountDrained: 'FrozenAccountDrained(address,address,uint256)',
  frozenFundsReallocated: 'FrozenFundsReallocated(address,address,address,uint256)',
  /** Both directions: true adds to the list. */
  blacklistedSet: 'Blacklisted(address,bool)',
  /** Across: the older version types tokens and accounts as addresses, and has the message of a fill instead of its hash. */
  acrossDeposit:
    'FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)',
  acrossV3Deposit:
    'V3FundsDeposited(address,address,uint256,uint256,uint256,uint32,uint32,uint32,uint32,address,address,address,bytes)',
  acrossFill:
    'FilledRelay(bytes32,bytes32,uint256,uint256,uint256,uint256,uint256,uint32,uint32,bytes32,bytes32,bytes32,bytes32,bytes32,(bytes32,bytes32,uint256,uint8))',
  acrossV3Fill:
    'FilledV3Relay(address,address,uint256,uint256,uint256,uint256,uint32,uint32,uint32,address,address,address,address,bytes,(address,bytes,uint256,uint8))',
  cctpBurn: 'DepositForBurn(uint64,address,uint256,address,bytes32,uint32,bytes32,bytes32)',
  cctpV2Burn: 'DepositForBurn(address,uint256,address,bytes32,uint32,bytes32,bytes32,uint256,uint32,bytes)',
  cctpReceipt: 'MessageReceived(address,uint32,uint64,bytes32,bytes)',
  cctpV2Receipt: 'MessageReceived(address,uint32,bytes32,bytes32,uint32,bytes)',
  mixerDeposit: 'Deposit(bytes32,uint32,uint256)',
  mixerWithdrawal: 'Withdrawal(address,bytes32,address,uint256)',
} as const satisfies Record<string, string>

/** Name of a known event. */
export type EventName = keyof typeof SIGNATURES

/** Signature and topic0 (the signature's keccak-256) of each event. */
export const EVENTS = Object.fromEntries(
  Object.entries(SIGNATURES).map(([name, signature]) => [
    name,
    { signature, topic: `0x${bytesToHex(keccak_256(utf8ToBytes(signature)))}` },
  ]),
) as Record<EventName, { signature: string; topic: string }>
