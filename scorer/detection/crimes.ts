/** What wallets did beyond attacks and contracts: extortion, fake mining, layering, dark dealings. */
import type { LoadContext } from './context.ts'
import { type Extortion, loadExtortion } from './deceit/extortion-message/extortion.ts'
import { type FakeMining, loadFakeMining } from './deceit/fake-mining/mining.ts'
import { type DarkDealing, loadDarkDealings } from './laundering/darknet-payment/payments.ts'
import { type Laundering, loadLaundering } from './laundering/layering/layering.ts'
import type { OwnContract } from './shared/contracts/own-contracts.ts'
import type { Drain } from './theft/approval-drain/drains.ts'
import { convicting } from './theft/approval-drain/proceeds.ts'

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
