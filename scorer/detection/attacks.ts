/** What wallets did to others: everything the phishing, stealing and cybercrime flags look at beside approval drains. */

import type { LoadContext } from './context.ts'
import { loadPoisoning, type Poisoning } from './deceit/address-poisoning/poisoning.ts'
import { type FakeClaim, type Lure, loadFakeClaims, loadLures } from './deceit/fake-claim/claims.ts'
import type { OwnContract } from './shared/contracts/own-contracts.ts'
import { type Exploit, loadExploits } from './theft/contract-exploit/exploits.ts'
import { loadShares, type Share } from './theft/drainer-split/splits.ts'
import { type KeySweep, loadKeySweeps } from './theft/key-sweep/key-sweeps.ts'
import { loadSweeps, type Sweep } from './theft/sweeper-delegate/sweeps.ts'

export type AttackEvidence = {
  poisoning: Poisoning[]
  claims: FakeClaim[]
  lures: Lure[]
  shares: Share[]
  sweeps: Sweep[]
  keySweep: KeySweep
  exploits: Exploit[]
}

type Attacks = { [K in keyof AttackEvidence]: ReadonlyMap<string, AttackEvidence[K]> }

/** Evidence by address, each kind for those wallets only whose features make it possible. */
export const loadAttacks = async (context: LoadContext, own: Promise<OwnContract[]>): Promise<Attacks> => {
  const [poisoning, claims, lures, shares, sweeps, keySweep, exploits] = await Promise.all([
    own.then((contracts) => loadPoisoning(context, contracts)),
    own.then((contracts) => loadFakeClaims(context, contracts)),
    own.then((contracts) => loadLures(context, contracts)),
    loadShares(context),
    loadSweeps(context),
    loadKeySweeps(context),
    own.then((contracts) => loadExploits(context, contracts)),
  ])
  return { poisoning, claims, lures, shares, sweeps, keySweep, exploits }
}
