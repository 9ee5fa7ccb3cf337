/** What wallets did to others: everything the phishing, stealing and cybercrime flags look at beside approval drains. */
import type { LoadContext } from './context.ts'
import { loadOwnContracts } from './contracts/own.ts'
import { loadPoisoning, type Poisoning } from './poisoning.ts'

export type AttackEvidence = {
  poisoning: Poisoning[]
}

export type Attacks = { [K in keyof AttackEvidence]: ReadonlyMap<string, AttackEvidence[K]> }

/** Evidence by address, each kind for those wallets only whose features make it possible. */
export const loadAttacks = async (context: LoadContext): Promise<Attacks> => {
  const own = await loadOwnContracts(context)
  const [poisoning] = await Promise.all([loadPoisoning(context, own)])
  return { poisoning }
}
