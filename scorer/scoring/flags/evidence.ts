/** Loads what the detectors need, for those wallets only that can have it. */

import { type AttackEvidence, loadAttacks } from '../../detection/attacks.ts'
import type { LoadContext } from '../../detection/context.ts'
import { type ContractEvidence, loadOfContracts } from '../../detection/contracts/index.ts'
import { type CrimeEvidence, loadCrimes } from '../../detection/crimes.ts'
import { loadMixing, type Mixing } from '../../detection/laundering/mixer-habit/mixing.ts'
import { loadNftRings, type NftRing } from '../../detection/markets/nft-wash-ring/nft-rings.ts'
import { type Honeypot, loadPools, type Rug, type Wash } from '../../detection/markets/pools/pools.ts'
import { loadWashMembers } from '../../detection/markets/wash-trading/members.ts'
import { loadUsedApprovals, type UsedApproval } from '../../detection/shared/approvals/approvals.ts'
import { loadMaliciousContracts, type MaliciousContract } from '../../detection/shared/contracts/labelled-contracts.ts'
import { loadOwnContracts } from '../../detection/shared/contracts/own-contracts.ts'
import { type Drain, loadDrains } from '../../detection/theft/approval-drain/drains.ts'

export type Evidence = Partial<ContractEvidence> &
  Partial<AttackEvidence> &
  Partial<CrimeEvidence> & {
    mixing?: Mixing
    drains?: Drain[]
    usedApprovals?: UsedApproval[]
    contracts?: MaliciousContract[]
    rugs?: Rug[]
    honeypots?: Honeypot[]
    washes?: Wash[]
    /** Rings of others' tokens. */
    washMembers?: Wash[]
    nftRings?: NftRing[]
  }

/** Evidence by address; wallets without any are not in the map. */
export const loadEvidence = async (context: LoadContext): Promise<Map<string, Evidence>> => {
  const own = loadOwnContracts(context)
  const draining = loadDrains(context)
  const [mixing, drains, usedApprovals, contracts, pools, washMembers, nftRings, ofContracts, attacks, crimes] =
    await Promise.all([
      loadMixing(context),
      draining,
      loadUsedApprovals(context),
      loadMaliciousContracts(context),
      loadPools(context),
      loadWashMembers(context),
      loadNftRings(context),
      own.then((contracts) => loadOfContracts(context, contracts)),
      loadAttacks(context, own),
      loadCrimes(context, own, draining),
    ])
  const all = new Map<string, Evidence>()
  const put = <K extends keyof Evidence>(name: K, found: ReadonlyMap<string, Evidence[K]>) => {
    for (const [address, value] of found) all.set(address, { ...all.get(address), [name]: value })
  }
  put('mixing', mixing)
  put('drains', drains)
  put('usedApprovals', usedApprovals)
  put('contracts', contracts)
  put('rugs', pools.rugs)
  put('honeypots', pools.honeypots)
  put('washes', pools.washes)
  put('washMembers', washMembers)
  put('nftRings', nftRings)
  put('counterfeits', ofContracts.counterfeits)
  put('forged', ofContracts.forged)
  put('redeployed', ofContracts.redeployed)
  put('gasAbuses', ofContracts.gasAbuses)
  put('ponzis', ofContracts.ponzis)
  put('poisoning', attacks.poisoning)
  put('claims', attacks.claims)
  put('lures', attacks.lures)
  put('shares', attacks.shares)
  put('sweeps', attacks.sweeps)
  put('keySweep', attacks.keySweep)
  put('exploits', attacks.exploits)
  put('extortion', crimes.extortion)
  put('mining', crimes.mining)
  put('laundering', crimes.laundering)
  put('darkDealings', crimes.darkDealings)
  return all
}
