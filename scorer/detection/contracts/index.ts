/** What the contracts of wallets convict them of: their traits first, then the detectors that have something to look at. */
import type { LoadContext } from '../context.ts'
import { type Counterfeit, loadCounterfeits } from '../deceit/counterfeit-token/counterfeits.ts'
import type { OwnContract } from '../shared/contracts/own-contracts.ts'
import { type ForgedEvents, loadForgedEvents } from './forged-events/forged-events.ts'
import { type GasAbuse, loadGasAbuse } from './gas-minting/gas-minting.ts'
import { loadPonzis, type Ponzi } from './ponzi-contract/ponzi.ts'
import { loadRedeployed, type Redeployed } from './redeployed-contract/redeployed.ts'

/** By wallet: the contract itself, or its creator. */
export type ContractEvidence = {
  counterfeits: Counterfeit[]
  forged: ForgedEvents[]
  redeployed: Redeployed[]
  gasAbuses: GasAbuse[]
  ponzis: Ponzi[]
}

type Found = { [K in keyof ContractEvidence]: Map<string, ContractEvidence[K]> }

export const loadOfContracts = async (context: LoadContext, own: readonly OwnContract[]): Promise<Found> => {
  const [counterfeits, forged, redeployed, gasAbuses, ponzis] = await Promise.all([
    loadCounterfeits(context, own),
    loadForgedEvents(context, own),
    loadRedeployed(context, own),
    loadGasAbuse(context, own),
    loadPonzis(context, own),
  ])
  return { counterfeits, forged, redeployed, gasAbuses, ponzis }
}
