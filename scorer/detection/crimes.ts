/** What wallets did beyond attacks and contracts: extortion, fake mining, layering, dark dealings. */
import type { LoadContext } from './context.ts'
import type { OwnContract } from './contracts/own.ts'
import { type DarkDealing, loadDarkDealings } from './dark-dealings.ts'
import type { Drain } from './drains.ts'
import { type Extortion, loadExtortion } from './extortion.ts'
import { convicting } from './hauls.ts'
import { type Laundering, loadLaundering } from './laundering.ts'
import { type FakeMining, loadFakeMining } from './mining.ts'

export type CrimeEvidence = {
  extortion: Extortion
  mining: FakeMining[]
  laundering: Laundering
  darkDealings: DarkDealing[]
}

type Crimes = { [K in keyof CrimeEvidence]: ReadonlyMap<string, CrimeEvidence[K]> }

/** Evidence by address, each kind for those wallets only whose features make it possible. */
export const loadCrimes = async (
  context: LoadContext,
  own: Promise<OwnContract[]>,
  drains: Promise<ReadonlyMap<string, Drain[]>>,
): Promise<Crimes> => {
  const [extortion, mining, laundering, darkDealings] = await Promise.all([
    loadExtortion(context),
    own.then((contracts) => loadFakeMining(context, contracts)),
    Promise.all([context.contacts, drains.then(convicting)]).then(([contacts, thefts]) =>
      loadLaundering(context, contacts, thefts),
    ),
    context.contacts.then((contacts) => loadDarkDealings(context, contacts)),
  ])
  return { extortion, mining, laundering, darkDealings }
}
