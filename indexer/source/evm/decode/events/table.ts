import { EVENTS, type EventName } from '../../../../../schema/registry/index.ts'
import type { LogReader } from '../cursor.ts'
import * as approvals from './approvals.ts'
import * as authorities from './authorities.ts'
import * as liquidity from './liquidity.ts'
import * as pools from './pools.ts'
import * as powers from './powers.ts'
import * as swaps from './swaps.ts'
import * as transfers from './transfers.ts'

const READERS: Record<EventName, LogReader> = {
  transfer: transfers.readTransfer,
  transferSingle: transfers.readTransferSingle,
  transferBatch: transfers.readTransferBatch,
  wrapDeposit: transfers.readWrapDeposit,
  wrapWithdrawal: transfers.readWrapWithdrawal,
  approval: approvals.readApproval,
  approvalForAll: approvals.readApprovalForAll,
  permit2Approval: approvals.readPermit2Approval,
  permit2Permit: approvals.readPermit2Approval,
  permit2Lockdown: approvals.readPermit2Lockdown,
  pairCreated: pools.readPairCreated,
  solidlyPairCreated: pools.readSolidlyPairCreated,
  v3PoolCreated: pools.readV3PoolCreated,
  solidlyPoolCreated: pools.readSolidlyPoolCreated,
  slipstreamPoolCreated: pools.readSlipstreamPoolCreated,
  algebraPoolCreated: pools.readAlgebraPoolCreated,
  v4Initialize: pools.readV4Initialize,
  v2Mint: liquidity.readV2Mint,
  v2Burn: liquidity.readPairBurn,
  solidlyBurn: liquidity.readPairBurn,
  v3Mint: liquidity.readV3Mint,
  v3Burn: liquidity.readV3Burn,
  v4ModifyLiquidity: liquidity.readV4ModifyLiquidity,
  v2Swap: swaps.readPairSwap,
  solidlySwap: swaps.readPairSwap,
  v3Swap: swaps.readV3Swap,
  pancakeV3Swap: swaps.readPancakeV3Swap,
  v4Swap: swaps.readV4Swap,
  ownershipTransferred: powers.readOwnershipTransferred,
  upgraded: powers.readUpgraded,
  beaconUpgraded: powers.readBeaconUpgraded,
  adminChanged: powers.readAdminChanged,
  roleGranted: powers.readRoleGranted,
  roleRevoked: powers.readRoleRevoked,
  paused: powers.readPaused,
  unpaused: powers.readUnpaused,
  pause: powers.readPause,
  unpause: powers.readUnpause,
  sanctionsAdded: authorities.readSanctionsAdded,
  sanctionsRemoved: authorities.readSanctionsRemoved,
  addedBlackList: authorities.readFreeze,
  removedBlackList: authorities.readUnfreeze,
  destroyedBlackFunds: authorities.readSeize,
  blockPlaced: authorities.readFreeze,
  blockReleased: authorities.readUnfreeze,
  destroyedBlockedFunds: authorities.readSeize,
  blacklisted: authorities.readFreeze,
  unBlacklisted: authorities.readUnfreeze,
  addressFrozen: authorities.readFreeze,
  addressUnfrozen: authorities.readUnfreeze,
  freezeAddress: authorities.readFreeze,
  unfreezeAddress: authorities.readUnfreeze,
  frozenAddressWiped: authorities.readWipe,
  mixerDeposit: authorities.readMixerDeposit,
  mixerWithdrawal: authorities.readMixerWithdrawal,
}

/** The reader of each topic0. */
export const READER_BY_TOPIC: ReadonlyMap<string, LogReader> = new Map(
  Object.entries(READERS).map(([name, reader]) => [EVENTS[name as EventName].topic, reader]),
)
