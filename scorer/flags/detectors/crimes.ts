/** What wallets did beyond attacks and contracts: extortion and fake mining. */
import type { LoadContext } from './context.ts'
import type { OwnContract } from './contracts/own.ts'
import { type Extortion, loadExtortion } from './extortion.ts'
import { type FakeMining, loadFakeMining } from './mining.ts'

export type CrimeEvidence = {
  extortion: Extortion
  mining: FakeMining[]
}

type Crimes = { [K in keyof CrimeEvidence]: ReadonlyMap<string, CrimeEvidence[K]> }

/** Evidence by address, each kind for those wallets only whose features make it possible. */
export const loadCrimes = async (context: LoadContext, own: Promise<OwnContract[]>): Promise<Crimes> => {
  const [extortion, mining] = await Promise.all([
    loadExtortion(context),
    own.then((contracts) => loadFakeMining(context, contracts)),
  ])
  return { extortion, mining }
}
